// Bare literals: which expressions consist of nothing else, what type they take, and their values.
#include <charconv>
#include <cmath>
#include <limits>

#include "ir/text/reader/expressions/expr_binder.h"
#include "ir/text/reader/expressions/intrinsics.h"

namespace proviso::ir {

using python::Node;
using python::NodeKind;

namespace {

bool is_untyped_call(const Node& node) {
    return node.is_call_of("float") ||
           (node.is_call_of("T.undef") && node.items.size() == 1 && node.keywords.empty());
}

// Calls of one type throughout: literal when their arguments are.
std::size_t first_operand(const Node& node) {
    if (!node.is(NodeKind::Call) || !node.keywords.empty()) return 0;
    const std::string name = node.items[0].dotted();
    if (name.rfind("T.", 0) != 0) return 0;
    if (name == "T.ceildiv") return 1;
    const OperatorName* row = find_operator_name(name.substr(2));
    if (row == nullptr) return 0;
    switch (op_info(row->op).op_class) {
        case OpClass::Arithmetic:
        case OpClass::Bits: return 1;
        case OpClass::Choice: return 2;
        default: return 0;
    }
}

// Calls of operators whose result depends on the type it is computed in.
bool computes(const Node& node) {
    const std::string name = node.items[0].dotted();
    if (name.rfind("T.", 0) != 0) return false;
    if (name == "T.ceildiv") return true;
    const OperatorName* row = find_operator_name(name.substr(2));
    if (row == nullptr || row->op == Op::Min || row->op == Op::Max) return false;
    const OpClass kind = op_info(row->op).op_class;
    return kind == OpClass::Arithmetic || kind == OpClass::Bits;
}

// "12", "0xff" as a number; nullopt beyond 2^64.
std::optional<Int128> integer(const std::string& text) {
    const bool hex = text.size() > 1 && (text[1] == 'x' || text[1] == 'X');
    std::uint64_t value = 0;
    const char* begin = text.data() + (hex ? 2 : 0);
    const char* end = text.data() + text.size();
    const auto [rest, status] = std::from_chars(begin, end, value, hex ? 16 : 10);
    if (status != std::errc() || rest != end) return std::nullopt;
    return static_cast<Int128>(value);
}

// Infinity when it is too large, zero when too small, NaN when it is no number.
double decimal(const std::string& text) {
    double value = 0.0;
    const auto [rest, status] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (status == std::errc::result_out_of_range) {
        const bool tiny = text[0] == '0' || text[0] == '.' || text.find('-') != std::string::npos;
        return tiny ? 0.0 : HUGE_VAL;
    }
    const bool whole = status == std::errc() && rest == text.data() + text.size();
    return whole ? value : std::numeric_limits<double>::quiet_NaN();
}

std::string range(ScalarType type) {
    if (type.is_signed()) {
        const auto bits = static_cast<unsigned>(type.bits) - 1;
        return "-2**" + std::to_string(bits) + " to 2**" + std::to_string(bits) + " - 1";
    }
    return "0 to 2**" + std::to_string(type.bits) + " - 1";
}

// The largest finite value, rounded down.
std::string float_range(ScalarType type) {
    const std::string most = type == kFloat16    ? "65504"
                             : type == kBFloat16 ? "3.38e38"
                             : type == kFloat32  ? "3.40e38"
                                                 : "1.79e308";
    return "the largest " + type.str() + " is " + most;
}

// A number for a message: of a long one, its beginning.
std::string shown(bool negative, const std::string& text) {
    constexpr std::size_t kLongest = 60;
    const std::string written = (negative ? "-" : "") + text;
    if (written.size() <= kLongest) return written;
    return written.substr(0, kLongest / 2) + "... (" + std::to_string(text.size()) + " digits)";
}

}  // namespace

std::optional<std::variant<Int128, double>> number_of(const Node& node, bool negative) {
    if (node.is(NodeKind::Int)) {
        const auto value = integer(node.text);
        if (!value) return std::nullopt;
        return negative ? -*value : *value;
    }
    if (!node.is(NodeKind::Float)) return std::nullopt;
    const double value = decimal(node.text);
    return negative ? -value : value;
}

bool ExprBinder::is_flexible(const Node& node) const {
    if (!node.only_literals) node.only_literals = has_only_literals(node);
    return *node.only_literals;
}

bool ExprBinder::has_only_literals(const Node& node) const {
    switch (node.kind) {
        case NodeKind::Int:
        case NodeKind::Float: return true;
        // In programs, arithmetic of numbers is computed by now, and other arithmetic has a type.
        case NodeKind::Unary:
            if (!logic_ && !number_of(node.items[0], false)) return false;
            return node.text != "not" && is_flexible(node.items[0]);
        case NodeKind::Binary:
            return logic_ && is_flexible(node.items[0]) && is_flexible(node.items[1]);
        case NodeKind::Conditional:
            return is_flexible(node.items[0]) && is_flexible(node.items[2]) &&
                   is_same_in_every_type(node);
        case NodeKind::Call: {
            if (is_untyped_call(node)) return true;
            const std::size_t first = first_operand(node);
            if (!logic_ && computes(node)) return false;
            if (first == 0 || node.items.size() <= first) return false;
            for (std::size_t i = first; i < node.items.size(); ++i) {
                if (!is_flexible(node.items[i])) return false;
            }
            return first == 1 || is_same_in_every_type(node);
        }
        default: return false;
    }
}

// Of a choice between numbers: in programs floats are float32 before they are cast.
bool ExprBinder::is_same_in_every_type(const Node& node) const {
    if (logic_) return true;
    const auto type = natural_type(node);
    return !type || !type->is_float();
}

std::optional<ScalarType> ExprBinder::natural_type(const Node& node) const {
    if (node.is(NodeKind::Float) || node.is_call_of("float")) return kFloat32;
    const bool minus = node.is(NodeKind::Unary) && node.text == "-";
    if (const Node& digits = minus ? node.items[0] : node; digits.is(NodeKind::Int)) {
        const auto value = integer(digits.text);
        const Int128 n = value ? (minus ? -*value : *value) : 0;
        if (kInt32.contains(n)) return kInt32;
        return kInt64.contains(n) ? kInt64 : kUInt64;
    }
    std::optional<ScalarType> out;
    if (node.is(NodeKind::Call) && is_untyped_call(node)) return out;
    for (std::size_t i = first_operand(node); i < node.items.size(); ++i) {
        if (node.is(NodeKind::Conditional) && i == 1) continue;
        const auto type = natural_type(node.items[i]);
        const bool more = type && out && (type->is_float() || type->bits > out->bits);
        if (!out || more) out = type;
    }
    return out;
}

Expr ExprBinder::literal(const Node& node, bool negative, std::optional<ScalarType> expected) {
    if (node.is(NodeKind::Float)) {
        return float_literal(node, node.text, negative, expected.value_or(kFloat32));
    }
    const auto value = number_of(node, negative);
    // As in TVM, where nothing else gives it a type.
    const bool wide = !logic_ && value && !kInt32.contains(std::get<Int128>(*value)) &&
                      kInt64.contains(std::get<Int128>(*value));
    if (!expected && value && !kInt64.contains(std::get<Int128>(*value)) &&
        kUInt64.contains(std::get<Int128>(*value))) {
        wrong(node, shown(negative, node.text) + " does not fit int64 (" + range(kInt64) + ")",
              "write T.uint64(" + shown(negative, node.text) + ")");
    }
    return int_literal(node, node.text, negative, expected.value_or(wide ? kInt64 : kInt32));
}

Expr ExprBinder::int_literal(const Node& node, const std::string& text, bool negative,
                             ScalarType type) {
    const std::string written = shown(negative, text);
    const auto magnitude = integer(text);
    if (type.is_bool()) {
        wrong(node, "a bool is expected here, not " + written, "bools are True and False");
    }
    if (!magnitude) wrong(node, written + " is too large for every type");
    const Int128 value = negative ? -*magnitude : *magnitude;
    if (type.is_float()) {
        const double rounded = round_to_type(type, static_cast<double>(value));
        if (std::isinf(rounded)) {
            wrong(node, written + " is out of the range of " + type.str(), float_range(type));
        }
        if (static_cast<Int128>(rounded) != value) {
            wrong(node, written + " is not exact in " + type.str(),
                  "write the float that is meant: T." + type.str() + "(" + written + ".0)");
        }
        // `-0` is an integer, so it has no sign to keep.
        return ctx_.float_imm(type, rounded);
    }
    if (!type.contains(value)) {
        // In a program a number of its own is int64 where it must be: the place wants this type.
        const bool wider = logic_ && kInt64.contains(value) && type == kInt32;
        wrong(node, written + " does not fit " + type.str() + " (" + range(type) + ")",
              wider ? "write T.int64(" + written + ")" : "");
    }
    return ctx_.int_imm(type, value);
}

Expr ExprBinder::float_literal(const Node& node, const std::string& text, bool negative,
                               ScalarType type) {
    const std::string written = shown(negative, text);
    if (!type.is_float()) {
        wrong(node, written + " is a float, but " + type.str() + " is expected here",
              cast_hint(type));
    }
    const double value = decimal(text);
    if (std::isnan(value)) wrong(node, "`" + text + "` is not a number");
    const double rounded = round_to_type(type, negative ? -value : value);
    if (std::isinf(rounded)) {
        wrong(node, written + " is out of the range of " + type.str(),
              float_range(type) + "; infinity is T." + type.str() + "(\"inf\")");
    }
    return ctx_.float_imm(type, rounded);
}

}  // namespace proviso::ir
