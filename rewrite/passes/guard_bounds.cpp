#include "rewrite/passes/guard_bounds.h"

#include <algorithm>

#include "analysis/facts/path.h"
#include "ir/hint.h"
#include "rewrite/simplify/linear_form.h"

namespace proviso::rewrite {

using namespace ir;

namespace {

void leaves_of(Expr e, bool disjuncts, std::vector<Expr>& out) {
    if (is_hint(e)) return leaves_of(e->arg(0), disjuncts, out);
    if (e->op == Op::And || (disjuncts && e->op == Op::Or)) {
        leaves_of(e->arg(0), disjuncts, out);
        leaves_of(e->arg(1), disjuncts, out);
        return;
    }
    out.push_back(e);
}

// coefficient * var + rest <= 0
struct Inequality {
    Int128 coefficient = 0;
    Expr rest = nullptr;
};

std::optional<Inequality> inequality(Context& ctx, Expr less, Expr more, bool strict, Expr var,
                                     const std::set<Expr>& outer) {
    if (less->type != var->type) return std::nullopt;
    LinearForm form = linear_form(ctx, ctx.sub(less, more));
    if (strict) form.constant = checked_add(form.constant, 1);
    Inequality out;
    LinearForm rest{form.type, {}, form.constant};
    for (const LinearTerm& t : form.terms) {
        if (t.monomial == var) {
            out.coefficient = t.coefficient;
            continue;
        }
        for (Op op : {Op::Load, Op::CallExtern, Op::Undef, Op::Let}) {
            if (has_op(t.monomial, op)) return std::nullopt;
        }
        for (Expr v : free_vars(t.monomial)) {
            if (v == var || outer.count(v) == 0) return std::nullopt;
        }
        rest.terms.push_back(t);
    }
    out.rest = to_expr(ctx, rest);
    if (out.rest == nullptr || out.coefficient == 0) return std::nullopt;
    return out;
}

// coefficient * var + rest <= 0 as var < bound (coefficient > 0) or bound <= var.
Expr bound_of(Context& ctx, const Inequality& q) {
    const ScalarType type = q.rest->type;
    const Int128 k = q.coefficient > 0 ? q.coefficient : -q.coefficient;
    if (!type.contains(k)) return nullptr;
    Expr divisor = ctx.int_imm(type, k);
    Expr one = ctx.int_imm(type, 1);
    if (is_int_const(q.rest)) {
        const Int128 r = q.rest->int_value();
        const auto floor = [&](Int128 x) { return x >= 0 ? x / k : -((-x + k - 1) / k); };
        const Int128 bound = q.coefficient > 0 ? floor(-r) + 1 : floor(r + k - 1);
        return type.contains(bound) ? ctx.int_imm(type, bound) : nullptr;
    }
    if (q.coefficient > 0) {
        Expr negated = to_expr(ctx, linear_form(ctx, q.rest, -1));
        if (negated == nullptr) return nullptr;
        Expr quotient = k == 1 ? negated : ctx.floordiv(negated, divisor);
        return to_expr(ctx, linear_form(ctx, ctx.add(quotient, one)));
    }
    if (k == 1) return q.rest;
    return ctx.floordiv(ctx.add(q.rest, ctx.int_imm(type, k - 1)), divisor);
}

struct Bound {
    Expr at = nullptr;
    bool upper = false;
};

// Bounds from one comparison; with `negated`, from its opposite.
std::vector<Bound> bounds_of(Context& ctx, Expr e, Expr var, const std::set<Expr>& outer,
                             bool negated = false) {
    std::vector<Bound> out;
    const auto add = [&](Expr less, Expr more, bool strict) {
        try {
            const auto q = inequality(ctx, less, more, strict, var, outer);
            Expr at = q ? bound_of(ctx, *q) : nullptr;
            if (at != nullptr) out.push_back(Bound{at, q->coefficient > 0});
        } catch (const TooLarge&) {
            return;  // no bound is guessed
        }
    };
    if (is_hint(e)) return bounds_of(ctx, e->arg(0), var, outer, negated);
    if (e->op == Op::Not) return bounds_of(ctx, e->arg(0), var, outer, !negated);
    if (e->op == Op::Lt || e->op == Op::Le) {
        if (!e->arg(0)->type.is_int()) return out;
        if (negated) {
            add(e->arg(1), e->arg(0), e->op == Op::Le);
        } else {
            add(e->arg(0), e->arg(1), e->op == Op::Lt);
        }
    }
    if (e->op == (negated ? Op::Ne : Op::Eq) && e->arg(0)->type.is_int()) {
        add(e->arg(0), e->arg(1), false);
        add(e->arg(1), e->arg(0), false);
    }
    return out;
}

// Guards within guards, from the outside in.
class GuardsWithin {
  public:
    explicit GuardsWithin(Context& ctx) : ctx_(ctx) {}

    std::vector<BodyGuard> found;

