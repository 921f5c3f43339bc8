#include "rewrite/kernel/apply.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "analysis/layout/layout_check.h"
#include "ir/children.h"
#include "ir/planted.h"
#include "ir/well_formed.h"
#include "rewrite/kernel/only_members.h"

namespace proviso::rewrite {

namespace {

bool speaks_of_a_call(ir::Expr e) {
    return ir::has_op(e, ir::Op::CallExtern);
}

}  // namespace

Status check_source(ir::Context& ctx, const ir::Function& source) {
    const std::vector<Diagnostic> problems = ir::well_formed(source);
    if (!problems.empty()) return problems.front();
    return analysis::check_layouts(ctx, source);
}

std::variant<Proposal, NotApplied> apply_step(ir::Context& ctx, const ir::KnownProgram& before,
                                              const std::string& name, const ir::Site& site,
                                              const nlohmann::json& args) {
    const Rule* rule = find_rule(name);
    if (rule == nullptr) return NotApplied{error("there is no rule '" + name + "'"), {}};
    if (const auto found = ir::locate(before.program(), site); !found) {
        return NotApplied{found.error(), {}};
    }
    Result<Proposal> proposal = propose_step(*rule, ctx, before.program(), site, args);
    if (!proposal) return NotApplied{proposal.error(), {}};
    const std::vector<Diagnostic> problems = before.faults_of(proposal->after);
    if (problems.empty()) return *std::move(proposal);
    // Programs are moved where they can be: a head with many layouts is long.
    return NotApplied{error("the rewritten program is not well-formed: " + problems[0].message),
                      std::move(proposal->after)};
}

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
                    o.purpose.words,
                "bind the call's result to a name");
        }
        return out;
    } catch (const nlohmann::json::exception& e) {
        return error("the arguments are not of the form that " + rule.name() +
                     " reads: " + e.what());
    }
}

}  // namespace proviso::rewrite
