#include "fuzz/planted/rule_mutants.h"

#include "fuzz/campaign/failure.h"
#include "rewrite/expression_rules/schema.h"

namespace proviso::fuzz {

const std::vector<RuleMutant>& rule_mutants() {
    using Field = RuleMutant::Field;
    static const std::vector<RuleMutant> list = {
        {"floordiv-bounded", Field::Needs, "x < y", "the lower bound is forgotten"},
        {"floormod-bounded", Field::Needs, "0 <= x; x <= y", "the upper bound is off by one"},
        {"lt-scaled", Field::Where, "c0 != 0", "the factor may be negative"},
        {"le-floordiv", Field::Right, "x <= (c1 + 1) * c0", "the bound is off by one"},
        {"truncdiv-not-negative", Field::Needs, "0 < y", "truncation taken for floor"},
        {"min-scaled", Field::Where, "c0 != 0", "the factor may be negative"},
        {"floordiv-cancel-factor-sum", Field::Needs, "0 < y", "a newly observed term is not asked"},
        {"min-below-max", Field::Where, "c0 <= c1", "a comparison is turned round"},
        {"lt-offset", Field::Right, "x <= c1 - c0", "the bound is off by one"},
        {"lt-negs", Field::Right, "x < y", "the order is not turned round"},
        {"max-absorbs-min", Field::Right, "y", "the other operand is taken"},
        {"max-offset-up", Field::Right, "x", "the other operand is taken"},
    };
    return list;
}

std::optional<std::string> refuse_rule(const char* base, const RuleMutant* mutant) {
    const rewrite::ExpressionRule* original = rewrite::find_expression_rule(base);
    PROVISO_CHECK(original != nullptr, std::string("no expression rule ") + base);
    rewrite::ExpressionRule rule = *original;
    if (mutant != nullptr) {
        switch (mutant->field) {
            case RuleMutant::Field::Right: rule.right = mutant->text; break;
            case RuleMutant::Field::Where: rule.where = mutant->text; break;
            case RuleMutant::Field::Needs: rule.needs = mutant->text; break;
        }
    }
    ir::Context ctx;
    const Result<rewrite::RuleInstance> read = rewrite::instantiate(ctx, rule, ir::kInt32);
    if (!read) return "does not read: " + read.error().message;
    const analysis::Obligation schema = rewrite::rule_schema(ctx, *read);
    analysis::ProverOptions options = campaign_prover();
    options.rlimit = 2'000'000;
    analysis::Prover prover(ctx, options);
    const analysis::Answer answer = prover.prove(schema);
    if (answer.verdict == analysis::Verdict::Proved) return std::nullopt;
    return std::string(analysis::verdict_name(answer.verdict)) + ": " + schema.purpose.words;
}

}  // namespace proviso::fuzz
