#include "ir/text/reader/python/python_numbers.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <compare>
#include <limits>
#include <optional>
#include <variant>

#include "ir/text.h"
#include "ir/text/reader/python/failure.h"
#include "ir/type.h"

namespace proviso::ir::python {

namespace {

using Number = std::variant<bool, Int128, double>;

// What is wrong with a computation, for a message at its place.
struct Mistake {
    std::string message;
    std::string hint;
};

[[noreturn]] void too_large() {
    throw Mistake{"this number has more than 127 bits", "compute with smaller ones"};
}

bool is_float(const Number& n) {
    return std::holds_alternative<double>(n);
}

Int128 as_int(const Number& n) {
    const bool* truth = std::get_if<bool>(&n);
    return truth != nullptr ? Int128(*truth ? 1 : 0) : std::get<Int128>(n);
}

double as_float(const Number& n) {
    const double* value = std::get_if<double>(&n);
    return value != nullptr ? *value : static_cast<double>(as_int(n));
}

bool truth(const Number& n) {
    return is_float(n) ? std::get<double>(n) != 0.0 : as_int(n) != 0;
}

// "12", "0xff".
Int128 integer_of(const std::string& text) {
    const bool hex = text.size() > 2 && (text[1] == 'x' || text[1] == 'X');
    const Int128 base = hex ? 16 : 10;
    Int128 out = 0;
    for (const char c : text.substr(hex ? 2 : 0)) {
        const Int128 digit = c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10;
        if (__builtin_mul_overflow(out, base, &out) || __builtin_add_overflow(out, digit, &out)) {
            too_large();
        }
    }
    return out;
}

std::optional<double> float_of(const std::string& text) {
    double value = 0.0;
    const char* end = text.data() + text.size();
    const auto [rest, status] = std::from_chars(text.data(), end, value);
    if (status != std::errc() || rest != end) return std::nullopt;
    return value;
}

// 12, -1.5, True, float("inf"); nullopt for other nodes, and for floats that no double holds.
std::optional<Number> number(const Node& n) {
    switch (n.kind) {
        case NodeKind::Int: return integer_of(n.text);
        case NodeKind::Float:
            if (const auto value = float_of(n.text)) return *value;
            return std::nullopt;
        case NodeKind::Constant:
            if (n.text == "None") return std::nullopt;
            return n.text == "True";
        case NodeKind::Unary: {
            if (n.text != "-" || n.items[0].parenthesized) return std::nullopt;
            if (n.items[0].is(NodeKind::Int)) return -integer_of(n.items[0].text);
            if (!n.items[0].is(NodeKind::Float)) return std::nullopt;
            const auto value = float_of(n.items[0].text);
            if (!value) return std::nullopt;
            return -*value;
        }
        case NodeKind::Call:
            if (n.is_call_of("float") && n.items.size() == 2 && n.items[1].is(NodeKind::String)) {
                if (const auto value = float_of(n.items[1].text)) return *value;
            }
            return std::nullopt;
        default: return std::nullopt;
    }
}

Node leaf(NodeKind kind, std::string text, Position at) {
    Node out;
    out.kind = kind;
    out.at = at;
    out.text = std::move(text);
    return out;
}

Node node_of(const Number& value, const Node& like) {
    Node out;
    bool negative = false;
    if (const bool* t = std::get_if<bool>(&value)) {
        out = leaf(NodeKind::Constant, *t ? "True" : "False", like.at);
    } else if (const Int128* i = std::get_if<Int128>(&value)) {
        negative = *i < 0;
        out = leaf(NodeKind::Int, int128_text(negative ? -*i : *i), like.at);
    } else {
        const double d = std::get<double>(value);
        if (!std::isfinite(d)) {
            out.kind = NodeKind::Call;
            out.at = like.at;
            out.items.push_back(leaf(NodeKind::Name, "float", like.at));
            const char* text = std::isnan(d) ? "nan" : d < 0 ? "-inf" : "inf";
            out.items.push_back(leaf(NodeKind::String, text, like.at));
            out.depth = 2;
        } else {
            negative = std::signbit(d);
            char buffer[32];
            char* end = std::to_chars(buffer, buffer + sizeof buffer, std::fabs(d)).ptr;
            std::string text(buffer, end);
            if (text.find_first_of(".e") == std::string::npos) text += ".0";
            out = leaf(NodeKind::Float, std::move(text), like.at);
        }
    }
    if (negative) {
        Node minus;
        minus.kind = NodeKind::Unary;
        minus.at = like.at;
        minus.text = "-";
        minus.depth = 2;
        minus.items.push_back(std::move(out));
        out = std::move(minus);
    }
    out.parenthesized = like.parenthesized;
    return out;
}

Number negated(const Number& n) {
    if (is_float(n)) return -std::get<double>(n);
    Int128 out = 0;
    if (__builtin_sub_overflow(Int128(0), as_int(n), &out)) too_large();
    return out;
}

Int128 floor_quotient(Int128 a, Int128 b) {
    const Int128 q = a / b;
    return a % b != 0 && (a < 0) != (b < 0) ? q - 1 : q;
}

void not_zero(bool zero) {
    if (zero) throw Mistake{"a division by zero", {}};
}

Number power_of_ints(Int128 base, Int128 exponent) {
    if (base == 0 || base == 1 || exponent == 0) return Int128(exponent == 0 ? 1 : base);
    if (base == -1) return Int128(exponent % 2 == 0 ? 1 : -1);
    Int128 out = 1;
    for (; exponent > 0; --exponent) {
        if (__builtin_mul_overflow(out, base, &out)) too_large();
    }
    return out;
}

Number shifted(const std::string& op, Int128 a, Int128 b) {
    if (b < 0) throw Mistake{"a shift by a negative number", {}};
    if (op == ">>") return b > 126 ? Int128(a < 0 ? -1 : 0) : a >> static_cast<int>(b);
    if (a == 0) return a;
    if (b > 126) too_large();
    Int128 out = 0;
    // The factor of a shift by 126 is the largest power of two there is.
    if (__builtin_mul_overflow(a, Int128(1) << static_cast<int>(b), &out)) too_large();
    return out;
}

// The quotient of two integers is the float nearest to it: of floats that hold both exactly, their
// division gives that one.
Number quotient_of_ints(Int128 a, Int128 b) {
    not_zero(b == 0);
    const auto exact = [](Int128 n) {
        const auto d = static_cast<double>(n);
        return std::fabs(d) < 0x1p127 && static_cast<Int128>(d) == n;
    };
    if (!exact(a) || !exact(b)) {
        throw Mistake{"an operand of `/` is no float exactly", "`//` divides integers"};
    }
    return static_cast<double>(a) / static_cast<double>(b);
}

Number computed(const std::string& op, Int128 a, Int128 b) {
    if (op == "+" || op == "-" || op == "*") {
        Int128 out = 0;
        const bool over = op == "+"   ? __builtin_add_overflow(a, b, &out)
                          : op == "-" ? __builtin_sub_overflow(a, b, &out)
                                      : __builtin_mul_overflow(a, b, &out);
        if (over) too_large();
        return out;
    }
    if (op == "/") return quotient_of_ints(a, b);
    if (op == "//" || op == "%") {
        not_zero(b == 0);
        if (b == -1) return op == "%" ? Number(Int128(0)) : negated(a);
        const Int128 quotient = floor_quotient(a, b);
        return op == "%" ? a - quotient * b : quotient;
    }
    if (op == "<<" || op == ">>") return shifted(op, a, b);
    if (op == "&") return a & b;
    if (op == "|") return a | b;
    return a ^ b;
}

// Python's: the rest has the sign of the divisor.
double float_rest(double a, double b) {
    const double rest = std::fmod(a, b);
    if (rest == 0.0) return std::copysign(0.0, b);
    return (rest < 0) != (b < 0) ? rest + b : rest;
}

double float_floor(double a, double b) {
    const double rest = std::fmod(a, b);
    double quotient = (a - rest) / b;
    if (rest != 0.0 && (rest < 0) != (b < 0)) quotient -= 1.0;
    if (quotient == 0.0) return std::copysign(0.0, a / b);
    const double below = std::floor(quotient);
    return quotient - below > 0.5 ? below + 1.0 : below;
}

Number computed(const std::string& op, double a, double b) {
    if (op == "+") return a + b;
    if (op == "-") return a - b;
    if (op == "*") return a * b;
    if (op == "**") {
        not_zero(a == 0.0 && b < 0.0);
        const bool complex = a < 0.0 && std::isfinite(a) && std::isfinite(b) && std::trunc(b) != b;
        if (complex) throw Mistake{"a negative number to the power of a fraction", {}};
        return std::pow(a, b);
    }
    not_zero(b == 0.0);
    if (op == "/") return a / b;
    return op == "%" ? float_rest(a, b) : float_floor(a, b);
}

Number computed(const std::string& op, const Number& a, const Number& b) {
    const bool bits = op == "&" || op == "|" || op == "^";
    if (is_float(a) || is_float(b)) {
        if (bits || op == "<<" || op == ">>") throw Mistake{"`" + op + "` is for integers", {}};
        const double x = as_float(a);
        const double y = as_float(b);
        const Number out = computed(op, x, y);
        if (std::isfinite(x) && std::isfinite(y) && !std::isfinite(std::get<double>(out))) {
            throw Mistake{"this number is too large for a float", "infinity is float(\"inf\")"};
        }
        return out;
    }
    const Int128 x = as_int(a);
    const Int128 y = as_int(b);
    if (op == "**") {
        if (y >= 0) return power_of_ints(x, y);
        return computed(op, Number(as_float(a)), Number(as_float(b)));
    }
    const Number out = computed(op, x, y);
    const bool of_bools = std::holds_alternative<bool>(a) && std::holds_alternative<bool>(b);
    return bits && of_bools ? Number(std::get<Int128>(out) != 0) : out;
}

// Exactly, also between an integer and a float.
std::partial_ordering order(const Number& a, const Number& b) {
    if (!is_float(a) && !is_float(b)) return as_int(a) <=> as_int(b);
    if (is_float(a) && is_float(b)) return std::get<double>(a) <=> std::get<double>(b);
    if (is_float(a)) return 0 <=> order(b, a);
    const double d = std::get<double>(b);
    if (std::isnan(d)) return std::partial_ordering::unordered;
    if (d >= 0x1p127) return std::partial_ordering::less;
    if (d < -0x1p127) return std::partial_ordering::greater;
    const double whole = std::trunc(d);
    const auto n = static_cast<Int128>(whole);
    return as_int(a) != n ? std::partial_ordering(as_int(a) <=> n) : 0.0 <=> d - whole;
}

bool compared(const std::string& op, const Number& a, const Number& b) {
    const std::partial_ordering o = order(a, b);
    if (op == "<") return o < 0;
    if (op == "<=") return o <= 0;
    if (op == ">") return o > 0;
    if (op == ">=") return o >= 0;
    return (o == 0) == (op == "==");
}

std::optional<Number> unary(const Node& n, const Number& a) {
    if (n.text == "not") return !truth(a);
    if (n.text == "-") return negated(a);
    if (n.text == "+") return is_float(a) ? a : Number(as_int(a));
    if (is_float(a)) throw Mistake{"`~` is for integers", {}};
    return ~as_int(a);
}

std::optional<Number> logic(const std::string& op, const std::vector<Number>& all) {
    Number out = all[0];
    for (std::size_t i = 1; i < all.size(); ++i) {
        if (truth(out) == (op == "and")) out = all[i];
    }
    return out;
}

Number to_int(const Number& n) {
    if (!is_float(n)) return as_int(n);
    const double d = std::get<double>(n);
    if (!std::isfinite(d)) throw Mistake{"this float is no integer", {}};
    if (std::fabs(d) >= 0x1p127) too_large();
    return static_cast<Int128>(d);
}

// abs(x), bool(x), float(x), int(x), max(x, y, …), min(x, y, …)
std::optional<Number> call(const std::string& name, const std::vector<Number>& args) {
    if (args.size() == 1) {
        if (name == "bool") return truth(args[0]);
        if (name == "float") return as_float(args[0]);
        if (name == "int") return to_int(args[0]);
        if (name == "abs") {
            if (is_float(args[0])) return std::fabs(std::get<double>(args[0]));
            return as_int(args[0]) < 0 ? negated(args[0]) : Number(as_int(args[0]));
        }
        return std::nullopt;
    }
    if (args.empty() || (name != "max" && name != "min")) return std::nullopt;
    Number best = args[0];
    for (const Number& n : args) {
        if (compared(name == "max" ? ">" : "<", n, best)) best = n;
    }
    return best;
}

// The numbers of the items from `first` on; nullopt when one is something else.
std::optional<std::vector<Number>> numbers(const std::vector<Node>& items, std::size_t first) {
    std::vector<Number> out;
    for (std::size_t i = first; i < items.size(); ++i) {
        const auto value = number(items[i]);
        if (!value) return std::nullopt;
        out.push_back(*value);
    }
    return out;
}

bool is_written_out(const Node& list) {
    if (!list.is(NodeKind::List) && !list.is(NodeKind::Tuple)) return false;
    return std::none_of(list.items.begin(), list.items.end(),
                        [](const Node& item) { return item.is(NodeKind::Starred); });
}

std::optional<Number> result(const Node& n, const std::set<std::string>& hidden) {
    switch (n.kind) {
        case NodeKind::Unary: {
            const bool literal = n.text == "-" && !n.items[0].parenthesized &&
                                 (n.items[0].is(NodeKind::Int) || n.items[0].is(NodeKind::Float));
            const auto a = literal ? std::nullopt : number(n.items[0]);
            return a ? unary(n, *a) : std::nullopt;
        }
        case NodeKind::Binary: {
            const auto a = number(n.items[0]);
            const auto b = a ? number(n.items[1]) : std::nullopt;
            if (!b) return std::nullopt;
            return computed(n.text, *a, *b);
        }
        case NodeKind::Compare: {
            const auto all = numbers(n.items, 0);
            if (!all) return std::nullopt;
            bool holds = true;
            for (std::size_t i = 0; i < n.names.size(); ++i) {
                holds = holds && compared(n.names[i], (*all)[i], (*all)[i + 1]);
            }
            return holds;
        }
        case NodeKind::Logic: {
            const auto all = numbers(n.items, 0);
            return all ? logic(n.text, *all) : std::nullopt;
        }
        case NodeKind::Call: {
            const Node& callee = n.items[0];
            if (!callee.is(NodeKind::Name) || hidden.count(callee.text) != 0) return std::nullopt;
            if (!n.keywords.empty()) return std::nullopt;
            if (callee.text == "len" && n.items.size() == 2 && is_written_out(n.items[1])) {
                return static_cast<Int128>(n.items[1].items.size());
            }
            const auto args = numbers(n.items, 1);
            return args ? call(callee.text, *args) : std::nullopt;
        }
        default: return std::nullopt;
    }
}

}  // namespace

void compute_number(Node& n, const Source& source, const std::set<std::string>& hidden) {
    try {
        if (n.is(NodeKind::Conditional)) {
            const auto c = number(n.items[1]);
            if (!c) return;
            Node chosen = std::move(n.items[truth(*c) ? 0 : 2]);
            n = std::move(chosen);
        } else if (const auto value = result(n, hidden)) {
            n = node_of(*value, n);
        }
    } catch (Mistake& mistake) {
        const bool infix = n.is(NodeKind::Binary) || n.is(NodeKind::Compare);
        fail(
            source.at(infix ? n.op_at : n.at, std::move(mistake.message), std::move(mistake.hint)));
    }
}

void compute_numbers(Node& n, const Source& source, const std::set<std::string>& hidden) {
    for (Node& item : n.items) compute_numbers(item, source, hidden);
    for (Keyword& k : n.keywords) compute_numbers(k.value, source, hidden);
    compute_number(n, source, hidden);
}

void compute_numbers(Statement& s, const Source& source, const std::set<std::string>& hidden) {
    compute_numbers(s.target, source, hidden);
    compute_numbers(s.value, source, hidden);
    compute_numbers(s.annotation, source, hidden);
    for (Parameter& p : s.parameters) compute_numbers(p.annotation, source, hidden);
    for (Statement& inner : s.body) compute_numbers(inner, source, hidden);
    for (Statement& inner : s.otherwise) compute_numbers(inner, source, hidden);
}

}  // namespace proviso::ir::python
