// reverse-loop: a loop that counts down, as one that counts up.
//
//   before   for i in range(lo, hi): S
//   after    for j in range(lo, hi): S[i := lo + hi - 1 - j]
//
// Argument: "name": of j. The bounds are over variables and constants. In a serial loop S has no
// assert (which of several stops first would depend on the order) and makes no opaque call (their
// order is observable). Not for loops of lanes or bound to threads, nor around threads: what is
// proved of barriers between their phases speaks of the order of the iterations.
// Obligations, of a serial loop: any two iterations touch no common cell that one of them writes
// (race_free.h). Then each sees the memory that it saw before, whatever ran in between, so it
// faults only where it did and stores the same values; and of two that store to one cell there are
// none. A concurrent loop's iterations have no order to keep.
// lo + hi - 1 - j takes each value in range(lo, hi) once, and is in the range of its type, as i is.
#include <nlohmann/json.hpp>

#include "analysis/path.h"
#include "ir/children.h"
#include "ir/planted.h"
#include "rewrite/kernel/arguments.h"
#include "rewrite/rules/common.h"
#include "rewrite/rules/race_free.h"
#include "rewrite/rules/statement/statement_rules.h"

namespace proviso::rewrite {

using namespace ir;
using namespace analysis;

namespace {

class ReverseLoop final : public Rule {
  public:
    std::string name() const override { return "reverse-loop"; }
    std::string summary() const override { return "a loop whose iterations come in reverse"; }

    Result<Proposal> propose(Context& ctx, const Function& before, const Site& site,
                             const nlohmann::json& args) const override {
        const Result<Located> at = locate(before, site);
        if (!at) return at.error();
        const For* loop = at->stmt == nullptr ? nullptr : at->stmt->as<For>();
        if (loop == nullptr) return error("reverse-loop works on a loop");
        const Result<std::string> name = arg_string(args, "name");
        if (!name) return name.error();
        const Status fits = shape(*loop);
        if (!fits) return fits.error();
        const ScalarType type = loop->var->type;
        Expr j = ctx.var(*name, type);
        Expr index = ctx.sub(last_of(ctx, *loop), j);
        Proposal out;
        For reversed = *loop;
        reversed.var = j;
        reversed.body = substitute(ctx, loop->body, {{loop->var, index}});
        out.after = replace_at(ctx, before, site, ctx.stmt(reversed));
        if (is_serial(*loop)) {
            out.obligations =
                iterations_share_nothing(ctx, before, site, "no order between iterations of");
        }
        return out;
    }

  private:
    static bool is_serial(const For& loop) {
        return loop.kind == ForKind::Serial || loop.kind == ForKind::Unrolled;
    }

    static Status shape(const For& loop) {
        const std::string what = "loop " + *loop.var->name;
        if (loop.kind == ForKind::ThreadBinding) return error(what + " is bound to threads");
        if (loop.kind == ForKind::Vectorized) return error(what + " is one of lanes");
        if (!loop.var->type.is_exact_int()) return error(what + " counts in a type that wraps");
        for (Expr bound : {loop.lo, loop.hi}) {
            for (Op op : {Op::Load, Op::CallExtern, Op::Undef, Op::Let}) {
                if (!has_op(bound, op)) continue;
                return error("the bounds of " + what +
                             " are over more than variables and constants");
            }
        }
        bool around_threads = false;
        for_each_stmt(loop.body, [&](Stmt s) {
            const For* inner = s->as<For>();
            around_threads |= inner != nullptr && inner->kind == ForKind::ThreadBinding;
        });
        if (around_threads) return error(what + " stands around threads");
        if (!is_serial(loop)) return Unit{};
        if (contains_assert(loop.body)) return error(what + " contains an assert");
        if (contains_extern_call(loop.body)) return error(what + " makes an opaque call");
        return Unit{};
    }

    // lo + hi - 1, folded for constants.
    static Expr last_of(Context& ctx, const For& loop) {
        const ScalarType type = loop.var->type;
        const Int128 one = planted("reverse-loop:one-too-far") ? 0 : 1;
        if (is_int_const(loop.lo) && is_int_const(loop.hi)) {
            const Int128 last = loop.lo->int_value() + loop.hi->int_value() - one;
            if (type.contains(last)) return ctx.int_imm(type, last);
        }
        Expr sum = is_int_const(loop.lo, 0) ? loop.hi : ctx.add(loop.lo, loop.hi);
        return ctx.sub(sum, ctx.int_imm(type, one));
    }
};

}  // namespace

const Rule& reverse_loop_rule() {
    static const ReverseLoop rule;
    return rule;
}

}  // namespace proviso::rewrite
