// The encoder's frame: sharing, leaves, memory, opaque calls, logic. Arithmetic is in encode_*.cpp.
#include "analysis/smt/encoder.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/smt/values.h"
#include "ir/planted.h"

namespace proviso::analysis::smt {

using ir::Expr;
using ir::Op;
using ir::ScalarType;

namespace {

// Longer texts get a name even when they are used once, so that nesting cannot copy them over and
// over.
constexpr std::size_t kLongestInline = 300;

// Choices within choices, up to which they are written as they are.
constexpr int kMostNestedChoices = 100;

std::string join(const std::vector<std::string>& words) {
    std::string out;
    for (const std::string& w : words) {
        out += ' ';
        out += w;
    }
    return out;
}

bool is_leaf(Expr e) {
    return e->args.empty() && e->op != Op::Load && e->op != Op::CallExtern;
}

bool is_choice(Op op) {
    return op == Op::Min || op == Op::Max || op == Op::Select || op == Op::IfThenElse;
}

bool is_quotient(Op op) {
    return op == Op::FloorDiv || op == Op::FloorMod || op == Op::TruncDiv || op == Op::TruncMod;
}

}  // namespace

void Encoder::count_uses(Expr root) {
    if (++uses_[root] > 1) return;
    Nested most;
    for (Expr a : root->args) {
        count_uses(a);
        const Nested& of = nested_.at(a);
        most.choices = std::max(most.choices, of.choices);
        most.quotients = std::max(most.quotients, of.quotients);
        const bool adds = root->op == Op::Mul && root->type.is_exact_int();
        most.degree = adds ? most.degree + of.degree : std::max(most.degree, of.degree);
    }
    if (!ir::is_const(root)) most.degree = std::max<std::uint64_t>(most.degree, 1);
    most.degree = std::min(most.degree, kMostFactors);
    if (is_choice(root->op)) ++most.choices;
    if (is_quotient(root->op)) ++most.quotients;
    nested_.emplace(root, most);
    most_nested_.choices = std::max(most_nested_.choices, most.choices);
    most_nested_.quotients = std::max(most_nested_.quotients, most.quotients);
    most_nested_.degree = std::max(most_nested_.degree, most.degree);
}

std::string Encoder::chosen(Expr e, const std::string& condition, const std::string& a,
                            const std::string& b) {
    if (most_nested_.choices <= kMostNestedChoices || e->type.is_bool()) {
        return fmt::format("(ite {} {} {})", condition, a, b);
    }
    const std::string holds = named(condition, "Bool");
    const std::string constant = fmt::format("k{}", constants_chosen_++);
    lines_.push_back(fmt::format("(declare-fun {} () {})", constant, sort(e->type)));
    lines_.push_back(fmt::format("(assert (or (not {}) (= {} {})))", holds, constant, a));
    lines_.push_back(fmt::format("(assert (or {} (= {} {})))", holds, constant, b));
    return constant;
}

std::string Encoder::term(Expr e) {
    const auto found = terms_.find(e);
    if (found != terms_.end()) return found->second;
    std::string text = encode(e);
    if (!is_leaf(e) && (uses_[e] > 1 || text.size() > kLongestInline)) {
        text = named(text, sort(e->type));
    }
    terms_.emplace(e, text);
    return text;
}

std::string Encoder::named(const std::string& text, const std::string& sort) {
    const bool composed = text.front() == '(' && text.substr(0, 3) != "(_ " &&
                          text.find_first_of(' ', 3) != std::string::npos;
    if (!composed) return text;  // a symbol, a constant, "(- 5)"
    const auto [at, is_new] = names_.emplace(text, "");
    if (is_new) {
        at->second = fmt::format("t{}", names_.size() - 1);
        lines_.push_back(fmt::format("(define-fun {} () {} {})", at->second, sort, text));
    }
    return at->second;
}

void Encoder::assert_range(const std::string& term, ScalarType type) {
    if (codes(type)) assert_code(term, type);
    if (!type.is_exact_int()) return;
    lines_.push_back(fmt::format("(assert (<= {} {} {}))", integer_text(type.min_value()), term,
                                 integer_text(type.max_value())));
}

std::string Encoder::no_encoding(const std::string& what, ScalarType type) {
    if (unsupported_.empty()) unsupported_ = what;
    if (type.is_bool()) return "false";
    if (type.is_exact_int()) return "0";
    if (type.is_int()) return fmt::format("(_ bv0 {})", type.bits);
    return constant(ctx_.float_imm(type, 0.0));
}

std::string Encoder::encode(Expr e) {
    switch (e->op) {
        case Op::IntImm:
        case Op::FloatImm: return constant(e);
        case Op::Var: return encode_variable(e);
        case Op::Undef: return no_encoding("T.undef() has no place in an equation", e->type);
        case Op::Let: return no_encoding("let inside an encoded term", e->type);
        case Op::Not: return fmt::format("(not {})", term(e->arg(0)));
        case Op::And: {
            const std::string a = term(e->arg(0));
            return fmt::format("(and {} {})", a, term(e->arg(1)));
        }
        case Op::Or: {
            const std::string a = term(e->arg(0));
            return fmt::format("(or {} {})", a, term(e->arg(1)));
        }
        case Op::Select:
        case Op::IfThenElse: {
            const std::string c = term(e->arg(0));
            const std::string a = term(e->arg(1));
            return chosen(e, c, a, term(e->arg(2)));
        }
        case Op::Cast: return encode_cast(e);
        case Op::Load: return encode_load(e);
        case Op::Defined: return encode_defined(e->arg(0));
        case Op::CallExtern: return encode_call(e);
        case Op::Math: return math_fn_info(e->math_fn()).exact ? encode_math(e) : encode_call(e);
        case Op::Eq:
        case Op::Ne:
        case Op::Same: return encode_equality(e);
        case Op::Lt:
        case Op::Le: {
            const std::string a = term(e->arg(0));
            return encode_order(e->op, e->arg(0)->type, a, term(e->arg(1)));
        }
        case Op::Neg:
        case Op::Add:
        case Op::Sub:
        case Op::Mul:
        case Op::Div:
        case Op::FloorDiv:
        case Op::FloorMod:
        case Op::TruncDiv:
        case Op::TruncMod:
        case Op::Min:
        case Op::Max:
        case Op::BitAnd:
        case Op::BitOr:
        case Op::BitXor:
        case Op::Shl:
        case Op::Shr: return encode_arithmetic(e);
    }
    PROVISO_CHECK(false, "encode: an operator without a case");
}

std::string Encoder::encode_variable(Expr e) {
    std::string symbol = fmt::format("v{}", variables_.size());
    variables_.emplace_back(symbol, e);
    lines_.push_back(fmt::format("(declare-fun {} () {})", symbol, sort(e->type)));
    const bool is_bounded = std::find(unbounded_.begin(), unbounded_.end(), e) == unbounded_.end();
    if (is_bounded) assert_range(symbol, e->type);
    return symbol;
}

std::string Encoder::index_term(Expr index) {
    std::string x = term(index);
    if (index->type.is_exact_int()) return x;
    if (index->type.is_signed()) return signed_value(x, index->type.bits);
    return fmt::format("(bv2nat {})", x);
}

std::string Encoder::buffer_symbol(ir::Buffer buffer) {
    const auto [at, is_new] = buffer_symbols_.emplace(buffer, "");
    if (is_new) {
        at->second = fmt::format("A{}", buffers_.size());
        buffers_.emplace_back(at->second, buffer);
        std::vector<std::string> sorts(buffer->rank(), "Int");
        const std::string list = join(sorts);
        lines_.push_back(fmt::format("(declare-fun {} ({}) {})", at->second,
                                     list.empty() ? list : list.substr(1), sort(buffer->type)));
    }
    return at->second;
}

// The cell's index terms, each an atom.
std::vector<std::string> Encoder::index_terms(Expr load) {
    std::vector<std::string> out;
    for (Expr i : load->args) out.push_back(named(index_term(i), "Int"));
    return out;
}

std::string Encoder::encode_load(Expr load) {
    Cell cell{load, index_terms(load), {}, {}};
    const std::string function = buffer_symbol(load->buffer);
    cell.value =
        cell.indices.empty() ? function : fmt::format("({}{})", function, join(cell.indices));
    assert_range(cell.value, load->type);
    const auto [at, is_new] = cell_of_.emplace(load, cells_.size());
    if (is_new) cells_.push_back(cell);
    return cell.value;
}

std::string Encoder::encode_defined(Expr load) {
    term(load);  // declares the buffer and enters the cell
    Cell& cell = cells_.at(cell_of_.at(load));
    const auto [at, is_new] = defined_symbols_.emplace(load->buffer, "");
    if (is_new) {
        at->second = "D" + buffer_symbol(load->buffer).substr(1);
        std::vector<std::string> sorts(load->buffer->rank(), "Int");
        const std::string list = join(sorts);
        lines_.push_back(fmt::format("(declare-fun {} ({}) Bool)", at->second,
                                     list.empty() ? list : list.substr(1)));
    }
    cell.defined =
        cell.indices.empty() ? at->second : fmt::format("({}{})", at->second, join(cell.indices));
    return cell.defined;
}

std::string Encoder::encode_call(Expr e) {
    std::vector<std::string> args;
    std::string sorts;
    std::string types;
    for (Expr a : e->args) {
        args.push_back(term(a));
        sorts += (sorts.empty() ? "" : " ") + sort(a->type);
        types += " " + a->type.str();
    }
    const std::string name =
        e->op == Op::Math ? "T." + std::string(math_fn_info(e->math_fn()).name) : *e->name;
    const std::string signature = fmt::format("{}:{} -> {}", name, types, e->type.str());
    const auto [at, is_new] = functions_.emplace(signature, "");
    if (is_new) {
        at->second = fmt::format("F{}", functions_.size() - 1);
        lines_.push_back(fmt::format("(declare-fun {} ({}) {})", at->second, sorts, sort(e->type)));
    }
    std::string out = args.empty() ? at->second : fmt::format("({}{})", at->second, join(args));
    if (e->type.is_exact_int()) assert_range(out, e->type);
    return out;
}

std::string Encoder::encode_equality(Expr e) {
    const bool float_compare = e->arg(0)->type.is_float() &&
                               (e->op != Op::Same || ir::planted("encoder:zeros-are-the-same"));
    const std::string a = term(e->arg(0));
    const std::string equal = float_compare ? float_op("eq", e->arg(0)->type) : "=";
    std::string out = fmt::format("({} {} {})", equal, a, term(e->arg(1)));
    return e->op == Op::Ne ? fmt::format("(not {})", out) : out;
}

std::string Encoder::encode_order(Op op, ScalarType type, const std::string& a,
                                  const std::string& b) {
    const bool strict = op == Op::Lt;
    std::string name = strict ? "<" : "<=";
    if (type.is_float()) {
        name = float_op(strict ? "lt" : "leq", type);
    } else if (type.is_wrapping_int()) {
        const bool is_signed = type.is_signed() || ir::planted("encoder:unsigned-order-signed");
        name = is_signed ? (strict ? "bvslt" : "bvsle") : (strict ? "bvult" : "bvule");
    }
    return fmt::format("({} {} {})", name, a, b);
}

std::string Encoder::encode_arithmetic(Expr e) {
    Args args;
    for (Expr a : e->args) args.push_back(term(a));
    if (e->op == Op::Min || e->op == Op::Max) {
        // min: y < x ? y : x.  max: x < y ? y : x.
        std::string x = named(args[0], sort(e->type));
        const std::string y = named(args[1], sort(e->type));
        if (e->op == Op::Max && ir::planted("encoder:max-of-nan")) {
            return chosen(e, encode_order(Op::Lt, e->type, y, x), x, y);
        }
        const std::string choose = e->op == Op::Min ? encode_order(Op::Lt, e->type, y, x)
                                                    : encode_order(Op::Lt, e->type, x, y);
        return chosen(e, choose, y, x);
    }
    if (e->type.is_float()) return encode_float(e, args);
    return e->type.is_exact_int() ? encode_exact(e, args) : encode_wrapping(e, args);
}

}  // namespace proviso::analysis::smt
