#include "rewrite/expression_rules/pattern_reader.h"

#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <cctype>

#include "ir/text.h"

namespace proviso::rewrite {

using ir::Expr;
using ir::Int128;
using ir::Op;
using ir::ScalarType;

namespace {

constexpr std::array<const char*, kSlots> kSlotNames = {"x", "y",  "z",  "w",  "p",  "q",
                                                        "r", "c0", "c1", "c2", "c3", "c4"};

ScalarType widest(ScalarType kind) {
    if (kind.is_float()) return ir::kFloat64;
    return kind.is_signed() ? ir::kInt64 : ir::kUInt64;
}

std::string decimal(Int128 value) {
    if (value > 0 && value > static_cast<Int128>(INT64_MAX)) {
        return std::to_string(static_cast<std::uint64_t>(value));
    }
    return std::to_string(static_cast<std::int64_t>(value));
}

bool is_digit(char c) {
    return '0' <= c && c <= '9';
}
bool is_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// Replaces the words KIND, WIDE, KIND_MIN and KIND_MAX.
std::string spell_out(std::string_view text, ScalarType kind) {
    std::string out;
    for (std::size_t i = 0; i < text.size();) {
        if (!is_word(text[i])) {
            out += text[i++];
            continue;
        }
        std::size_t end = i;
        while (end < text.size() && is_word(text[end])) ++end;
        const std::string_view word = text.substr(i, end - i);
        if (word == "KIND") {
            out += kind.str();
        } else if (word == "WIDE") {
            out += widest(kind).str();
        } else if (word == "KIND_MIN") {
            out += decimal(kind.min_value());
        } else if (word == "KIND_MAX") {
            out += decimal(kind.max_value());
        } else {
            out += word;
        }
        i = end;
    }
    return out;
}

// Brackets within each other: more are left to the reader of programs, which has its own limits.
constexpr int kDeepest = 60;

// Binding strength of what stands between operands of one type.
constexpr int kCompares = 1;
constexpr int kJoinsBits = 2;

bool takes(Op op, ScalarType type) {
    switch (op) {
        case Op::Eq:
        case Op::Ne: return true;
        case Op::Add:
        case Op::Sub:
        case Op::Mul:
        case Op::Min:
        case Op::Max:
        case Op::Lt:
        case Op::Le: return !type.is_bool();
        default: return type.is_int();
    }
}

}  // namespace

const char* slot_name(int slot) {
    return kSlotNames.at(static_cast<std::size_t>(slot));
}

Expr pattern_var(ir::Context& ctx, int slot, ScalarType kind) {
    const bool boolean = slot >= 4 && slot < kTermSlots;
    return ctx.var(slot_name(slot), boolean ? ir::kBool : kind);
}

Result<Expr> parse_pattern(ir::Context& ctx, std::string_view text, ScalarType kind,
                           std::optional<ScalarType> expected, const std::string& file) {
    // Only names that occur: making the others known takes longer than reading the text.
    ir::Scope scope;
    for (int i = 0; i < kSlots; ++i) {
        if (text.find(slot_name(i)) == std::string_view::npos) continue;
        scope.vars[slot_name(i)] = pattern_var(ctx, i, kind);
    }
    return ir::parse_expr(ctx, spell_out(text, kind), scope, expected, file);
}

Expr PatternReader::read(std::string_view text, std::optional<ScalarType> expected) {
    text_ = text;
    at_ = 0;
    depth_ = 0;
    const Part whole = logic(Op::Or);
    skip_blanks();
    if (!whole || at_ != text_.size()) return nullptr;
    if (whole.is_number) return literal(whole.number, expected.value_or(ir::kInt32));
    return expected && whole.expr->type != *expected ? nullptr : whole.expr;
}

void PatternReader::skip_blanks() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
}

bool PatternReader::take(char c) {
    skip_blanks();
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
}

std::string_view PatternReader::word_here() const {
    std::size_t end = at_;
    while (end < text_.size() && is_word(text_[end])) ++end;
    return text_.substr(at_, end - at_);
}

bool PatternReader::take_word(std::string_view word) {
    skip_blanks();
    if (word_here() != word) return false;
    at_ += word.size();
    return true;
}

Expr PatternReader::literal(Int128 value, ScalarType type) {
    return type.is_int() && type.contains(value) ? ctx_.int_imm(type, value) : nullptr;
}

