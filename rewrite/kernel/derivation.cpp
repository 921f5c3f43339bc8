#include "rewrite/kernel/derivation.h"

#include <nlohmann/json.hpp>

#include "analysis/layout/layout_obligations.h"
#include "ir/planted.h"
#include "rewrite/kernel/apply.h"

namespace proviso::rewrite {

Result<Derivation> Derivation::start(const ir::Function& source,
                                     analysis::ObligationProver& prover) {
    ir::Context& ctx = prover.context();
    if (const Status ok = check_source(ctx, source); !ok) return ok.error();
    if (const Status ok = analysis::prove_layouts(ctx, source, prover); !ok) return ok.error();
    return Derivation(ctx, source);
}

void Derivation::roll_back(std::size_t count) {
    PROVISO_CHECK(count <= steps_.size(), "roll_back beyond the steps");
    steps_.resize(count);
    known_.move_to(current());
}

std::variant<ProvedStep, Rejection> Derivation::attempt(const std::string& rule_name,
                                                        const ir::Site& site,
                                                        const nlohmann::json& args,
                                                        analysis::ObligationProver& prover) const {
    Rejection no;
    no.rule = rule_name;
    no.site = site;
    no.args = args.dump();
    const auto refuse = [&](Diagnostic why) {
        no.diagnostic = std::move(why);
        return no;
    };
    auto applied = apply_step(*ctx_, known_, rule_name, site, args);
    if (NotApplied* none = std::get_if<NotApplied>(&applied)) {
        no.after = std::move(none->after);
        return refuse(std::move(none->why));
    }
    auto& proposal = std::get<Proposal>(applied);
    Step step{rule_name,        site, no.args, current(), std::move(proposal.after), {},
              proposal.licences};
    for (const analysis::Obligation& obligation : proposal.obligations) {
        if (ir::omitted(obligation.purpose.words)) continue;
        const analysis::SmtText text = analysis::to_smt(*ctx_, obligation);
        const std::string id = analysis::obligation_id(text);
        const analysis::Answer answer = prover.prove(obligation);
        if (answer.verdict != analysis::Verdict::Proved) {
            no.after = std::move(step.after);
            no.failed = obligation;
            no.failed_id = id;
            no.answer = answer;
            return refuse(error(std::string(analysis::verdict_name(answer.verdict)) + ": " +
                                obligation.purpose.words));
        }
        step.obligations.push_back(ProvedObligation{obligation, id, answer.by});
    }
    return ProvedStep(std::move(step));
}

std::optional<Rejection> Derivation::apply(const std::string& rule, const ir::Site& site,
                                           const nlohmann::json& args,
                                           analysis::ObligationProver& prover) {
    std::variant<ProvedStep, Rejection> tried = attempt(rule, site, args, prover);
    if (Rejection* no = std::get_if<Rejection>(&tried)) {
        rejections_.push_back(*no);
        return *no;
    }
    accept(std::get<ProvedStep>(std::move(tried)));
    return std::nullopt;
}

void Derivation::accept(ProvedStep proved) {
    PROVISO_CHECK(proved.step_.before == current(), "a step for another program");
    steps_.push_back(std::move(proved.step_));
    known_.move_to(current());
}

}  // namespace proviso::rewrite
