#include "rewrite/rules/sequence.h"

#include <nlohmann/json.hpp>

#include "ir/well_formed.h"
#include "rewrite/kernel/apply.h"

namespace proviso::rewrite {

using namespace ir;

Move move_by(Context& ctx, const std::string& about, const std::string& rule, const Site& site,
             const nlohmann::json& args) {
    return {about, [=, &ctx](const Function& before) -> Result<Proposal> {
                const Rule* found = find_rule(rule);
                if (found == nullptr) return error("there is no rule '" + rule + "'");
                if (const auto at = locate(before, site); !at) return at.error();
                return propose_step(*found, ctx, before, site, args);
            }};
}

Status take(const Move& move, Proposal& out) {
    Result<Proposal> step = move.step(out.after);
    if (!step) return error(move.about + step.error().message, step.error().hint);
    const std::vector<Diagnostic> problems = well_formed(step->after);
    if (!problems.empty()) return error(move.about + problems[0].message);
    for (analysis::Obligation& o : step->obligations) {
        o.purpose.words = move.about + o.purpose.words;
        out.obligations.push_back(std::move(o));
    }
    for (const std::string& licence : step->licences) out.licences.push_back(licence);
    out.after = std::move(step->after);
    return Unit{};
}

Result<Proposal> in_sequence(const Function& before, const std::vector<Move>& moves) {
    Proposal out{before, {}, {}};
    for (const Move& move : moves) {
        if (const Status ok = take(move, out); !ok) return ok.error();
    }
    return out;
}

}  // namespace proviso::rewrite
