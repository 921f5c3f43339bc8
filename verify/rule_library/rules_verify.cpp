#include "verify/rule_library/rules_verify.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>

#include "ir/text.h"
#include "rewrite/expression_rules/laws.h"
#include "rewrite/expression_rules/rule_book.h"
#include "rewrite/expression_rules/schema.h"
#include "verify/in_parallel.h"
#include "verify/rule_library/rule_solving.h"
#include "verify/rule_library/rule_verdict_cache.h"

namespace proviso::verify {

using analysis::Verdict;
using rewrite::RuleInstance;

namespace {

void conclude(RuleVerdict& v) {
    const auto proved = [](const SolverVerdict& s) { return s.verdict == Verdict::Proved; };
    const auto refuted = [](const SolverVerdict& s) { return s.verdict == Verdict::Refuted; };
    if (proved(v.z3) && proved(v.cvc5)) {
        v.status = RuleStatus::Proved;
    } else if ((refuted(v.z3) && proved(v.cvc5)) || (proved(v.z3) && refuted(v.cvc5))) {
        v.status = RuleStatus::Open;
        v.reason = "solvers disagree";
    } else if (refuted(v.z3) || refuted(v.cvc5)) {
        v.status = RuleStatus::Refuted;
    } else {
        v.status = RuleStatus::Open;
        if (!proved(v.z3)) v.reason = "z3: " + v.z3.why;
        if (!proved(v.cvc5)) v.reason += (v.reason.empty() ? "cvc5: " : "; cvc5: ") + v.cvc5.why;
    }
}

void keep(RuleVerdict& out, analysis::Answer a, bool z3) {
    (z3 ? out.z3 : out.cvc5) = {a.verdict, a.why};
    if (a.verdict == Verdict::Refuted && out.model.empty()) out.model = named_values(a.model);
}

RuleVerdict described(const RuleInstance& rule) {
    RuleVerdict out;
    out.rule = rule.rule->name;
    out.family = rule.rule->family;
    out.kind = rule.kind.str();
    return out;
}

RuleVerdict verify_one(const RuleInstance& rule, const RulesVerifyOptions& options,
                       RuleVerdictCache& cache) {
    RuleVerdict out = described(rule);
    out.obligation = schema_id(rule);
    if (cache.find(out)) {
        conclude(out);
        return out;
    }
    out = verify_instance(rule, options);
    cache.keep(out);
    return out;
}

RuleVerdict verify_law(const rewrite::Law& law, const RulesVerifyOptions& options,
                       RuleVerdictCache& cache) {
    ir::Context ctx;
    const analysis::Obligation claim = rewrite::law_obligation(ctx, law, ir::kInt64);
    RuleVerdict out;
    out.rule = "law " + std::string(law.name);
    out.family = "laws";
    out.obligation = analysis::obligation_id(analysis::to_smt(ctx, claim));
    if (!cache.find(out)) {
        for (const bool z3 : {true, false}) keep(out, prove_law(ctx, claim, options, z3), z3);
        cache.keep(out);
    }
    conclude(out);
    return out;
}

bool selected(const rewrite::ExpressionRule& rule, const RulesVerifyOptions& options) {
    return (options.family.empty() || rule.family == options.family) &&
           (options.only.empty() || rule.name.find(options.only) != std::string_view::npos);
}

// A rule that uses laws is as good as they are.
void hold_to_laws(const RuleInstance& rule, const std::vector<RuleVerdict>& laws, RuleVerdict& v) {
    if (rule.lemmas.empty() || v.status != RuleStatus::Proved) return;
    for (const RuleVerdict& law : laws) {
        if (law.status == RuleStatus::Proved) continue;
        v.status = RuleStatus::Open;
        v.reason = law.rule + " is not proved";
    }
}

}  // namespace

NamedValues named_values(const std::vector<analysis::ModelValue>& model) {
    NamedValues out;
    for (const analysis::ModelValue& v : model) {
        std::string text = v.out_of_range;
        if (text.empty()) text = v.value == nullptr ? "indet" : ir::print(v.value);
        out.emplace_back(v.name, std::move(text));
    }
    return out;
}

const char* rule_status_name(RuleStatus status) {
    switch (status) {
        case RuleStatus::Proved: return "PROVED";
        case RuleStatus::Open: return "OPEN";
        case RuleStatus::Refuted: return "REFUTED";
    }
    return "";
}

std::size_t RulesReport::count(RuleStatus status) const {
    return static_cast<std::size_t>(std::count_if(
        rules.begin(), rules.end(), [&](const RuleVerdict& v) { return v.status == status; }));
}

std::string RulesReport::figure() const {
    return fmt::format("{} of {} instantiations proved", count(RuleStatus::Proved), rules.size());
}

bool RulesReport::ok() const {
    return count(RuleStatus::Refuted) == 0 &&
           std::all_of(laws.begin(), laws.end(),
                       [](const RuleVerdict& v) { return v.status == RuleStatus::Proved; }) &&
           std::all_of(refused.begin(), refused.end(),
                       [](const RefusedVerdict& v) { return v.refuted && v.replayed; });
}

std::string schema_id(const RuleInstance& rule) {
    ir::Context ctx;
    return analysis::obligation_id(analysis::to_smt(ctx, rewrite::rule_schema(ctx, rule)));
}

RuleVerdict verify_instance(const RuleInstance& rule, const RulesVerifyOptions& options) {
    ir::Context ctx;
    RuleVerdict out = described(rule);
    out.obligation =
        analysis::obligation_id(analysis::to_smt(ctx, rewrite::rule_schema(ctx, rule)));
    for (const bool z3 : {true, false}) keep(out, prove_schema(ctx, rule, options, z3), z3);
    conclude(out);
    return out;
}

RulesReport verify_rules(std::span<const rewrite::ExpressionRule> rules,
                         const RulesVerifyOptions& options) {
    RulesReport report;
    report.table_digest = rewrite::rule_table_digest();
    report.z3_version = analysis::z3_version();
    report.cvc5_version = analysis::cvc5_version();
    const rewrite::RuleBook book(rules);
    std::vector<const RuleInstance*> todo;
    for (const RuleInstance& r : book.instances()) {
        if (selected(*r.rule, options)) todo.push_back(&r);
    }
    RuleVerdictCache cache(options, report.z3_version, report.cvc5_version);
    // Laws rest on one another, so all of them, or none.
    const bool use_laws = std::any_of(todo.begin(), todo.end(),
                                      [](const RuleInstance* r) { return !r->lemmas.empty(); });
    const auto laws = use_laws ? rewrite::laws() : std::span<const rewrite::Law>();
    report.laws.resize(laws.size());
    in_parallel(std::max(1U, options.jobs), laws.size(),
                [&](std::size_t i) { report.laws[i] = verify_law(laws[i], options, cache); });
    report.rules.resize(todo.size());
    std::mutex progress_mutex;
    std::size_t done = 0;
    in_parallel(std::max(1U, options.jobs), todo.size(), [&](std::size_t i) {
        report.rules[i] = verify_one(*todo[i], options, cache);
        hold_to_laws(*todo[i], report.laws, report.rules[i]);
        if (!options.progress) return;
        const std::lock_guard<std::mutex> lock(progress_mutex);
        options.progress(++done, todo.size());
    });
    return report;
}

RulesReport verify_rule_library(const RulesVerifyOptions& options) {
    RulesReport report = verify_rules(rewrite::expression_rules(), options);
    if (options.family.empty()) report.refused = verify_refused(options);
    return report;
}

}  // namespace proviso::verify
