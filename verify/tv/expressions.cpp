#include "verify/tv/expressions.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/facts/formula.h"
#include "ir/domains/value.h"
#include "ir/text.h"
#include "ir/well_formed.h"

namespace proviso::verify {

using namespace ir;

namespace {

// Operators that observe their operands (ir/expr.h).
bool observes(Op op) {
    switch (op) {
        case Op::FloorDiv:
        case Op::FloorMod:
        case Op::TruncDiv:
        case Op::TruncMod:
        case Op::Min:
        case Op::Max:
        case Op::Eq:
        case Op::Ne:
        case Op::Lt:
        case Op::Le:
        case Op::Cast:
        case Op::BitAnd:
        case Op::BitOr:
        case Op::BitXor:
        case Op::Shl:
        case Op::Shr:
        case Op::Math: return true;
        default: return false;
    }
}

// Operators on exact integers whose result no range holds.
bool needs_definite(Expr e) {
    if (!e->type.is_exact_int()) return false;
    switch (e->op) {
        case Op::Add:
        case Op::Sub:
        case Op::Mul:
        case Op::Neg:
        case Op::Shl:
        case Op::Math: return true;
        default: return false;
    }
}

bool is_division(Op op) {
    return op == Op::FloorDiv || op == Op::FloorMod || op == Op::TruncDiv || op == Op::TruncMod;
}

}  // namespace

void SymbolicEvaluator::step() {
    if (steps_left_ == 0) throw GivenUp{kTooManySteps};
    --steps_left_;
}

Expr SymbolicEvaluator::branch() {
    Expr out = ctx_.true_();
    for (Expr condition : path_) out = s_.both(out, condition);
    return out;
}

Expr SymbolicEvaluator::on_path(Expr e) {
    while (e->op == Op::Select) {
        Expr c = e->arg(0);
        const auto known = [&](Expr condition) {
            return std::find(path_.begin(), path_.end(), condition) != path_.end() ||
                   checked_.count(condition) != 0;
        };
        const bool holds = known(c);
        const bool fails = known(s_.opposite(c));
        if (!holds && !fails) return e;
        e = e->arg(holds ? 1 : 2);
    }
    if (checked_.empty() || !e->type.is_bool()) return e;
    if (checked_.count(e) != 0) return ctx_.true_();
    return checked_.count(s_.opposite(e)) != 0 ? ctx_.false_() : e;
}

void SymbolicEvaluator::checked(Expr condition) {
    if (!checked_.insert(condition).second || condition->op != Op::And) return;
    for (Expr part : condition->args) checked(part);
}

void SymbolicEvaluator::stop_unless(Expr condition, const std::string& message) {
    Expr where = s_.both(path(), s_.opposite(condition));
    Expr claim = s_.implies(branch(), condition);
    if (is_false(where) || checked_.count(claim) != 0) return;
    stops_.push_back(Stop{where, message});
    const bool contrary = checked_.count(s_.opposite(claim)) != 0;
    not_stopped_ = contrary ? ctx_.false_() : s_.both(not_stopped_, claim);
    checked(claim);
    checked_.insert(not_stopped_);
}

void SymbolicEvaluator::never_stops_unless(Expr condition) {
    Expr claim = s_.implies(path(), condition);
    if (is_true(claim)) return;
    never_stops_.push_back(
        Requirement{claim, "an assert that may fail in a concurrent loop, at " + site_->str()});
}

void SymbolicEvaluator::require(Expr claim, const std::string& what) {
    if (is_true(claim)) return;
    Expr whole = s_.implies(path(), claim);
    if (is_true(whole) || !required_.insert(whole).second) return;
    requirements_.push_back(Requirement{whole, what + " at " + site_->str()});
}

SymbolicValue SymbolicEvaluator::eval(Expr e) {
    step();
    switch (e->op) {
        case Op::IntImm:
        case Op::FloatImm: return {e, ctx_.true_()};
        case Op::Undef: return indet_value(ctx_, e->type);
        case Op::Var: {
            const auto found = variables.find(e);
            return found == variables.end() ? SymbolicValue{e, ctx_.true_()} : found->second;
        }
        case Op::And:
        case Op::Or:
        case Op::IfThenElse: return lazy(e);
        case Op::Let: return let(e);
        case Op::Load: return cell(e);
        case Op::CallExtern: return call(e);
        default: return strict(e);
    }
}

Expr SymbolicEvaluator::observed(Expr e, const char* what) {
    const SymbolicValue v = eval(e);
    demand(v.defined, what, " is definite");
    demand(fits(v.value), what, " is in range");
    return v.value;
}

std::int64_t SymbolicEvaluator::constant(Expr e, const char* what) {
    Expr value = on_path(observed(e, what));
    if (!is_int_const(value)) {
        throw GivenUp{"unsupported: " + std::string(what) + " '" + print(e) +
                      "' has no constant value, at " + site_->str()};
    }
    return static_cast<std::int64_t>(value->int_value());
}

std::optional<std::int64_t> SymbolicEvaluator::constant_if(Expr e) {
    if (has_op(e, Op::Load)) return std::nullopt;
    Sizes known;
    for (Expr v : free_vars(e)) {
        const auto found = variables.find(v);
        if (found != variables.end() && is_const(found->second.value)) {
            known[v] = found->second.value;
        }
    }
    const Result<std::int64_t> value = integer_of(e, known);
    return value ? std::optional(*value) : std::nullopt;
}

SymbolicValue SymbolicEvaluator::under(Expr condition, Expr e) {
    enter(condition);
    const SymbolicValue out = eval(e);
    leave();
    return out;
}

SymbolicValue SymbolicEvaluator::lazy(Expr e) {
    Expr c = observed(e->arg(0), "a condition");
    if (is_const(c)) {
        const bool truth = is_true(c);
        if (e->op == Op::And) return truth ? eval(e->arg(1)) : SymbolicValue{c, ctx_.true_()};
        if (e->op == Op::Or) return truth ? SymbolicValue{c, ctx_.true_()} : eval(e->arg(1));
        return eval(e->arg(truth ? 1 : 2));
    }
    Expr not_c = s_.opposite(c);
    if (e->op == Op::And) {
        const SymbolicValue b = under(c, e->arg(1));
        return {s_.both(c, b.value), s_.either(not_c, b.defined)};
    }
    if (e->op == Op::Or) {
        const SymbolicValue b = under(not_c, e->arg(1));
        return {s_.either(c, b.value), s_.either(c, b.defined)};
    }
    const SymbolicValue a = under(c, e->arg(1));
    const SymbolicValue b = under(not_c, e->arg(2));
    // Where one arm is indeterminate its term says nothing, and the other's will do.
    Expr value = is_false(a.defined)   ? b.value
                 : is_false(b.defined) ? a.value
                                       : s_.select(c, a.value, b.value);
    return {value, s_.select(c, a.defined, b.defined)};
}

SymbolicValue SymbolicEvaluator::bound(const SymbolicValue& value) {
    demand(s_.implies(value.defined, fits(value.value)), "a let's value", " is in range");
    if (is_true(value.defined)) return value;
    if (froze_.empty()) {
        froze_ = "a let of a value that may be indeterminate, at " + site_->str();
    }
    Expr chosen = ctx_.var("frozen value " + std::to_string(++frozen_), value.value->type);
    return {s_.select(value.defined, value.value, chosen), ctx_.true_()};
}

SymbolicValue SymbolicEvaluator::let(Expr e) {
    const SymbolicValue value = bound(eval(e->arg(0)));
    Expr var = ctx_.var(*e->name, e->var_type);
    const auto outer = variables.find(var);
    const bool shadowed = outer != variables.end();
    const SymbolicValue saved = shadowed ? outer->second : SymbolicValue{};
    variables[var] = value;
    const SymbolicValue out = eval(e->arg(1));
    if (shadowed) {
        variables[var] = saved;
    } else {
        variables.erase(var);
    }
    return out;
}

SymbolicValue SymbolicEvaluator::cell(Expr e) {
    std::vector<std::int64_t> indices;
    for (Expr index : e->args) indices.push_back(constant(index, "an index"));
    const SymbolicValue out = load(e->buffer, indices);
    return {on_path(out.value), on_path(out.defined)};
}

SymbolicValue SymbolicEvaluator::call(Expr e) {
    if (in_concurrent_loop) {
        throw GivenUp{"unsupported: an opaque call of " + *e->name + " in a concurrent loop, at " +
                      site_->str()};
    }
    std::vector<Expr> args;
    for (Expr a : e->args) args.push_back(on_path(observed(a, "an argument of an opaque call")));
    Expr where = path();
    const std::string result = fmt::format("result {} of {}", calls_.size(), *e->name);
    if (!is_false(where)) calls_.push_back(CallEvent{where, with_args(ctx_, e, args)});
    return {ctx_.var(result, e->type), ctx_.true_()};
}

// An indeterminate condition could choose either arm, so both are observed.
void SymbolicEvaluator::chooses_either(const std::vector<SymbolicValue>& args) {
    for (std::size_t k = 1; k < args.size(); ++k) {
        Expr fits = s_.implies(args[k].defined, analysis::in_range(ctx_, args[k].value));
        require(s_.either(args[0].defined, fits), "an arm that may be chosen is in range");
    }
}

// What the operator itself needs of its operands: that some are definite (ir/domains/value.h), and
// of definite ones what analysis::no_fault says of it, asked with variables for operands.
void SymbolicEvaluator::operator_conditions(Expr e, const std::vector<SymbolicValue>& args,
                                            Expr applied) {
    if (observes(e->op)) {
        for (const SymbolicValue& a : args) {
            demand(s_.implies(a.defined, fits(a.value)), "an operand", " is in range");
        }
    }
    if (is_division(e->op)) {
        demand(args[1].defined, "the divisor", " is definite");
        require(s_.make(Op::Ne, {args[1].value, zero_term(ctx_, e->type)}),
                "the divisor is not zero");
    }
    if (needs_definite(e)) {
        for (const SymbolicValue& a : args) {
            demand(a.defined, "an operand of arithmetic", " is definite");
        }
    }
    const bool shift = e->op == Op::Shl || e->op == Op::Shr;
    if (shift) {
        require(args[1].defined, "a shift count is definite");
        Expr zero = ctx_.int_imm(e->type, 0);
        Expr last = ctx_.int_imm(e->type, e->type.bits - 1);
        Expr fits =
            s_.both(s_.make(Op::Le, {zero, args[1].value}), s_.make(Op::Le, {args[1].value, last}));
        require(fits, "a shift is within the width");
    }
    if (e->op == Op::Select && e->type.is_exact_int()) chooses_either(args);
    if (is_division(e->op) && e->type.is_signed()) {
        Expr other = s_.make(Op::Ne, {args[1].value, ctx_.int_imm(e->type, -1)});
        require(s_.either(args[0].defined, other), "what is divided by -1 is definite");
    }
    if (e->op == Op::Cast && e->arg(0)->type.is_float() && e->type.is_int()) {
        require(args[0].defined, "a float that becomes an integer is definite");
    }
    if (!is_division(e->op) && e->op != Op::Cast) return;
    Expr all_defined = ctx_.true_();
    for (const SymbolicValue& a : args) all_defined = s_.both(all_defined, a.defined);
    demand(s_.implies(all_defined, defined_on_operands(e, args, applied)), "the operator",
           " is defined on its operands");
}

// What analysis::no_fault says of `e` when its operands are these values. `applied`, the operator
// on them, is what the claim depends on.
Expr SymbolicEvaluator::defined_on_operands(Expr e, const std::vector<SymbolicValue>& args,
                                            Expr applied) {
    const auto [known, is_new] = no_fault_.emplace(applied, nullptr);
    if (!is_new) return known->second;
    Substitution operands;
    std::vector<Expr> names;
    for (std::size_t k = 0; k < args.size(); ++k) {
        Expr name = ctx_.var("operand " + std::to_string(k), e->arg(k)->type);
        names.push_back(name);
        operands[name] = args[k].value;
    }
    known->second =
        rewrite_expr(ctx_, analysis::no_fault(ctx_, with_args(ctx_, e, names)), [&](Expr n) {
            const auto operand = operands.find(n);
            return operand == operands.end() ? s_.node(n) : operand->second;
        });
    return known->second;
}

Expr SymbolicEvaluator::fits(Expr value) {
    return is_const(value) || value->op == Op::Load ? ctx_.true_()
                                                    : analysis::in_range(ctx_, value);
}

// The value of an operator on constants in range where nothing needs to be required of it: most of
// what a run computes is indices. Null: there is more to it.
Expr SymbolicEvaluator::plain_integer(Expr e, const SymbolicValue& a, const SymbolicValue& b) {
    const bool constant = is_int_const(a.value) && is_int_const(b.value) && is_true(a.defined) &&
                          is_true(b.defined) && a.value->type.is_exact_int();
    if (!constant) return nullptr;
    const Int128 x = a.value->int_value();
    const Int128 y = b.value->int_value();
    Int128 out = 0;
    switch (e->op) {
        case Op::Add: out = x + y; break;
        case Op::Sub: out = x - y; break;
        case Op::Mul: out = x * y; break;
        case Op::Min: out = std::min(x, y); break;
        case Op::Max: out = std::max(x, y); break;
        case Op::FloorDiv:
        case Op::FloorMod: {
            if (y <= 0) return nullptr;
            const Int128 rest = (x % y + y) % y;
            out = e->op == Op::FloorMod ? rest : (x - rest) / y;
            break;
        }
        case Op::Lt: return ctx_.bool_imm(x < y);
        case Op::Le: return ctx_.bool_imm(x <= y);
        case Op::Eq: return ctx_.bool_imm(x == y);
        case Op::Ne: return ctx_.bool_imm(x != y);
        default: return nullptr;
    }
    return e->type.contains(out) ? ctx_.int_imm(e->type, out) : nullptr;
}

SymbolicValue SymbolicEvaluator::strict(Expr e) {
    std::vector<SymbolicValue> args;
    args.reserve(e->args.size());
    for (Expr a : e->args) {
        args.push_back(eval(a));
        args.back().value = on_path(args.back().value);
    }
    if (args.size() == 2) {
        if (Expr plain = plain_integer(e, args[0], args[1])) return {plain, ctx_.true_()};
    }
    std::vector<Expr> values;
    values.reserve(args.size());
    Expr defined = ctx_.true_();
    for (const SymbolicValue& a : args) {
        values.push_back(a.value);
        defined = s_.both(defined, a.defined);
    }
    Expr applied = with_args(ctx_, e, values);
    operator_conditions(e, args, applied);
    if (e->op == Op::Select) {
        defined = s_.both(args[0].defined, s_.select(values[0], args[1].defined, args[2].defined));
    }
    return {s_.node(applied), defined};
}

SymbolicValue SymbolicEvaluator::assumed(Expr e) {
    if (is_read_permission(e)) {
        Expr place = e->arg(0)->op == Op::Load ? e->arg(0) : e->arg(1);
        std::vector<Expr> indices;
        for (Expr index : place->args) indices.push_back(on_path(observed(index, "an index")));
        touch(place->buffer, indices);
        return {ctx_.true_(), ctx_.true_()};
    }
    if (e->op != Op::And && e->op != Op::Or) return eval(e);
    const SymbolicValue a = assumed(e->arg(0));
    require(a.defined, "an assumption is definite");
    const bool conjunction = e->op == Op::And;
    if (is_const(a.value)) {
        return is_true(a.value) == conjunction ? assumed(e->arg(1))
                                               : SymbolicValue{a.value, ctx_.true_()};
    }
    enter(conjunction ? a.value : s_.opposite(a.value));
    const SymbolicValue b = assumed(e->arg(1));
    leave();
    if (conjunction) return {s_.both(a.value, b.value), s_.either(s_.opposite(a.value), b.defined)};
    return {s_.either(a.value, b.value), s_.either(a.value, b.defined)};
}

}  // namespace proviso::verify
