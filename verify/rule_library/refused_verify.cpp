// The refused table: every entry must be refuted, and its counterexample must replay.
#include <algorithm>

#include "rewrite/expression_rules/refused.h"
#include "rewrite/expression_rules/schema.h"
#include "verify/rule_library/rule_replay.h"
#include "verify/rule_library/rule_samples.h"
#include "verify/rule_library/rules_verify.h"

namespace proviso::verify {

namespace {

// A counterexample among concrete values: for floats quicker than any solver, and the only way
// where solvers have no answer.
bool refuse_by_samples(const rewrite::RuleInstance& rule, RefusedVerdict& out) {
    constexpr int tries = 40'000;
    RuleSampler sampler(rule, 1);
    const auto wrong = find_wrong_sample(sampler, rule, tries);
    if (!wrong) return false;
    const auto sides = sampler.look(*wrong);
    out.refuted = true;
    out.replayed = true;
    out.by = "evaluator";
    out.left = sampler.in_words(sides->left);
    out.right = sampler.in_words(sides->right);
    for (std::size_t i = 0; i < sampler.variables().size(); ++i) {
        const ir::Expr v = sampler.variables()[i];
        const ir::Evaluated& e = wrong->terms[i];
        out.model.emplace_back(*v->name, e.ok() ? e.value.str(v->type) : "a fault");
    }
    return true;
}

RefusedVerdict refuse(const rewrite::RefusedRule& refused, const RulesVerifyOptions& options) {
    RefusedVerdict out;
    out.rule = refused.rule.name;
    out.kind = refused.kind;
    out.text = rewrite::rule_text(refused.rule);
    out.why = refused.rule.note;
    if (!refused.instead.empty()) out.why += "; right: " + std::string(refused.instead);

    ir::Context ctx;
    const auto kind = ir::ScalarType::parse(refused.kind);
    PROVISO_CHECK(kind.has_value(), "a refused rule for no type");
    const auto rule = rewrite::instantiate(ctx, refused.rule, *kind);
    PROVISO_CHECK(rule.ok(), "a refused rule that does not read: " + rule.error().str());

    if (kind->is_float() && refuse_by_samples(*rule, out)) return out;
    analysis::ProverOptions prover_options;
    prover_options.use_cheap = false;
    prover_options.use_cvc5 = false;
    prover_options.rlimit = std::max<std::uint64_t>(options.rlimit, 1'000'000);
    analysis::Prover prover(ctx, prover_options);
    const analysis::Answer answer = prover.prove(rewrite::rule_schema(ctx, *rule));
    out.refuted = answer.verdict == analysis::Verdict::Refuted;
    if (!out.refuted || !replay_rule(ctx, *rule, answer.model).differs) {
        refuse_by_samples(*rule, out);
        return out;
    }
    out.by = answer.by;
    out.model = named_values(answer.model);
    const RuleReplay replay = replay_rule(ctx, *rule, answer.model);
    out.replayed = replay.differs;
    out.left = replay.left_text;
    out.right = replay.right_text;
    return out;
}

}  // namespace

std::vector<RefusedVerdict> verify_refused(const RulesVerifyOptions& options) {
    std::vector<RefusedVerdict> out;
    for (const rewrite::RefusedRule& r : rewrite::refused_rules()) {
        if (options.only.empty() || r.rule.name.find(options.only) != std::string_view::npos) {
            out.push_back(refuse(r, options));
        }
    }
    return out;
}

}  // namespace proviso::verify
