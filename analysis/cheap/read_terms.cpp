// Terms into normal form, but for divisions, which are in read_divisions.cpp.
#include <algorithm>
#include <map>
#include <unordered_set>

#include "analysis/cheap/products.h"
#include "analysis/cheap/term_reader.h"
#include "analysis/facts/formula.h"
#include "ir/children.h"
#include "ir/domains/value.h"

namespace proviso::analysis::cheap {

using ir::Expr;
using ir::Op;
using ir::ScalarType;

namespace {

constexpr std::size_t kFew = 16;       // operands of a minimum; more are read as one operation
constexpr std::size_t kMostArms = 40;  // to split on; beyond them the result is bounded only

}  // namespace

Form Knowledge::form_of(Expr integer) {
    return TermReader(*this).form(integer);
}

int Knowledge::number_of(Expr e) {
    return TermReader(*this).number(e);
}

Form TermReader::form(Expr e) {
    if (e->op == Op::IntImm) return Form::of_constant(e->int_value());
    if (const Form* known = k_.known_form(e)) return k_.resolved(Form(*known));
    q_.step();
    const Deeper deeper(q_);
    Form out = k_.resolved(read(e));
    k_.forms_.insert_or_assign(e, out);
    return out;
}

int TermReader::number(Expr e) {
    if (const int* known = k_.known_number(e)) return *known;
    q_.step();
    const Deeper deeper(q_);
    int out = read_number(e);
    for (auto at = k_.same_.find(out); at != k_.same_.end(); at = k_.same_.find(out)) {
        out = at->second;
    }
    k_.numbers_.insert_or_assign(e, out);
    return out;
}

Form TermReader::read(Expr e) {
    switch (e->op) {
        case Op::Var: return Form::of_atom(q_.atoms.variable(e, range_of(e)));
        case Op::Neg:
        case Op::Add:
        case Op::Sub: return sum(e);
        case Op::Mul:
            return wrapped(multiplied(q_.atoms, form(e->arg(0)), form(e->arg(1))), e->type);
        case Op::FloorDiv:
        case Op::FloorMod:
        case Op::TruncDiv:
        case Op::TruncMod: return division(e);
        case Op::Shl:
        case Op::Shr:
        case Op::BitAnd:
        case Op::BitOr:
        case Op::BitXor: return bits(e);
        case Op::Min:
        case Op::Max: return extremum(e);
        case Op::Select:
        case Op::IfThenElse: return choice(e);
        case Op::Cast: return cast(e);
        case Op::Load:
        case Op::CallExtern: return opaque(e);
        case Op::Math: return absolute(e);
        case Op::Let: return form(without_let(e));
        default: throw GiveUp{};  // Undef
    }
}

Interval TermReader::range_of(Expr var) const {
    const auto& free = q_.unbounded;
    if (std::find(free.begin(), free.end(), var) != free.end()) return {};
    return range_of_type(var->type);
}

// Of what the operator gives whatever it is applied to: exact integers leave their type's range.
Interval TermReader::range_of_result(Expr e) {
    const bool in_type = e->type.is_wrapping_int() || e->op == Op::Load ||
                         e->op == Op::CallExtern || e->op == Op::Cast;
    return in_type ? range_of_type(e->type) : Interval{};
}

// --- numbers

void TermReader::append_argument(AtomTable::Key& key, Expr a) {
    if (a->type.is_int())
        AtomTable::append(key, form(a));
    else
        key.push_back(number(a));
}

namespace {

// On every type; min and max do not, because of NaN and the zeros.
bool commutes(Op op) {
    switch (op) {
        case Op::Add:
        case Op::Mul:
        case Op::Eq:
        case Op::Ne:
        case Op::Same:
        case Op::And:
        case Op::Or:
        case Op::BitAnd:
        case Op::BitOr:
        case Op::BitXor: return true;
        default: return false;
    }
}

}  // namespace

// The claim that a cell is definite speaks of the cell, not of its value: cells that hold equal
// values are different cells.
int TermReader::defined(Expr load) {
    AtomTable::Key key{static_cast<std::int64_t>(Op::Defined),
                       static_cast<std::int64_t>(load->buffer->id)};
    for (Expr i : load->args) append_argument(key, i);
    return q_.atoms.node(key, nullptr, {});
}

// The operator of `e` applied to its arguments in normal form.
int TermReader::node(Expr e, const Interval& range) {
    AtomTable::Key key{static_cast<std::int64_t>(e->op),
                       static_cast<std::int64_t>(e->type.code) * 256 + e->type.bits, e->bits,
                       e->buffer != nullptr ? static_cast<std::int64_t>(e->buffer->id) : -1,
                       reinterpret_cast<std::intptr_t>(e->name)};
    std::vector<AtomTable::Key> arguments;
    for (Expr a : e->args) {
        AtomTable::Key argument{static_cast<std::int64_t>(a->type.code) * 256 + a->type.bits};
        append_argument(argument, a);
        arguments.push_back(std::move(argument));
    }
    if (commutes(e->op)) std::sort(arguments.begin(), arguments.end());
    for (const AtomTable::Key& a : arguments) key.insert(key.end(), a.begin(), a.end());
    return q_.atoms.node(key, e, range);
}

int TermReader::read_number(Expr e) {
    PROVISO_CHECK(!e->type.is_int(), "number of an integer term");
    switch (e->op) {
        case Op::Let: return number(without_let(e));
        case Op::Undef: throw GiveUp{};
        case Op::Defined: return defined(e->arg(0));
        case Op::Select:
        case Op::IfThenElse: {
            const auto c = k_.truth(e->arg(0));
            if (c) return number(e->arg(*c ? 1 : 2));
            const int a = number(e->arg(1));
            if (a == number(e->arg(2))) return a;
            break;
        }
        default: break;
    }
    if (const Expr folded = folded_constant(e)) return node(folded, {});
    if (const Expr simpler = k_.same_by_class(e)) return number(simpler);
    return node(e, {});
}

// The value of a term that is a constant in normal form.
std::optional<ir::Value> TermReader::constant_of(Expr e) {
    if (ir::is_const(e)) return ir::constant_value(e);
    if (e->type.is_int()) {
        const Form f = form(e);
        if (!f.is_constant() || !e->type.contains(f.constant)) return std::nullopt;
        return ir::Value::of_int(ir::Integer(f.constant));
    }
    const Expr known = q_.atoms[number(e)].expr;
    return known != nullptr && ir::is_const(known) ? ir::constant_value(known) : std::nullopt;
}

// The body with the value in the place of the variable: the same where the value is definite, for
// then the let freezes nothing.
Expr TermReader::without_let(Expr e) {
    const Expr value = e->arg(0);
    if (ir::has_op(value, Op::Let) || ir::has_op(value, Op::Undef)) throw GiveUp{};
    const Expr claim = definite(q_.ctx, value);
    if (!ir::is_true(claim) && k_.truth(claim) != true) throw GiveUp{};
    return ir::substitute(q_.ctx, e->arg(1), {{q_.ctx.var(*e->name, e->var_type), value}});
}

// An operator on constants, when it has a value.
Expr TermReader::folded_constant(Expr e) {
    if (e->args.empty() || e->args.size() > 3) return nullptr;
    switch (e->op) {
        case Op::Load:
        case Op::CallExtern:
        case Op::Defined: return nullptr;
        case Op::Math:  // another back end may compute the others otherwise
            if (!ir::math_fn_info(e->math_fn()).exact) return nullptr;
            break;
        default: break;
    }
    std::vector<ir::Value> values;
    for (Expr a : e->args) {
        const auto v = constant_of(a);
        if (!v) return nullptr;
        values.push_back(*v);
    }
    const ir::Evaluated out = ir::eval_op(*e, values);
    return out.ok() ? ir::constant_expr(q_.ctx, e->type, out.value) : nullptr;
}

// --- sums

// The value that a wrapping operation leaves of an exact result.
Form TermReader::wrapped(const Form& value, ScalarType type) {
    if (!type.is_wrapping_int()) return value;
    if (k_.bounds_of(value).within(type.min_value(), type.max_value())) return value;
    const Int128 modulus = Int128{1} << type.bits;
    Form from_zero = value;
    from_zero.constant = checked_add(from_zero.constant, checked_neg(type.min_value()));
    Form out = value;
    out.add(quotient(from_zero, modulus), checked_neg(modulus));
    return out;
}

Form TermReader::sum(Expr e) {
    constexpr std::uint32_t short_sum = 48;
    if (e->size > short_sum && e->type.is_exact_int()) return long_sum(e);
    if (e->op == Op::Neg) return wrapped(scaled(form(e->arg(0)), -1), e->type);
    Form out = form(e->arg(0));
    out.add(form(e->arg(1)), e->op == Op::Add ? 1 : -1);
    return wrapped(out, e->type);
}

// Sums of any depth, with shared parts: every node once, users before arguments, with the factor
// that all its users give it. (A user is made after its arguments, so it has the higher id.)
Form TermReader::long_sum(Expr e) {
    std::map<std::uint32_t, std::pair<Expr, Int128>> waiting{{e->id, {e, 1}}};
    LongSum out;
    const auto add = [&waiting](Expr part, Int128 factor) {
        auto& entry = waiting.try_emplace(part->id, part, 0).first->second;
        entry.second = checked_add(entry.second, factor);
    };
    std::uint32_t since_step = 0;
    while (!waiting.empty()) {
        if (++since_step % 64 == 0) q_.step();
        const auto [part, factor] = std::prev(waiting.end())->second;
        waiting.erase(std::prev(waiting.end()));
        switch (part->op) {
            case Op::Add:
            case Op::Sub:
                add(part->arg(0), factor);
                add(part->arg(1), part->op == Op::Add ? factor : checked_neg(factor));
                break;
            case Op::Neg: add(part->arg(0), checked_neg(factor)); break;
            case Op::Mul:
                if (ir::is_int_const(part->arg(1))) {
                    add(part->arg(0), checked_mul(factor, part->arg(1)->int_value()));
                    break;
                }
                if (ir::is_int_const(part->arg(0))) {
                    add(part->arg(1), checked_mul(factor, part->arg(0)->int_value()));
                    break;
                }
                [[fallthrough]];
            default: out.add(form(part), factor);
        }
    }
    return out.take();
}

// --- bits

Form TermReader::bits(Expr e) {
    const Expr right = e->arg(1);
    if (e->op == Op::Shl || e->op == Op::Shr) {
        if (!ir::is_int_const(right)) return opaque(e);
        const Int128 count = right->int_value();
        if (count < 0 || count >= e->type.bits) return opaque(e);
        const Int128 factor = Int128{1} << count;
        const Form x = form(e->arg(0));
        return e->op == Op::Shl ? wrapped(scaled(x, factor), e->type) : quotient(x, factor);
    }
    const auto floor = [this](const Form& n, Int128 c) { return quotient(n, c); };
    if (const auto known = k_.bitwise_form(e, floor)) return *known;
    // A mask of low bits is a remainder, for negative values and for those out of range too.
    for (std::size_t i = 0; i < 2 && e->op == Op::BitAnd; ++i) {
        const Expr mask = e->arg(i);
        if (!ir::is_int_const(mask)) continue;
        const Int128 modulus = mask->int_value() + 1;
        if (modulus <= 0 || (modulus & (modulus - 1)) != 0) continue;
        Form rest = form(e->arg(1 - i));
        const Form q = quotient(rest, modulus);
        rest.add(q, checked_neg(modulus));
        return rest;
    }
    return Form::of_atom(node(e, range_of_type(e->type)));
}

// --- min, max, choices, casts

std::vector<Expr> many_operands(Expr extremum) {
    const Op op = extremum->op;
    const bool nested = (op == Op::Min || op == Op::Max) && extremum->size > 2 * kFew &&
                        (extremum->arg(0)->op == op || extremum->arg(1)->op == op);
    if (!nested) return {};
    std::vector<Expr> out;
    std::unordered_set<Expr> seen;
    std::vector<Expr> pending{extremum};
    while (!pending.empty()) {
        const Expr e = pending.back();
        pending.pop_back();
        if (!seen.insert(e).second) continue;
        if (e->op == op) {
            pending.push_back(e->arg(1));
            pending.push_back(e->arg(0));
        } else {
            out.push_back(e);
        }
    }
    return out.size() > kFew ? out : std::vector<Expr>{};
}

Form TermReader::extremum(Expr e) {
    const std::vector<Expr> all = many_operands(e);
    if (!all.empty()) return extremum_of_many(e, all);
    Form a = form(e->arg(0));
    Form b = form(e->arg(1));
    const bool is_min = e->op == Op::Min;
    const Form gap = is_min ? difference(b, a) : difference(a, b);  // >= 0: the result is a
    if (k_.known_ge(gap)) return a;
    if (k_.known_ge(scaled(gap, -1))) return b;
    const int atom = node(e, {});
    const Form m = Form::of_atom(atom);
    // The result is on the right side of both, and equals one of them.
    const Form from_a = is_min ? difference(a, m) : difference(m, a);
    const Form from_b = is_min ? difference(b, m) : difference(m, b);
    if (!k_.mark_live(atom)) {
        const Interval x = k_.bounds_of(a);
        const Interval y = k_.bounds_of(b);
        Interval both;
        if (x.lo && y.lo) both.lo = is_min ? std::min(*x.lo, *y.lo) : std::max(*x.lo, *y.lo);
        if (x.hi && y.hi) both.hi = is_min ? std::min(*x.hi, *y.hi) : std::max(*x.hi, *y.hi);
        k_.narrow(atom, both, Method::Interval);
        k_.assume_ge(from_a);
        k_.assume_ge(from_b);
        k_.open({{FormClaim{scaled(from_a, -1), false}, FormClaim{gap, false}},
                 {FormClaim{scaled(from_b, -1), false}, FormClaim{scaled(gap, -1), false}}});
    }
    return m;
}

// Many nested ones are read as one, without recursion: each operand once, of those that differ by a
// constant the one that counts, and no choice between each two of them.
Form TermReader::extremum_of_many(Expr e, const std::vector<Expr>& operands) {
    const bool is_min = e->op == Op::Min;
    std::map<AtomTable::Key, Form> distinct;
    for (Expr a : operands) {
        const Form f = form(a);
        Form unshifted = f;
        unshifted.constant = 0;
        AtomTable::Key key;
        AtomTable::append(key, unshifted);
        const auto [at, is_new] = distinct.emplace(std::move(key), f);
        Int128& c = at->second.constant;
        if (!is_new) c = is_min ? std::min(c, f.constant) : std::max(c, f.constant);
    }
    if (distinct.size() == 1) return distinct.begin()->second;
    // No other key of a node has a buffer with this number.
    AtomTable::Key key{static_cast<std::int64_t>(e->op),
                       static_cast<std::int64_t>(e->type.code) * 256 + e->type.bits, 0, -2};
    for (const auto& [terms, f] : distinct) AtomTable::append(key, f);
    const int atom = q_.atoms.node(key, e, {});
    const Form m = Form::of_atom(atom);
    if (k_.mark_live(atom)) return m;
    Interval bounds = k_.bounds_of(distinct.begin()->second);
    std::vector<Conjunction> arms;
    for (const auto& [terms, f] : distinct) {
        const Interval x = k_.bounds_of(f);
        auto& near = is_min ? bounds.hi : bounds.lo;  // one bound is one of the result
        auto& far = is_min ? bounds.lo : bounds.hi;   // all are needed
        const auto& x_near = is_min ? x.hi : x.lo;
        const auto& x_far = is_min ? x.lo : x.hi;
        if (x_near && (!near || (is_min ? *x_near < *near : *x_near > *near))) near = x_near;
        if (!x_far || (far && (is_min ? *x_far < *far : *x_far > *far))) far = x_far;
    }
    k_.narrow(atom, bounds, Method::Interval);
    for (const auto& [terms, f] : distinct) {
        q_.step();
        const Form gap = is_min ? difference(f, m) : difference(m, f);
        k_.assume_ge(gap);
        arms.push_back({FormClaim{scaled(gap, -1), false}});
    }
    if (arms.size() <= kMostArms) k_.open(std::move(arms));
    return m;
}

Form TermReader::choice(Expr e) {
    const auto c = k_.truth(e->arg(0));
    if (c) return form(e->arg(*c ? 1 : 2));
    Form a = form(e->arg(1));
    const Form b = form(e->arg(2));
    if (a == b) return a;
    const int atom = node(e, range_of_result(e));
    const Form m = Form::of_atom(atom);
    if (!k_.mark_live(atom)) {
        const Interval x = k_.bounds_of(a);
        const Interval y = k_.bounds_of(b);
        Interval both;
        if (x.lo && y.lo) both.lo = std::min(*x.lo, *y.lo);
        if (x.hi && y.hi) both.hi = std::max(*x.hi, *y.hi);
        k_.narrow(atom, both, Method::Interval);
        k_.open({{Literal{e->arg(0), true}, FormClaim{difference(m, a), true}},
                 {Literal{e->arg(0), false}, FormClaim{difference(m, b), true}}});
    }
    return m;
}

// |x|; other functions of integers there are none.
Form TermReader::absolute(Expr e) {
    if (e->math_fn() != ir::MathFn::Abs || !e->type.is_exact_int()) return opaque(e);
    Form x = form(e->arg(0));
    const Interval b = k_.bounds_of(x);
    if (b.at_least(0)) return x;
    if (b.at_most(0)) return scaled(x, -1);
    const int atom = node(e, {0, {}});
    const Form m = Form::of_atom(atom);
    if (!k_.mark_live(atom)) {
        Form below = scaled(x, -1);
        below.constant = checked_add(below.constant, -1);
        k_.open({{FormClaim{x, false}, FormClaim{difference(m, x), true}},
                 {FormClaim{below, false}, FormClaim{difference(m, scaled(x, -1)), true}}});
    }
    return m;
}

Form TermReader::cast(Expr e) {
    const Expr x = e->arg(0);
    const ScalarType from = x->type;
    const ScalarType to = e->type;
    const Interval range = range_of_type(to);
    if (from.is_int()) {
        Form value = form(x);
        // What is exact stays what it is in a wider exact type, out of range or not.
        if (from.is_exact_int() && to.is_exact_int() && from.bits <= to.bits) return value;
        if (k_.bounds_of(value).within(*range.lo, *range.hi)) return value;
        const Int128 modulus = Int128{1} << to.bits;
        Form from_zero = value;
        from_zero.constant = checked_add(from_zero.constant, checked_neg(to.min_value()));
        value.add(quotient(from_zero, modulus), checked_neg(modulus));
        return value;
    }
    if (const auto v = ir::constant_value(x)) {
        const ir::Value args[] = {*v};
        const ir::Evaluated out = ir::eval_op(*e, args);
        const auto number = out.ok() ? out.value.integer().to_int128() : std::nullopt;
        if (number) return Form::of_constant(*number);
    }
    if (from.is_bool()) {
        if (const auto t = k_.truth(x)) return Form::of_constant(*t ? 1 : 0);
        const int atom = node(e, {0, 1});
        const Form m = Form::of_atom(atom);
        if (!k_.mark_live(atom)) {
            Form one = m;
            one.constant = -1;
            k_.open({{Literal{x, true}, FormClaim{one, true}},
                     {Literal{x, false}, FormClaim{m, true}}});
        }
        return m;
    }
    return Form::of_atom(node(e, range));
}

}  // namespace proviso::analysis::cheap