// `a or b or c`, and within each of them `and`: bracketed to the right.
PatternReader::Part PatternReader::logic(Op op) {
    const auto item = [this, op] { return op == Op::Or ? logic(Op::And) : negation(); };
    Part first = item();
    if (!first) return {};
    boost::container::small_vector<Expr, 4> items;
    while (take_word(op == Op::Or ? "or" : "and")) {
        if (items.empty()) items.push_back(first.expr);
        items.push_back(item().expr);
    }
    if (items.empty()) return first;
    for (Expr e : items) {
        if (e == nullptr || !e->type.is_bool()) return {};
    }
    Expr out = items.back();
    for (std::size_t i = items.size() - 1; i-- > 0;) out = ctx_.make(op, {items[i], out});
    return {out};
}

PatternReader::Part PatternReader::negation() {
    if (!take_word("not")) return comparison();
    if (++depth_ > kDeepest) return {};
    const Part e = negation();
    --depth_;
    if (e.expr == nullptr || !e.expr->type.is_bool()) return {};
    return {ctx_.not_(e.expr)};
}

// One comparison: chains are left to the reader of programs.
PatternReader::Part PatternReader::comparison() {
    Part left = binary(kJoinsBits);
    if (!left) return {};
    const Operator here = operator_here();
    if (here.strength != kCompares) return left;
    at_ += here.length;
    const Part right = binary(kJoinsBits);
    if (operator_here().strength == kCompares) return {};
    return here.swap ? apply(here.op, right, left) : apply(here.op, left, right);
}

PatternReader::Part PatternReader::binary(int least) {
    Part left = unary();
    while (left) {
        const Operator here = operator_here();
        if (here.strength < least) break;
        at_ += here.length;
        left = apply(here.op, left, binary(here.strength + 1));
    }
    return left;
}

PatternReader::Operator PatternReader::operator_here() const {
    std::size_t at = at_;
    while (at < text_.size() && text_[at] == ' ') ++at;
    const auto peek = [&](std::size_t ahead) {
        return at + ahead < text_.size() ? text_[at + ahead] : '\0';
    };
    const auto found = [&](Op op, int strength, std::size_t length, bool swap = false) {
        return Operator{op, strength, swap, at - at_ + length};
    };
    const char next = peek(1);
    switch (peek(0)) {
        case '<':
            if (next == '<') return found(Op::Shl, kJoinsBits + 3, 2);
            return next == '=' ? found(Op::Le, kCompares, 2) : found(Op::Lt, kCompares, 1);
        case '>':
            if (next == '>') return found(Op::Shr, kJoinsBits + 3, 2);
            return next == '=' ? found(Op::Le, kCompares, 2, true)
                               : found(Op::Lt, kCompares, 1, true);
        case '=': return next == '=' ? found(Op::Eq, kCompares, 2) : Operator{};
        case '!': return next == '=' ? found(Op::Ne, kCompares, 2) : Operator{};
        case '|': return found(Op::BitOr, kJoinsBits, 1);
        case '^': return found(Op::BitXor, kJoinsBits + 1, 1);
        case '&': return found(Op::BitAnd, kJoinsBits + 2, 1);
        case '+': return found(Op::Add, kJoinsBits + 4, 1);
        case '-': return found(Op::Sub, kJoinsBits + 4, 1);
        case '*': return next == '*' ? Operator{} : found(Op::Mul, kJoinsBits + 5, 1);
        case '%': return found(Op::FloorMod, kJoinsBits + 5, 1);
        case '/': return next == '/' ? found(Op::FloorDiv, kJoinsBits + 5, 2) : Operator{};
        default: return {};
    }
}

// A number takes the type of what it stands beside.
bool PatternReader::pair(Part& a, Part& b) {
    if (!a || !b || (a.is_number && b.is_number)) return false;
    if (a.is_number) a.expr = literal(a.number, b.expr->type);
    if (b.is_number) b.expr = literal(b.number, a.expr->type);
    return a.expr != nullptr && b.expr != nullptr && a.expr->type == b.expr->type;
}

PatternReader::Part PatternReader::apply(Op op, Part a, Part b) {
    if (!pair(a, b) || !takes(op, a.expr->type)) return {};
    return {ctx_.make(op, {a.expr, b.expr})};
}

PatternReader::Part PatternReader::unary() {
    if (!take('-')) return atom();
    if (++depth_ > kDeepest) return {};
    Part e = unary();
    --depth_;
    if (e.is_number) {
        if (!e.is_digits) return {};
        return {nullptr, true, false, -e.number};
    }
    if (!e || e.expr->type.is_bool()) return {};
    return {ctx_.neg(e.expr)};
}

