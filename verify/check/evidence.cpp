#include "verify/check/evidence.h"

#include <set>

#include "ir/text.h"
#include "verify/log/certificates.h"

namespace proviso::verify {

Evidence evidence_of(const rewrite::Derivation& derivation, analysis::ProverOptions options) {
    Evidence out;
    ir::Context& ctx = derivation.context();
    const Certificates certified = find_certificates(ctx, derivation.source(), derivation.steps());
    options.cross_check = true;
    analysis::Prover both(ctx, options);
    std::set<std::string> seen;
    for (const rewrite::Step& step : derivation.steps()) {
        for (const rewrite::ProvedObligation& o : step.obligations) {
            const std::string hex = ir::sha256_hex(analysis::to_smt(ctx, o.obligation).text);
            if (certified.count(hex) != 0 || !seen.insert(hex).second) continue;
            const bool agree = both.prove(o.obligation).verdict == analysis::Verdict::Proved;
            std::string told =
                step.rule + " at " + step.site.str() + ": " + o.obligation.purpose.words;
            (agree ? out.by_both : out.by_one).push_back(std::move(told));
        }
    }
    if (!out.by_both.empty()) out.policy = "E2";
    if (!out.by_one.empty()) out.policy = "E1";
    return out;
}

}  // namespace proviso::verify
