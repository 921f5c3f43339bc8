// shift-loop: a loop that counts from elsewhere, in a range that may be wider.
//
//   before   for i in range(lo, hi): S
//   after    for j in range(lo2, hi2): if lo <= j - d and j - d < hi: S[i := j - d]
//
// Arguments: "offset": d, "lo", "hi": the new bounds, expressions over the scope of the loop that
// read no memory; "name": of j; "guard": "none" (no iteration is new), "if", "leaf" (inside of the
// loops that S is a nest of), or "block" (every leaf of S is a block, whose predicate takes it).
// Obligations:
//   1. the offset and the new bounds are computed without a fault, and so is the guard;
//   2. every old iteration is visited: lo2 <= i + d < hi2 for i in range(lo, hi);
//   3. with guard "none", no other one is.
// j grows with i, so iterations keep their order; each is visited once, so a concurrent loop races
// where it did. In a new iteration the guard is false, and nothing happens. Not for thread-bound
// loops.
#include <nlohmann/json.hpp>

#include "analysis/facts.h"
#include "analysis/formula.h"
#include "analysis/path.h"
#include "rewrite/kernel/arguments.h"
#include "rewrite/rules/common.h"
#include "rewrite/rules/loop_guard.h"
#include "rewrite/rules/statement/statement_rules.h"

namespace proviso::rewrite {

using namespace ir;
using namespace analysis;

namespace {

// The three expressions that a user gives.
struct Shift {
    Expr offset = nullptr;
    Expr lo = nullptr;
    Expr hi = nullptr;
};

Result<Shift> read_shift(Context& ctx, const Function& f, const Site& site,
                         const nlohmann::json& args, ScalarType type) {
    const Scope scope = scope_at(ctx, f, site);
    Shift out;
    for (auto [key, target] :
         {std::pair{"offset", &out.offset}, std::pair{"lo", &out.lo}, std::pair{"hi", &out.hi}}) {
        const Result<Expr> e = arg_expr(ctx, args, key, scope, type);
        if (!e) return e.error();
        for (Op op : {Op::Load, Op::CallExtern, Op::Undef, Op::Let, Op::Same, Op::Defined}) {
            if (has_op(*e, op))
                return error("'" + std::string(key) + "' is over more than variables");
        }
        *target = *e;
    }
    return out;
}

class ShiftLoop final : public Rule {
  public:
    std::string name() const override { return "shift-loop"; }
    std::string summary() const override {
        return "a loop that counts from elsewhere, guarded where its range is wider";
    }

    Result<Proposal> propose(Context& ctx, const Function& before, const Site& site,
                             const nlohmann::json& args) const override {
        const Result<Located> at = locate(before, site);
        if (!at) return at.error();
        const For* loop = at->as<For>();
        if (loop == nullptr) return error("shift-loop works on a loop");
        if (loop->kind == ForKind::ThreadBinding) return error("the loop is bound to threads");
        const ScalarType type = loop->var->type;
        const Result<Shift> shift = read_shift(ctx, before, site, args, type);
        if (!shift) return shift.error();
        const Result<std::string> new_name = arg_string(args, "name");
        if (!new_name) return new_name.error();
        const Result<std::string> kind = arg_string(args, "guard");
        if (!kind) return kind.error();
        for (Expr e : {loop->lo, loop->hi}) {  // the guard evaluates them in each iteration
            const Status same = stays_the_same(e, loop->body, "a bound");
            if (!same) return same.error();
        }
        Expr j = ctx.var(*new_name, type);
        const bool unmoved = is_int_const(shift->offset, 0);
        Expr index = unmoved ? j : ctx.sub(j, shift->offset);
        Expr guard = ctx.and_(ctx.le(loop->lo, index), ctx.lt(index, loop->hi));
        const Result<Stmt> body =
            guarded_body(ctx, substitute(ctx, loop->body, {{loop->var, index}}), guard, *kind);
        if (!body) return body.error();
        Proposal out;
        For moved = *loop;
        moved.var = j;
        moved.lo = shift->lo;
        moved.hi = shift->hi;
        moved.body = *body;
        out.after = replace_at(ctx, before, site, ctx.stmt(moved));
        std::vector<Expr> facts = facts_at(ctx, before, site);
        for (Expr bound : {loop->lo, loop->hi}) {
            Expr evaluated = evaluated_bound(ctx, bound);
            if (!is_true(evaluated)) facts.push_back(evaluated);
        }
        owed(ctx, *loop, *shift, j, guard, *kind == "none", facts, out.obligations);
        if (*kind == "block" || *kind == "leaf") {
            bounds_stay_safe(ctx, out.after, *body, site.child("body"), out.obligations);
            out.after = with_claims_that_hold(ctx, out.after, *body, site);
        }
        return out;
    }

  private:
    static void owed(Context& ctx, const For& loop, const Shift& shift, Expr j, Expr guard,
                     bool unguarded, const std::vector<Expr>& facts, std::vector<Obligation>& out) {
        const auto claim = [&](std::string what, const std::vector<Expr>& more, Expr goal) {
            if (is_true(goal)) return;
            std::vector<Expr> known = facts;
            append(known, more);
            out.push_back(Obligation{std::move(what), std::move(known), goal});
        };
        std::vector<Expr> fine;
        for (Expr e : {shift.offset, shift.lo, shift.hi}) {
            append(fine, {no_fault(ctx, e), in_range(ctx, e)});
        }
        claim("the new bounds are computed without a fault", {}, ctx.all_of(fine));
        Expr image = ctx.add(loop.var, shift.offset);
        claim("every iteration is visited", range_facts(ctx, loop.var, loop.lo, loop.hi),
              ctx.all_of(range_facts(ctx, image, shift.lo, shift.hi)));
        const std::vector<Expr> inside = range_facts(ctx, j, shift.lo, shift.hi);
        if (unguarded) {
            claim("no other iteration is visited", inside, guard);
        } else {
            claim("the guard is computed without a fault", inside, no_fault(ctx, guard));
        }
    }
};

}  // namespace

const Rule& shift_loop_rule() {
    static const ShiftLoop rule;
    return rule;
}

}  // namespace proviso::rewrite
