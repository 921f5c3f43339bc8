#include "verify/rule_library/mutant_cases.h"

#include <algorithm>
#include <set>

#include "ir/children.h"
#include "rewrite/expression_rules/schema.h"
#include "verify/rule_library/mutant_lemmas.h"
#include "verify/rule_library/rule_replay.h"
#include "verify/rule_library/rule_solving.h"

namespace proviso::verify {

using analysis::Verdict;
using ir::Expr;
using ir::Op;
using rewrite::RuleInstance;

namespace {

bool is_constant(Expr variable) {
    return rewrite::is_constant_slot(rewrite::slot_of(variable));
}

class Cases {
  public:
    Cases(ir::Context& ctx, const RuleInstance& rule, const RuleMutant& mutant,
          const RulesVerifyOptions& options)
        : ctx_(ctx), mutant_(mutant.rule), parts_(rule, mutant.rule), options_(options) {
        if (mutant_.where != nullptr) given_.push_back(mutant_.where);
        // Where the rule applies as well, the mutant is as right as the rule. That a term is
        // definite is none of the conditions that can be negated here.
        const auto asks_for_definite = [](const RuleInstance& r) {
            return std::any_of(r.needs.begin(), r.needs.end(),
                               [](const rewrite::Need& n) { return n.definite; });
        };
        if (mutant.conditions_only && !asks_for_definite(rule)) {
            given_.push_back(ctx.not_(ctx.all_of(conditions_of(ctx, rule))));
        }
    }

    bool proved() {
        constexpr std::size_t most_divisors = 4;
        return parts_.divisors.size() <= most_divisors && proved_from(0);
    }

  private:
    // All cases of the signs of the divisors from the k-th on, given those before.
    bool proved_from(std::size_t k) {
        if (impossible()) return true;
        if (k == parts_.divisors.size()) return proved_here();
        Expr d = parts_.divisors[k];
        Expr zero = ctx_.int_imm(d->type, 0);
        std::vector<Expr> signs{ctx_.lt(zero, d), ctx_.eq(d, zero)};
        if (d->type.is_signed()) signs.push_back(ctx_.lt(d, zero));
        return std::all_of(signs.begin(), signs.end(), [&](Expr sign) {
            const bool is_negative = sign->op == Op::Lt && sign->arg(0) == d;
            given_.push_back(sign);
            if (is_negative) negative_.push_back(d);
            const bool done = proved_from(k + 1);
            given_.pop_back();
            if (is_negative) negative_.pop_back();
            return done;
        });
    }

    RuleInstance here() const {
        RuleInstance out = mutant_;
        if (!given_.empty()) out.where = ctx_.all_of(given_);
        return out;
    }

    bool impossible() {
        analysis::ProverOptions how;
        how.use_cvc5 = false;
        how.rlimit = 20'000;
        analysis::Obligation claim{{}, conditions_of(ctx_, here()), ctx_.false_(), {}};
        for (Expr v : ir::free_vars(mutant_.left)) {
            if (!is_constant(v) && v->type.is_exact_int()) claim.unbounded.push_back(v);
        }
        return analysis::Prover(ctx_, how).prove(claim).verdict == Verdict::Proved;
    }

    bool proved_here() {
        RuleInstance rule = here();
        if (rule.kind.is_exact_int()) {
            const std::vector<LemmaSet> sets = lemma_sets(ctx_, parts_, negative_);
            for (const LemmaSet& set : sets) {
                rule.lemmas = set.lemmas;
                ir::Context fresh;
                analysis::Obligation claim = rewrite::rule_schema(fresh, rule);
                if (set.signs_outside) {
                    claim.goal = with_signs_outside(fresh, claim.goal, false);
                    for (Expr& f : claim.facts) f = with_signs_outside(fresh, f, false);
                }
                if (proved_linearised(fresh, claim, options_, true)) return true;
            }
            rule.lemmas = sets.front().lemmas;
        }
        ir::Context fresh;
        return prove_schema(fresh, rule, options_, true).verdict == Verdict::Proved;
    }

    ir::Context& ctx_;
    const RuleInstance& mutant_;
    MutantParts parts_;
    RulesVerifyOptions options_;
    std::vector<Expr> given_;     // of the case at hand
    std::vector<Expr> negative_;  // in the case at hand
};

RuleInstance at_constants(ir::Context& ctx, const RuleInstance& rule,
                          const ir::Substitution& values) {
    RuleInstance out = rule;
    out.left = ir::substitute(ctx, rule.left, values);
    out.right = ir::substitute(ctx, rule.right, values);
    if (rule.where != nullptr) out.where = ir::substitute(ctx, rule.where, values);
    for (rewrite::Need& need : out.needs) need.pattern = ir::substitute(ctx, need.pattern, values);
    out.lemmas.clear();
    return out;
}

}  // namespace

std::vector<Expr> conditions_of(ir::Context& ctx, const RuleInstance& rule) {
    std::vector<Expr> out;
    if (rule.where != nullptr) {
        out.push_back(rule.where);
        const Expr evaluates = rewrite::where_evaluates(ctx, rule.where);
        if (!ir::is_true(evaluates)) out.push_back(evaluates);
    }
    for (const rewrite::Need& need : rule.needs) {
        const ir::ScalarType type = need.pattern->type;
        if (need.definite) continue;
        if (!need.in_range) {
            out.push_back(need.pattern);
        } else if (type.is_exact_int()) {
            out.push_back(ctx.le(ctx.int_imm(type, type.min_value()), need.pattern));
            out.push_back(ctx.le(need.pattern, ctx.int_imm(type, type.max_value())));
        }
    }
    return out;
}

bool proved_by_cases(ir::Context& ctx, const RuleInstance& rule, const RuleMutant& mutant,
                     const RulesVerifyOptions& options) {
    return Cases(ctx, rule, mutant, options).proved();
}

std::optional<RefutedAtConstants> refuted_at_constants(ir::Context& ctx, const RuleMutant& mutant,
                                                       RuleSampler& sampler,
                                                       const RulesVerifyOptions& options) {
    constexpr int most_draws = 4'000;
    constexpr std::size_t most_asked = 12;
    std::set<std::string> asked;
    for (int i = 0; i < most_draws && asked.size() < most_asked; ++i) {
        const RuleSample sample = sampler.next();
        if (!sampler.look(sample)) continue;
        ir::Substitution values;
        for (std::size_t k = 0; k < sampler.variables().size(); ++k) {
            Expr v = sampler.variables()[k];
            if (is_constant(v) && v->type.is_int()) {
                values[v] = ir::constant_expr(ctx, v->type, sample.terms[k].value);
            }
        }
        const RuleInstance rule = at_constants(ctx, mutant.rule, values);
        if (values.empty() || !asked.insert(instance_text(rule)).second) continue;
        ir::Context fresh;
        const analysis::Answer answer = prove_schema(fresh, rule, options, true);
        if (answer.verdict != Verdict::Refuted) continue;
        const bool replayed = replay_rule(fresh, rule, answer.model).differs;
        return RefutedAtConstants{instance_text(rule), named_values(answer.model), answer.by,
                                  replayed};
    }
    return std::nullopt;
}

}  // namespace proviso::verify
