// Loops with a step, and what is known of the least value of an integer where it is asked.
#include <algorithm>
#include <limits>

#include "ir/text/reader/expressions/folding.h"
#include "ir/text/reader/stmt_binder.h"

namespace proviso::ir {

using python::Node;

namespace {

// a / b, rounded up; 0 < b.
Int128 quotient_up(Int128 a, Int128 b) {
    return a / b + (a % b > 0 ? 1 : 0);
}

// The numbers lo, lo + step, … below `hi`, as many as that: the distance of the two, which may be
// out of range, is not computed. Where `hi` is below `lo`, the result is not above 0.
Expr steps_between(Context& ctx, Expr lo, Expr hi, Expr step) {
    const bool from_zero = is_int_const(lo, 0);
    const Expr before = from_zero ? lo : floor_quotient(ctx, lo, step);
    const Expr first = from_zero ? lo : floor_remainder(ctx, lo, step);
    const Expr whole = minus(ctx, floor_quotient(ctx, hi, step), before);
    const Expr rest = floor_remainder(ctx, hi, step);
    if (is_int_const(rest, 0)) return whole;
    const Expr one = ctx.int_imm(whole->type, 1);
    Expr last = ctx.make(Op::Min, {minus(ctx, rest, first), one});
    if (!is_int_const(first, 0)) last = ctx.make(Op::Max, {last, ctx.int_imm(one->type, 0)});
    return plus(ctx, whole, last);
}

}  // namespace

// The loop over lo, lo + step, … as one that counts its iterations from 0; the place of its
// variable takes lo + k * step. That is what TVM makes of such a loop before it lowers it. A start
// or a step that is read from memory is bound to a name, as the body may change the memory.
Stmt StmtBinder::with_step(Stmt loop, const Node& node) {
    For out = *loop->as<For>();
    const ScalarType type = out.var->type;
    Expr step = exprs_.bind_int(node, "the step of a loop", type);
    require_definite(step, node, "this step");
    if (is_int_const(step)) {
        const Int128 number = step->int_value();
        if (number <= 0) wrong(node, "the step of a loop is above 0");
        if (!type.contains(number)) wrong(node, "this step does not fit " + type.str());
        if (number == 1) return loop;
        step = ctx_.int_imm(type, number);
    } else if (least(step).value_or(0) < 1) {
        no_meaning(node, "a step that may be 0 or negative has no meaning here",
                   "say that it is not: `T.assume(0 < step)` or `T.max(step, 1)`");
    }
    if (step->type != type) {
        if (type != kInt64 || step->type != kInt32) {
            wrong(node, "the step is " + step->type.str() + ", and the loop " + type.str(),
                  cast_hint(type));
        }
        step = widened(ctx_, step);
    }
    std::vector<std::pair<Expr, Expr>> lets;
    const auto fixed = [&](Expr e, const std::string& name) {
        if (is_plain_term(e)) return e;
        lets.emplace_back(ctx_.var(names_.unique(name), type), e);
        return lets.back().first;
    };
    const Expr start = fixed(out.lo, "start");
    step = fixed(step, "step");
    const Expr value = plus(ctx_, start, times(ctx_, out.var, step));
    out.body = substitute(ctx_, out.body, {{out.var, value}});
    if (const Expr span = span_before(start, out.hi)) {
        out.hi = plus(ctx_, floor_quotient(ctx_, span, step), ctx_.int_imm(type, 1));
    } else if (is_int_const(step) && is_int_const(start) && is_int_const(out.hi)) {
        const Int128 count =
            quotient_up(out.hi->int_value() - start->int_value(), step->int_value());
        if (!type.contains(count)) {
            wrong(node, "this loop has more iterations than " + type.str() + " counts",
                  type == kInt32 ? "bounds in int64, as in T.int64(0)" : "a larger step");
        }
        out.hi = ctx_.int_imm(type, count);
    } else {
        out.hi = steps_between(ctx_, start, fixed(out.hi, "stop"), step);
    }
    out.lo = ctx_.int_imm(type, 0);
    Stmt made = ctx_.stmt(std::move(out));
    for (std::size_t i = lets.size(); i-- > 0;) {
        made = ctx_.stmt(LetStmt{lets[i].first, lets[i].second, made});
    }
    return made;
}

// hi - lo - 1, for hi > lo the distance to the last number that a step may reach; null where it may
// leave the range of the type. It is then a fault as an operand of a division, where the loop has
// none.
Expr StmtBinder::span_before(Expr lo, Expr hi) const {
    const ScalarType type = lo->type;
    const auto most = [&](Expr e) { return is_int_const(e) ? e->int_value() : type.max_value(); };
    const Int128 largest = most(hi) - least(lo).value_or(type.min_value()) - 1;
    const Int128 smallest = least(hi).value_or(type.min_value()) - most(lo) - 1;
    if (!type.contains(largest) || !type.contains(smallest)) return nullptr;
    return minus(ctx_, minus(ctx_, hi, lo), ctx_.int_imm(type, 1));
}

// An extent of a parameter, and so not negative.
bool StmtBinder::is_shape(Expr var) const {
    if (head_ == nullptr) return false;
    return std::any_of(head_->params.begin(), head_->params.end(), [&](const Param& p) {
        const Buffer* b = std::get_if<Buffer>(&p);
        return b != nullptr && *b != nullptr &&
               std::find((*b)->shape.begin(), (*b)->shape.end(), var) != (*b)->shape.end();
    });
}

// A number that the integer is not below; nullopt where none is seen.
std::optional<Int128> StmtBinder::least(Expr e) const {
    constexpr Int128 most = std::numeric_limits<std::int64_t>::max();
    if (is_int_const(e)) return e->int_value();
    if (e->type.is_int() && !e->type.is_signed()) return 0;
    if (!e->type.is_exact_int()) return std::nullopt;
    if (e->op == Op::Var) {
        const auto known = at_least_.find(e);
        if (known != at_least_.end()) return known->second;
        return is_shape(e) ? std::optional<Int128>(0) : std::nullopt;
    }
    if (e->op == Op::Cast) {
        const ScalarType from = e->arg(0)->type;
        return from.is_int() && from.bits <= e->type.bits ? least(e->arg(0)) : std::nullopt;
    }
    if (e->args.size() < 2) return std::nullopt;
    const std::size_t first = e->op == Op::Select || e->op == Op::IfThenElse ? 1 : 0;
    const auto a = least(e->arg(first));
    const auto b = least(e->arg(first + 1));
    if (e->op == Op::Max) return a && b ? std::max(*a, *b) : (a ? a : b);
    if (e->op == Op::FloorMod && is_int_const(e->arg(1)) && e->arg(1)->int_value() > 0) return 0;
    if (!a || !b) return std::nullopt;
    switch (e->op) {
        case Op::Add: return std::min(*a + *b, most);
        case Op::Sub:
            if (is_int_const(e->arg(1))) return *a - *b;
            return std::nullopt;
        case Op::Mul:
            if (*a >= 0 && *b >= 0) return *a > 0 && *b > most / *a ? most : *a * *b;
            return std::nullopt;
        case Op::FloorDiv:
            if (is_int_const(e->arg(1)) && *a >= 0 && *b > 0) return *a / *b;
            return std::nullopt;
        case Op::Min:
        case Op::Select:
        case Op::IfThenElse: return std::min(*a, *b);
        default: return std::nullopt;
    }
}

// What holds where `cond` is `truth`: that variables are above numbers.
void StmtBinder::note_facts(Expr cond, bool truth) {
    if (cond->op == Op::Not) return note_facts(cond->arg(0), !truth);
    if (cond->op == (truth ? Op::And : Op::Or)) {
        note_facts(cond->arg(0), truth);
        note_facts(cond->arg(1), truth);
    }
    const bool less = cond->op == Op::Lt;
    if (!less && cond->op != Op::Le && !(truth && cond->op == Op::Eq)) return;
    // a < b, and not a <= b, say b + 1 or a - 1 of the other.
    Expr low = cond->arg(truth ? 0 : 1);
    Expr high = cond->arg(truth ? 1 : 0);
    const bool strict = truth ? less : !less;
    if (cond->op == Op::Eq && low->op == Op::Var) std::swap(low, high);
    if (high->op != Op::Var || !is_int_const(low)) return;
    note_least(high, low->int_value() + (strict && cond->op != Op::Eq ? 1 : 0));
}

void StmtBinder::note_least(Expr var, std::optional<Int128> value) {
    const auto old = at_least_.find(var);
    const bool known = old != at_least_.end();
    if (!value || (known && old->second >= *value)) return;
    facts_.emplace_back(var, known ? std::optional<Int128>(old->second) : std::nullopt);
    at_least_[var] = *value;
}

void StmtBinder::forget_facts(std::size_t mark) {
    for (; facts_.size() > mark; facts_.pop_back()) {
        const auto& [var, before] = facts_.back();
        if (before) {
            at_least_[var] = *before;
        } else {
            at_least_.erase(var);
        }
    }
}

Stmt StmtBinder::bind_branch(Expr cond, bool truth, const std::function<Stmt()>& bind) {
    const std::size_t mark = facts_.size();
    note_facts(cond, truth);
    Stmt out = bind();
    forget_facts(mark);
    return out;
}

Stmt StmtBinder::bind_scope_of(Expr var, Expr low, const std::function<Stmt()>& bind) {
    const std::size_t mark = facts_.size();
    note_least(var, least(low));
    Stmt out = bind();
    forget_facts(mark);
    return out;
}

}  // namespace proviso::ir
