// reverse-loop: a loop that counts down, as one that counts up.
//
//   before   for i in range(lo, hi): S
//   after    for j in range(lo, hi): S[i := lo + hi - 1 - j]
//
// Argument: "name": of j. The iterations of a serial loop change places, so any two of them must
// not touch one cell that one of them writes.
#include <nlohmann/json.hpp>

#include "rewrite/derived/derived_rule.h"
#include "rewrite/kernel/arguments.h"
#include "rewrite/rules/common.h"
#include "rewrite/rules/statement/statement_rules.h"

namespace proviso::rewrite {

using namespace ir;

namespace {

class ReverseLoop final : public RescheduleRule {
  public:
    std::string name() const override { return "reverse-loop"; }
    std::string summary() const override { return "a loop whose iterations come in reverse"; }

    Result<Rescheduling> rescheduling(Context& ctx, const Function& before, const Site& site,
                                      const nlohmann::json& args) const override {
        const Result<For> loop = loop_at(before, site, name());
        if (!loop) return loop.error();
        const Result<std::string> new_name = arg_string(args, "name");
        if (!new_name) return new_name.error();
        const std::string what = "loop " + *loop->var->name;
        if (loop->kind == ForKind::ThreadBinding) return error(what + " is bound to threads");
        if (loop->kind == ForKind::Vectorized) return error(what + " is one of lanes");
        if (!is_plain(loop->lo) || !is_plain(loop->hi)) {
            return error("the bounds of " + what + " are over more than variables and constants");
        }
        Expr j = ctx.var(*new_name, loop->var->type);
        Expr last = last_of(ctx, *loop);
        Part part{Site{}.child("body"), Site{}.child("body"), {}, {}, nullptr};
        part.from[loop->var] = ctx.sub(last, j);
        part.to[j] = ctx.sub(last, loop->var);
        For reversed = *loop;
        reversed.var = j;
        reversed.body = substitute(ctx, loop->body, part.from);
        Rescheduling out;
        out.after = ctx.stmt(reversed);
        out.parts.push_back(std::move(part));
        const bool serial = loop->kind != ForKind::Parallel;
        if (serial) out.apart.emplace(0, 0);
        out.reason = "no order between iterations of " + *loop->var->name + " on %";
        return out;
    }

  private:
    // lo + hi - 1, folded for constants.
    static Expr last_of(Context& ctx, const For& loop) {
        const ScalarType type = loop.var->type;
        if (is_int_const(loop.lo) && is_int_const(loop.hi)) {
            const Int128 last = loop.lo->int_value() + loop.hi->int_value() - 1;
            if (type.contains(last)) return ctx.int_imm(type, last);
        }
        Expr sum = is_int_const(loop.lo, 0) ? loop.hi : ctx.add(loop.lo, loop.hi);
        return ctx.sub(sum, ctx.int_imm(type, 1));
    }
};

}  // namespace

const Rule& reverse_loop_rule() {
    static const ReverseLoop rule;
    return rule;
}

}  // namespace proviso::rewrite
