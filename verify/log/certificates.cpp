#include "verify/log/certificates.h"

#include <set>

#include "analysis/layout/layout_obligations.h"
#include "analysis/prover/prover.h"
#include "ir/text.h"

namespace proviso::verify {

using rewrite::Step;

Certificates find_certificates(ir::Context& ctx, const ir::Function& source,
                               const std::vector<Step>& steps, std::vector<std::string>* without) {
    Certificates out;
    std::set<std::string> seen;
    const auto find = [&](const analysis::Obligation& o, const std::string& of) {
        const analysis::SmtText text = analysis::to_smt(ctx, o);
        const std::string hex = ir::sha256_hex(text.text);
        if (!seen.insert(hex).second) return;
        std::string found = analysis::find_certificate(text).certificate;
        if (!found.empty()) {
            out.emplace(hex, std::move(found));
        } else if (without != nullptr) {
            without->push_back(of + ": " + o.purpose.words);
        }
    };
    for (const auto& [buffer, o] : analysis::brought_obligations(ctx, source)) {
        find(o, "layout of " + buffer);
    }
    for (const Step& step : steps) {
        for (const rewrite::ProvedObligation& o : step.obligations) {
            find(o.obligation, step.rule + " at " + step.site.str());
        }
    }
    return out;
}

}  // namespace proviso::verify