    // False: something is done under no guard.
    bool visit(Stmt s, const Site& site, const Substitution& values) {
        if (const IfElse* n = s->as<IfElse>(); n != nullptr && n->else_body == nullptr) {
            return under(substitute(ctx_, n->cond, values), site.child("cond"),
                         [&] { return visit(n->then_body, site.child("then"), values); });
        }
        if (const Block* n = s->as<Block>()) {
            Substitution inner = values;
            for (const BlockIter& i : n->iters) inner[i.var] = substitute(ctx_, i.binding, values);
            const auto inside = [&] {
                return (n->init == nullptr || visit(n->init, site.child("init"), inner)) &&
                       visit(n->body, site.child("body"), inner);
            };
            if (is_true(n->predicate)) return inside();
            return under(substitute(ctx_, n->predicate, values), site.child("predicate"), inside);
        }
        if (const LetStmt* n = s->as<LetStmt>()) {
            Substitution inner = values;
            inner[n->var] = substitute(ctx_, n->value, values);
            return visit(n->body, site.child("body"), inner);
        }
        if (s->is<Store>() || s->is<Assert>()) return false;
        for (const Child& c : children(s)) {
            if (c.stmt != nullptr && !visit(c.stmt, site.child(c.label), values)) return false;
        }
        return true;
    }

  private:
    template <class Inside>
    bool under(Expr condition, const Site& site, const Inside& inside) {
        const std::size_t outside = found.size();
        around_.push_back(condition);
        if (!inside()) {
            found.resize(outside);
            found.push_back(BodyGuard{ctx_.all_of(around_), site});
        }
        around_.pop_back();
        return true;
    }

    Context& ctx_;
    std::vector<Expr> around_;
};

constexpr std::size_t kMostCombinations = 8;  // of the ends of inner loops

// Conditions in a statement, each under all values that what is bound inside may have.
class Conditions {
  public:
    Conditions(Context& ctx, std::vector<Expr>& out) : ctx_(ctx), out_(out) {}

    void visit(Stmt s, std::vector<Substitution> values) {
        if (const IfElse* n = s->as<IfElse>()) add(n->cond, values);
        if (const For* n = s->as<For>()) bind_ends(*n, values);
        if (const LetStmt* n = s->as<LetStmt>()) bind(n->var, n->value, values);
        if (const Block* n = s->as<Block>()) {
            for (const BlockIter& iter : n->iters) bind(iter.var, iter.binding, values);
            if (!is_true(n->predicate)) add(n->predicate, values);
        }
        for (const Child& c : children(s)) {
            if (c.stmt != nullptr) {
                visit(c.stmt, values);
            } else if (c.expr != nullptr) {
                for_each_node(c.expr, [&](Expr n) {
                    if (n->op == Op::IfThenElse) add(n->arg(0), values);
                });
            }
        }
    }

  private:
    void add(Expr condition, const std::vector<Substitution>& values) {
        for (const Substitution& v : values) {
            Expr here = substitute(ctx_, condition, v);
            if (std::find(out_.begin(), out_.end(), here) == out_.end()) out_.push_back(here);
        }
    }

    void bind(Expr var, Expr value, std::vector<Substitution>& values) const {
        for (Substitution& v : values) v[var] = substitute(ctx_, value, v);
    }

    void bind_ends(const For& loop, std::vector<Substitution>& values) const {
        const std::size_t before = values.size();
        if (before * 2 > kMostCombinations) return;
        Expr last = ctx_.sub(loop.hi, ctx_.int_imm(loop.var->type, 1));
        for (std::size_t k = 0; k < before; ++k) {
            values.push_back(values[k]);
            values.back()[loop.var] = substitute(ctx_, last, values[k]);
            values[k][loop.var] = substitute(ctx_, loop.lo, values[k]);
        }
    }

    Context& ctx_;
    std::vector<Expr>& out_;
};

}  // namespace

GuardBounds guard_bounds(Context& ctx, Expr condition, Expr var, const std::set<Expr>& outer) {
    std::vector<Expr> leaves;
    leaves_of(condition, false, leaves);
    GuardBounds out;
    for (Expr leaf : leaves) {
        for (const Bound& b : bounds_of(ctx, leaf, var, outer)) {
            (b.upper ? out.his : out.los).push_back(b.at);
        }
    }
    return out;
}

std::vector<Expr> turning_points(Context& ctx, Expr condition, Expr var,
                                 const std::set<Expr>& outer) {
    std::vector<Expr> leaves;
    leaves_of(condition, true, leaves);
    std::vector<Expr> out;
    for (Expr leaf : leaves) {
        for (const Bound& b : bounds_of(ctx, leaf, var, outer)) {
            if (std::find(out.begin(), out.end(), b.at) == out.end()) out.push_back(b.at);
        }
    }
    return out;
}

std::optional<std::vector<BodyGuard>> body_guards(Context& ctx, Stmt body, const Site& site) {
    GuardsWithin guards(ctx);
    if (!guards.visit(body, site, {}) || guards.found.empty()) return std::nullopt;
    return std::move(guards.found);
}

std::vector<Expr> conditions_in(Context& ctx, Stmt s) {
    std::vector<Expr> out;
    Conditions(ctx, out).visit(s, {Substitution{}});
    return out;
}

std::set<Expr> variables_at(Context& ctx, const Function& f, const Site& site) {
    std::set<Expr> out;
    for (const auto& [name, var] : analysis::scope_at(ctx, f, site).vars) out.insert(var);
    return out;
}

}  // namespace proviso::rewrite