PatternReader::Part PatternReader::atom() {
    if (take('(')) {
        if (++depth_ > kDeepest) return {};
        Part inner = logic(Op::Or);
        --depth_;
        inner.is_digits = false;
        return take(')') ? inner : Part{};
    }
    const std::string_view word = word_here();
    if (word.empty()) return {};
    if (is_digit(word[0])) return digits();
    at_ += word.size();
    if (word == "T") return call();
    return variable(word);
}

PatternReader::Part PatternReader::variable(std::string_view word) {
    if (word == "True" || word == "False") return {ctx_.bool_imm(word == "True")};
    if (word == "KIND_MIN") return {nullptr, true, kind_.min_value() >= 0, kind_.min_value()};
    if (word == "KIND_MAX") return {nullptr, true, true, kind_.max_value()};
    for (std::size_t slot = 0; slot < kSlotNames.size(); ++slot) {
        if (word != kSlotNames[slot]) continue;
        Expr& var = vars_[slot];
        if (var == nullptr) var = pattern_var(ctx_, static_cast<int>(slot), kind_);
        return {var};
    }
    return {};
}

PatternReader::Part PatternReader::digits() {
    const std::string_view word = word_here();
    constexpr std::size_t longest = 18;  // what surely fits 64 bits
    const bool octal = word.size() > 1 && word[0] == '0';
    if (word.size() > longest || octal || !std::all_of(word.begin(), word.end(), is_digit)) {
        return {};
    }
    at_ += word.size();
    if (at_ < text_.size() && text_[at_] == '.') return {};
    Int128 value = 0;
    for (const char c : word) value = value * 10 + (c - '0');
    return {nullptr, true, true, value};
}

// After `T`: the operators that are written as calls.
PatternReader::Part PatternReader::call() {
    struct Row {
        std::string_view name;
        Op op;
        std::size_t arity;
    };
    static constexpr Row rows[] = {
        {"min", Op::Min, 2},           {"max", Op::Max, 2},
        {"truncdiv", Op::TruncDiv, 2}, {"truncmod", Op::TruncMod, 2},
        {"Select", Op::Select, 3},     {"if_then_else", Op::IfThenElse, 3},
        {"abs", Op::Math, 1}};
    if (at_ == text_.size() || text_[at_] != '.') return {};
    ++at_;
    const std::string_view name = word_here();
    at_ += name.size();
    if (name == "Cast") return cast();
    const auto* row = std::find_if(std::begin(rows), std::end(rows),
                                   [name](const Row& r) { return r.name == name; });
    if (row == std::end(rows) || !take('(') || ++depth_ > kDeepest) return {};
    std::array<Part, 3> args;
    for (std::size_t i = 0; i < row->arity; ++i) {
        if (i > 0 && !take(',')) return {};
        args[i] = logic(Op::Or);
        if (!args[i]) return {};
    }
    --depth_;
    if (!take(')')) return {};
    if (row->arity == 2) return apply(row->op, args[0], args[1]);
    if (row->arity == 1) {
        const Expr e = args[0].expr;
        if (e == nullptr || e->type.is_bool()) return {};
        return {ctx_.math(ir::MathFn::Abs, {e})};
    }
    const Expr condition = args[0].expr;
    if (condition == nullptr || !condition->type.is_bool() || !pair(args[1], args[2])) return {};
    return {ctx_.make(row->op, {condition, args[1].expr, args[2].expr})};
}

// After `T.Cast`: ('TYPE', value).
PatternReader::Part PatternReader::cast() {
    if (!take('(') || !take('\'')) return {};
    const std::string_view name = word_here();
    at_ += name.size();
    std::optional<ScalarType> type;
    if (name == "KIND") {
        type = kind_;
    } else if (name == "WIDE") {
        type = widest(kind_);
    } else {
        type = ScalarType::parse(name);
    }
    if (!type || at_ == text_.size() || text_[at_] != '\'') return {};
    ++at_;
    if (!take(',') || ++depth_ > kDeepest) return {};
    const Part value = logic(Op::Or);
    --depth_;
    if (value.expr == nullptr || value.is_number || !take(')')) return {};
    return {ctx_.cast(*type, value.expr)};
}

}  // namespace proviso::rewrite
