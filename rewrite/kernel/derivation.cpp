#include "rewrite/kernel/derivation.h"

#include <nlohmann/json.hpp>

#include "ir/well_formed.h"
#include "rewrite/kernel/propose.h"

namespace proviso::rewrite {

Result<Derivation> Derivation::start(ir::Context& ctx, const ir::Function& source) {
    const std::vector<Diagnostic> problems = ir::well_formed(source);
    if (!problems.empty()) return problems.front();
    return Derivation(ctx, source);
}

void Derivation::roll_back(std::size_t count) {
    PROVISO_CHECK(count <= steps_.size(), "roll_back beyond the steps");
    steps_.resize(count);
    known_.move_to(current());
}

namespace {

// Planted faults of the form "omit:TEXT" leave out the obligations whose purpose contains TEXT, as
// if a rule had forgotten to state them.
bool left_out_by_planted_fault(const analysis::Obligation& obligation) {
    const std::string& fault = planted_fault();
    return fault.rfind("omit:", 0) == 0 &&
           obligation.purpose.find(fault.substr(5)) != std::string::npos;
}

}  // namespace

std::variant<Step, Rejection> Derivation::attempt(const std::string& rule_name,
                                                  const ir::Site& site, const nlohmann::json& args,
                                                  analysis::Prover& prover) const {
    Rejection no;
    no.rule = rule_name;
    no.site = site;
    no.args = args.dump();
    const auto refuse = [&](Diagnostic why) {
        no.diagnostic = std::move(why);
        return no;
    };
    const Rule* rule = find_rule(rule_name);
    if (rule == nullptr) return refuse(error("there is no rule '" + rule_name + "'"));
    if (const auto found = ir::locate(current(), site); !found) return refuse(found.error());
    Result<Proposal> proposal = propose_step(*rule, *ctx_, current(), site, args);
    if (!proposal) return refuse(proposal.error());
    // Programs are moved where they can be: a head with many layouts is long.
    const std::vector<Diagnostic> problems = known_.faults_of(proposal->after);
    if (!problems.empty()) {
        no.after = std::move(proposal->after);
        return refuse(error("the rewritten program is not well-formed: " + problems[0].message));
    }
    Step step{rule_name,         site, no.args, current(), std::move(proposal->after), {},
              proposal->licences};
    for (const analysis::Obligation& obligation : proposal->obligations) {
        if (left_out_by_planted_fault(obligation)) continue;
        const analysis::SmtText text = analysis::to_smt(*ctx_, obligation);
        const std::string id = analysis::obligation_id(text);
        const analysis::Answer answer = prover.prove(obligation);
        if (answer.verdict != analysis::Verdict::Proved) {
            no.after = std::move(step.after);
            no.failed = obligation;
            no.failed_id = id;
            no.answer = answer;
            return refuse(error(std::string(analysis::verdict_name(answer.verdict)) + ": " +
                                obligation.purpose));
        }
        step.obligations.push_back(ProvedObligation{obligation, id, answer.by});
    }
    return step;
}

std::optional<Rejection> Derivation::apply(const std::string& rule, const ir::Site& site,
                                           const nlohmann::json& args, analysis::Prover& prover) {
    std::variant<Step, Rejection> tried = attempt(rule, site, args, prover);
    if (Rejection* no = std::get_if<Rejection>(&tried)) {
        rejections_.push_back(*no);
        return *no;
    }
    accept(std::get<Step>(std::move(tried)));
    return std::nullopt;
}

void Derivation::accept(Step step) {
    PROVISO_CHECK(step.before == current(), "a step for another program");
    steps_.push_back(std::move(step));
    known_.move_to(current());
}

}  // namespace proviso::rewrite
