// shift-loop: a loop that counts from elsewhere, in a range that may be wider.
//
//   before   for i in range(lo, hi): S
//   after    for j in range(lo2, hi2): if lo <= j - d and j - d < hi: S[i := j - d]
//
// Arguments: "offset": d, "lo", "hi": the new bounds, expressions over the scope of the loop that
// read no memory; "name": of j; "guard": "none" (no iteration is new), "if", "leaf" or "block"
// (move_body).
#include <nlohmann/json.hpp>

#include "analysis/facts/path.h"
#include "rewrite/derived/derived_rule.h"
#include "rewrite/kernel/arguments.h"
#include "rewrite/rules/common.h"
#include "rewrite/rules/statement/statement_rules.h"

namespace proviso::rewrite {

using namespace ir;

namespace {

class ShiftLoop final : public RescheduleRule {
  public:
    std::string name() const override { return "shift-loop"; }
    std::string summary() const override {
        return "a loop that counts from elsewhere, guarded where its range is wider";
    }

    Result<Rescheduling> rescheduling(Context& ctx, const Function& before, const Site& site,
                                      const nlohmann::json& args) const override {
        const Result<For> loop = loop_at(before, site, name());
        if (!loop) return loop.error();
        const ScalarType type = loop->var->type;
        For moved = *loop;
        Expr offset = nullptr;
        const Scope scope = analysis::scope_at(ctx, before, site);
        for (auto [key, target] : {std::pair{"offset", &offset}, std::pair{"lo", &moved.lo},
                                   std::pair{"hi", &moved.hi}}) {
            const Result<Expr> e = arg_expr(ctx, args, key, scope, type);
            if (!e) return e.error();
            if (!is_plain(*e))
                return error("'" + std::string(key) + "' is over more than variables");
            *target = *e;
        }
        const Result<std::string> new_name = arg_string(args, "name");
        if (!new_name) return new_name.error();
        const Result<std::string> kind = arg_string(args, "guard");
        if (!kind) return kind.error();
        moved.var = ctx.var(*new_name, type);
        const bool unmoved = is_int_const(offset, 0);
        Expr index = unmoved ? moved.var : ctx.sub(moved.var, offset);
        Expr guard = ctx.and_(ctx.le(loop->lo, index), ctx.lt(index, loop->hi));
        Result<MovedBody> body = move_body(
            ctx, loop->body, Site{}.child("body"), Site{}.child("body"), guard, *kind,
            {{loop->var, index}}, {{moved.var, unmoved ? loop->var : ctx.add(loop->var, offset)}});
        if (!body) return body.error();
        moved.body = body->text;
        Rescheduling out;
        out.after = ctx.stmt(moved);
        out.parts = std::move(body->parts);
        return out;
    }
};

}  // namespace

const Rule& shift_loop_rule() {
    static const ShiftLoop rule;
    return rule;
}

}  // namespace proviso::rewrite
