#include "rewrite/kernel/propose.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "ir/children.h"
#include "ir/planted.h"
#include "rewrite/kernel/only_members.h"

namespace proviso::rewrite {

namespace {

bool speaks_of_a_call(ir::Expr e) {
    return ir::has_op(e, ir::Op::CallExtern);
}

}  // namespace

Result<Proposal> propose_step(const Rule& rule, ir::Context& ctx, const ir::Function& before,
                              const ir::Site& site, const nlohmann::json& args) {
    try {
        if (const Status ok = only_arguments(rule.name(), args); !ok) return ok.error();
        Result<Proposal> out = rule.propose(ctx, before, site, args);
        if (!out || ir::planted("kernel:calls-are-functions")) return out;
        for (analysis::Obligation& o : out->obligations) {
            std::erase_if(o.facts, speaks_of_a_call);
            if (!speaks_of_a_call(o.goal)) continue;
            return error(
                "nothing is known of what an opaque call gives, and the step rests on it: " +
                    o.purpose,
                "bind the call's result to a name");
        }
        return out;
    } catch (const nlohmann::json::exception& e) {
        return error("the arguments are not of the form that " + rule.name() +
                     " reads: " + e.what());
    }
}

}  // namespace proviso::rewrite
