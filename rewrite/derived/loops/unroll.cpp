// unroll: a loop with constant bounds as its iterations one after the other.
//
//   before   for i in range(1, 3): S            after   S[i := 1];  S[i := 2]
//
// Arguments: none. The loop is serial and has at most 64 iterations. What S binds has new names in
// every copy but the first.
#include <nlohmann/json.hpp>

#include "ir/planted.h"
#include "rewrite/derived/derived_rule.h"
#include "rewrite/rules/fresh_copy.h"
#include "rewrite/rules/statement/statement_rules.h"

namespace proviso::rewrite {

using namespace ir;

namespace {

constexpr Int128 kMostIterations = 64;

class Unroll final : public RescheduleRule {
  public:
    std::string name() const override { return "unroll"; }
    std::string summary() const override {
        return "a loop with constant bounds as its iterations in sequence";
    }

    Result<Rescheduling> rescheduling(Context& ctx, const Function& before, const Site& site,
                                      const nlohmann::json& args) const override {
        (void)args;
        const Result<For> loop = loop_at(before, site, name());
        if (!loop) return loop.error();
        if (loop->kind != ForKind::Serial && loop->kind != ForKind::Unrolled) {
            return error("loop " + *loop->var->name + " is not serial",
                         "its iterations have no order to be written out in: unroll a loop in it, "
                         "or leave it serial");
        }
        if (!is_int_const(loop->lo) || !is_int_const(loop->hi)) {
            return error("the bounds of " + *loop->var->name + " are not constant");
        }
        const Int128 lo = loop->lo->int_value();
        const Int128 hi = loop->hi->int_value() - (planted("unroll:one-fewer") ? 1 : 0);
        if (hi - lo > kMostIterations) {
            return error("loop " + *loop->var->name + " has more than 64 iterations");
        }
        Rescheduling out;
        std::set<std::string> used = used_names(before);
        std::vector<Stmt> copies;
        const Seq* list = loop->body->as<Seq>();
        const std::size_t each = list == nullptr ? 1 : list->body.size();
        const bool one = each == 1 && hi - lo == 1;  // no list then
        const Site body = Site{}.child("body");
        for (Int128 i = lo; i < hi; ++i) {
            Expr index = ctx.int_imm(loop->var->type, i);
            const std::size_t first = copies.size() * each;
            Stmt copy = i == lo ? loop->body : fresh_copy(ctx, loop->body, used);
            copies.push_back(substitute(ctx, copy, {{loop->var, index}}));
            for (std::size_t k = 0; k < each; ++k) {
                out.parts.push_back({one ? Site{} : Site{}.child(std::to_string(first + k)),
                                     list == nullptr ? body : body.child(std::to_string(k)),
                                     {{loop->var, index}},
                                     {},
                                     ctx.eq(index, loop->var)});
            }
        }
        if (hi <= lo) out.dropped = {body};
        out.after = ctx.seq(copies);
        return out;
    }
};

}  // namespace

const Rule& unroll_rule() {
    static const Unroll rule;
    return rule;
}

}  // namespace proviso::rewrite
