// proviso simplify: the simplifier proposes, the obligations of `replace` decide.
#include <chrono>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "analysis/formula.h"
#include "rewrite/rules/common.h"
#include "rewrite/simplify/explain.h"
#include "rewrite/simplify/simplifier.h"
#include "tools/batch.h"
#include "tools/commands.h"
#include "tools/support.h"

namespace proviso::tools {

using nlohmann::json;

namespace {

struct Simplification {
    rewrite::Simplified found;
    std::vector<std::vector<rewrite::Why>> why;  // of each link of the chain, where asked for
    analysis::Verdict verdict = analysis::Verdict::Proved;
    std::int64_t ns = 0;
};

Simplification simplify(ir::Context& ctx, const Question& q, const std::string& cache,
                        bool explain) {
    analysis::ProverOptions prover_options;
    prover_options.cache_dir = cache;
    analysis::Prover prover(ctx, prover_options);
    rewrite::SimplifyOptions options;
    options.keep_chain = explain;
    rewrite::Simplifier simplifier(prover, rewrite::RuleBook::standard(), options);
    Simplification out;
    const auto start = std::chrono::steady_clock::now();
    out.found = simplifier.simplify(q.expr, q.given);
    out.ns = std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() -
                                                                  start)
                 .count();
    for (const rewrite::RuleApplication& step : out.found.chain) {
        out.why.push_back(rewrite::explain(prover, step));
    }
    if (out.found.result == q.expr) return out;
    for (const analysis::Obligation& o :
         rewrite::replacement_obligations(ctx, q.function, q.given, q.expr, out.found.result)) {
        const analysis::Answer a = prover.prove(o);
        if (a.verdict == analysis::Verdict::Proved) continue;
        out.verdict = a.verdict;
        break;
    }
    return out;
}

int exit_code(analysis::Verdict v) {
    if (v == analysis::Verdict::Proved) return kFine;
    return v == analysis::Verdict::Refuted ? kRefuted : kUnknown;
}

json to_json(const Simplification& s) {
    json out = {{"result", ir::print(s.found.result)},
                {"size", s.found.result->size},
                {"verdict", analysis::verdict_name(s.verdict)},
                {"ns", s.ns}};
    if (!s.found.fixpoint) out["limit"] = true;
    if (s.found.contradictory) out["contradictory"] = true;
    return out;
}

json texts(const std::vector<ir::Expr>& exprs) {
    json out = json::array();
    for (ir::Expr e : exprs) out.push_back(ir::print(e));
    return out;
}

json chain_json(const Simplification& s) {
    json out = json::array();
    for (std::size_t i = 0; i < s.found.chain.size(); ++i) {
        const rewrite::RuleApplication& a = s.found.chain[i];
        json bindings = json::object();
        for (const auto& [name, value] : a.bindings) bindings[name] = ir::print(value);
        json why = json::array();
        for (const rewrite::Why& w : s.why[i]) {
            why.push_back(
                {{"condition", ir::print(w.condition)}, {"by", w.by}, {"facts", texts(w.facts)}});
        }
        out.push_back({{"rule", a.rule},
                       {"before", ir::print(a.before)},
                       {"after", ir::print(a.after)},
                       {"bindings", bindings},
                       {"conditions", why}});
    }
    return out;
}

void print_chain(const Simplification& s) {
    for (std::size_t i = 0; i < s.found.chain.size(); ++i) {
        const rewrite::RuleApplication& a = s.found.chain[i];
        std::printf("  %s: %s  ->  %s\n", a.rule.c_str(), ir::print(a.before).c_str(),
                    ir::print(a.after).c_str());
        std::string bindings;
        for (const auto& [name, value] : a.bindings) {
            bindings += (bindings.empty() ? "" : ", ") + name + " = " + ir::print(value);
        }
        if (!bindings.empty()) std::printf("    with %s\n", bindings.c_str());
        for (const rewrite::Why& w : s.why[i]) {
            std::string facts;
            for (ir::Expr f : w.facts) facts += (facts.empty() ? " from " : ", ") + ir::print(f);
            std::printf("    %s  (%s)%s\n", ir::print(w.condition).c_str(),
                        w.by.empty() ? "not by the prover alone" : w.by.c_str(), facts.c_str());
        }
    }
    std::printf("  %s\n", analysis::verdict_name(s.verdict));
}

}  // namespace

int run_simplify(const SimplifyOptions& o) {
    if (!o.batch.empty()) {
        return run_batch(o.batch, "expr", [&](ir::Context& ctx, const Question& q, json& out) {
            const Simplification s = simplify(ctx, q, cache_folder(o.cache), o.explain);
            out.update(to_json(s));
            if (o.explain) out["chain"] = chain_json(s);
            return exit_code(s.verdict);
        });
    }
    if (o.expr.empty()) {
        return bad_input(
            error("nothing to simplify", "proviso simplify '(x * 8 + 3) // 4' or --batch FILE"));
    }
    ir::Context ctx;
    const Result<Question> q = read_question(ctx, o.vars, o.given, o.expr, false);
    if (!q) return bad_input(q.error());
    const Simplification s = simplify(ctx, *q, cache_folder(o.cache), o.explain);
    if (o.json) {
        json out = to_json(s);
        if (o.explain) out["chain"] = chain_json(s);
        print_json(out);
        return exit_code(s.verdict);
    }
    std::printf("%s\n", ir::print(s.found.result).c_str());
    if (o.explain) print_chain(s);
    if (s.found.contradictory) {
        std::fprintf(stderr, "the facts contradict each other: they were not used\n");
    }
    if (!s.found.fixpoint) std::fprintf(stderr, "a limit cut the simplification short\n");
    if (s.verdict != analysis::Verdict::Proved) {
        std::fprintf(stderr, "%s: the result is not proved equal\n",
                     analysis::verdict_name(s.verdict));
    }
    return exit_code(s.verdict);
}

}  // namespace proviso::tools
