#include "verify/rule_library/mutants_verify.h"

#include <algorithm>
#include <mutex>

#include "analysis/prover/prover.h"
#include "rewrite/expression_rules/schema.h"
#include "verify/in_parallel.h"
#include "verify/rule_library/mutant_cases.h"
#include "verify/rule_library/rule_replay.h"
#include "verify/rule_library/rule_samples.h"
#include "verify/rule_library/rule_solving.h"

namespace proviso::verify {

using analysis::Verdict;
using ir::Expr;
using rewrite::RuleInstance;

namespace {

constexpr int kFewTries = 1'000;
constexpr int kManyTries = 12'000;
constexpr int kMostTries = 250'000;  // half a second; a few mutants come so far

std::uint64_t seed_of(const std::string& text) {  // FNV-1a
    std::uint64_t h = 14695981039346656037ULL;
    for (const char c : text) h = (h ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
    return h;
}

RulesVerifyOptions budget() {
    RulesVerifyOptions out;
    out.rlimit = 400'000;
    out.cvc5_rlimit = 100'000;
    out.wall_limit_s = 4;
    return out;
}

RulesVerifyOptions budget_of_a_case() {
    RulesVerifyOptions out = budget();
    out.rlimit = 1'500'000;
    return out;
}

class Trial {
  public:
    Trial(ir::Context& ctx, const RuleInstance& rule, const RuleMutant& mutant)
        : ctx_(ctx), rule_(rule), mutant_(mutant), sampler_(mutant.rule, seed_of(mutant.text)) {}

    void judge(MutantVerdict& out) {
        if (wrong_on_samples(out, kFewTries) || narrower(out) || by_solver(out, true) ||
            wrong_on_samples(out, kManyTries) || by_cases(out) || at_constants(out) ||
            wrong_on_samples(out, kMostTries)) {
            return;
        }
        by_solver(out, false);
    }

  private:
    bool wrong_on_samples(MutantVerdict& out, int tries) {
        const auto wrong = find_wrong_sample(sampler_, mutant_.rule, tries);
        if (!wrong) return false;
        const auto sides = sampler_.look(*wrong);
        out.fate = MutantFate::Evaluated;
        out.how = sampler_.str(*wrong) + ": left " + sampler_.in_words(sides->left) + ", right " +
                  sampler_.in_words(sides->right);
        return true;
    }

    // The sides are the rule's, and it asks for no less: right where the rule is.
    bool narrower(MutantVerdict& out) {
        if (!mutant_.conditions_only) return false;
        // Conditions on values say nothing of definiteness.
        const auto definite = [](const RuleInstance& r) {
            return std::count_if(r.needs.begin(), r.needs.end(),
                                 [](const rewrite::Need& n) { return n.definite; });
        };
        if (definite(mutant_.rule) != definite(rule_)) return false;
        analysis::Obligation claim{
            {}, conditions_of(ctx_, mutant_.rule), ctx_.all_of(conditions_of(ctx_, rule_)), {}};
        for (Expr v : sampler_.variables()) {
            const bool term = !rewrite::is_constant_slot(rewrite::slot_of(v));
            if (term && v->type.is_exact_int()) claim.unbounded.push_back(v);
        }
        analysis::ProverOptions how;
        how.use_cvc5 = false;
        how.rlimit = 100'000;
        const analysis::Answer answer = analysis::Prover(ctx_, how).prove(claim);
        if (answer.verdict != Verdict::Proved) return false;
        out.fate = MutantFate::Valid;
        out.how = "it asks for no less than the rule (" + answer.by + ")";
        return true;
    }

    bool by_solver(MutantVerdict& out, bool z3) {
        ir::Context fresh;
        const analysis::Answer answer = prove_schema(fresh, mutant_.rule, budget(), z3);
        if (answer.verdict == Verdict::Proved) {
            out.fate = MutantFate::Valid;
            out.how = "proved by " + answer.by;
            return true;
        }
        if (answer.verdict == Verdict::Unknown) {
            out.how +=
                (out.how.empty() ? "" : "; ") + std::string(z3 ? "z3: " : "cvc5: ") + answer.why;
            return false;
        }
        out.fate = MutantFate::Solver;
        out.how = answer.by + ":";
        for (const auto& [name, value] : named_values(answer.model)) {
            out.how += " " + name + " = " + value;
        }
        if (!mutant_.rule.licensed("reassociate")) {
            out.replayed = replay_rule(fresh, mutant_.rule, answer.model).differs;
        }
        return true;
    }

    bool by_cases(MutantVerdict& out) {
        if (!proved_by_cases(ctx_, rule_, mutant_, budget_of_a_case())) return false;
        out.fate = MutantFate::Valid;
        out.how = "proved by z3, case by case of the divisors' signs";
        return true;
    }

    bool at_constants(MutantVerdict& out) {
        const auto found = refuted_at_constants(ctx_, mutant_, sampler_, budget());
        if (!found) return false;
        out.fate = MutantFate::Solver;
        out.how = found->by + ", " + found->at + ":";
        for (const auto& [name, value] : found->model) out.how += " " + name + " = " + value;
        out.replayed = found->replayed;
        return true;
    }

    ir::Context& ctx_;
    const RuleInstance& rule_;
    const RuleMutant& mutant_;
    RuleSampler sampler_;
};

std::vector<MutantVerdict> verify_mutants_of(const rewrite::ExpressionRule& rule) {
    ir::Context ctx;
    const auto instance = rewrite::instantiate(ctx, rule, home_kind(rule));
    PROVISO_CHECK(instance.ok(), "a rule that does not read: " + std::string(rule.name));
    std::vector<MutantVerdict> out;
    for (const RuleMutant& mutant : mutants_of(ctx, *instance)) {
        MutantVerdict v;
        v.rule = rule.name;
        v.family = rule.family;
        v.kind = instance->kind.str();
        v.slip = mutant.slip;
        v.text = mutant.text;
        Trial(ctx, *instance, mutant).judge(v);
        out.push_back(std::move(v));
    }
    return out;
}

}  // namespace

std::size_t MutantReport::count(MutantFate fate) const {
    return static_cast<std::size_t>(std::count_if(
        mutants.begin(), mutants.end(), [&](const MutantVerdict& v) { return v.fate == fate; }));
}

MutantReport verify_mutants(std::span<const rewrite::ExpressionRule> rules,
                            const MutantOptions& options) {
    std::vector<const rewrite::ExpressionRule*> todo;
    for (const rewrite::ExpressionRule& r : rules) {
        const bool chosen = (options.family.empty() || r.family == options.family) &&
                            (options.rule.empty() || r.name == options.rule);
        if (chosen) todo.push_back(&r);
    }
    std::vector<std::vector<MutantVerdict>> found(todo.size());
    std::mutex progress_mutex;
    std::size_t done = 0;
    in_parallel(std::max(1U, options.jobs), todo.size(), [&](std::size_t i) {
        found[i] = verify_mutants_of(*todo[i]);
        if (!options.progress) return;
        const std::lock_guard<std::mutex> lock(progress_mutex);
        options.progress(++done, todo.size());
    });
    MutantReport out;
    out.rules = todo.size();
    for (const auto& list : found) {
        if (&list == &found.front() || list.size() < out.fewest) out.fewest = list.size();
        out.mutants.insert(out.mutants.end(), list.begin(), list.end());
    }
    return out;
}

}  // namespace proviso::verify
