#include "tools/page/derivation_data.h"

#include <map>
#include <nlohmann/json.hpp>
#include <vector>

#include "ir/text.h"
#include "tools/page/layouts.h"
#include "tools/page/record.h"
#include "verify/log/record.h"
#include "verify/log/step_lines.h"

namespace proviso::tools {

using nlohmann::json;

void add_derivation(ir::Context& ctx, const rewrite::Derivation& derivation, json& data,
                    json& texts) {
    std::map<std::string, std::size_t> check_of;
    std::vector<analysis::Obligation> claims;
    json obligations = json::array();
    for (const rewrite::Step& step : derivation.steps()) {
        for (const rewrite::ProvedObligation& o : step.obligations) {
            const auto [it, fresh] = check_of.emplace(o.id, claims.size());
            if (!fresh) continue;
            claims.push_back(o.obligation);
            obligations.push_back(verify::purpose_json(o.obligation.purpose));
            obligations.back().update(
                {{"id", o.id}, {"verdict", "PROVED"}, {"grade", 0}, {"by", o.by}});
        }
    }
    const auto check = [&](const std::string& id) { return json(check_of.at(id)); };
    data["steps"] = steps_json(verify::step_lines(derivation.source(), derivation.steps()), check);
    data["obligations"] = obligations;
    data["source"] = ir::print(derivation.source());
    data["layouts"] = layouts_json(ctx, derivation.current());
    texts =
        claims_json(claims, [&](std::size_t k) { return analysis::to_smt(ctx, claims[k]).text; });
}

}  // namespace proviso::tools
