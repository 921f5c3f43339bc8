#include "verify/rules_verify.h"

#include <algorithm>
#include <atomic>
#include <functional>
#include <mutex>
#include <thread>

#include "ir/text.h"
#include "rewrite/rules/rule_book.h"
#include "rewrite/rules/schema.h"
#include "verify/rule_verdict_cache.h"

namespace proviso::verify {

using analysis::Verdict;
using rewrite::RuleInstance;

namespace {

// Calls work(i) for i < n on `jobs` threads, each index once.
void in_parallel(unsigned jobs, std::size_t n, const std::function<void(std::size_t)>& work) {
    std::atomic<std::size_t> next = 0;
    const auto worker = [&] {
        for (std::size_t i = next++; i < n; i = next++) work(i);
    };
    std::vector<std::thread> threads;
    for (unsigned t = 1; t < jobs; ++t) threads.emplace_back(worker);
    worker();
    for (std::thread& t : threads) t.join();
}

analysis::ProverOptions one_solver(const RulesVerifyOptions& options, bool z3) {
    analysis::ProverOptions out;
    out.use_cheap = false;
    out.use_z3 = z3;
    out.use_cvc5 = !z3;
    out.rlimit = options.rlimit;
    out.cvc5_rlimit = options.cvc5_rlimit;
    out.wall_limit_s = options.wall_limit_s;
    return out;
}

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

RuleVerdict verify_one(const RuleInstance& rule, const RulesVerifyOptions& options,
                       RuleVerdictCache& cache) {
    ir::Context ctx;
    const analysis::Obligation schema = rewrite::rule_schema(ctx, rule);
    RuleVerdict out;
    out.rule = rule.rule->name;
    out.family = rule.rule->family;
    out.kind = rule.kind.str();
    out.obligation = analysis::obligation_id(analysis::to_smt(ctx, schema));
    if (!cache.find(out)) {
        for (const bool z3 : {true, false}) {
            analysis::Prover prover(ctx, one_solver(options, z3));
            const analysis::Answer a = prover.prove(schema);
            (z3 ? out.z3 : out.cvc5) = {a.verdict, a.why};
            if (a.verdict == Verdict::Refuted && out.model.empty())
                out.model = named_values(a.model);
        }
        cache.keep(out);
    }
    conclude(out);
    return out;
}

bool selected(const rewrite::ExpressionRule& rule, const std::string& only) {
    return only.empty() || rule.name.find(only) != std::string_view::npos ||
           rule.family.find(only) != std::string_view::npos;
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

bool RulesReport::ok() const {
    return count(RuleStatus::Refuted) == 0 &&
           std::all_of(refused.begin(), refused.end(),
                       [](const RefusedVerdict& v) { return v.refuted && v.replayed; });
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
        if (selected(*r.rule, options.only)) todo.push_back(&r);
    }
    RuleVerdictCache cache(options, report.z3_version, report.cvc5_version);
    report.rules.resize(todo.size());
    std::mutex progress_mutex;
    std::size_t done = 0;
    in_parallel(std::max(1U, options.jobs), todo.size(), [&](std::size_t i) {
        report.rules[i] = verify_one(*todo[i], options, cache);
        if (!options.progress) return;
        const std::lock_guard<std::mutex> lock(progress_mutex);
        options.progress(++done, todo.size());
    });
    return report;
}

RulesReport verify_rule_library(const RulesVerifyOptions& options) {
    RulesReport report = verify_rules(rewrite::expression_rules(), options);
    report.refused = verify_refused(options);
    return report;
}

}  // namespace proviso::verify
