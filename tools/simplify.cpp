// proviso simplify: the simplifier proposes, the obligations of `replace` decide.
#include <chrono>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "analysis/formula.h"
#include "rewrite/rules/common.h"
#include "rewrite/simplify/simplifier.h"
#include "tools/batch.h"
#include "tools/commands.h"
#include "tools/support.h"

namespace proviso::tools {

using nlohmann::json;

namespace {

struct Simplification {
    rewrite::Simplified found;
    analysis::Verdict verdict = analysis::Verdict::Proved;
    std::int64_t ns = 0;
};

Simplification simplify(ir::Context& ctx, const Question& q, const std::string& cache) {
    analysis::ProverOptions prover_options;
    prover_options.cache_dir = cache;
    analysis::Prover prover(ctx, prover_options);
    rewrite::Simplifier simplifier(prover);
    Simplification out;
    const auto start = std::chrono::steady_clock::now();
    out.found = simplifier.simplify(q.expr, q.given);
    out.ns = std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() -
                                                                  start)
                 .count();
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
    return {{"result", ir::print(s.found.result)},
            {"verdict", analysis::verdict_name(s.verdict)},
            {"ns", s.ns}};
}

json chain_json(const rewrite::Simplified& s) {
    json out = json::array();
    for (const rewrite::RuleApplication& a : s.chain) {
        out.push_back(
            {{"rule", a.rule}, {"before", ir::print(a.before)}, {"after", ir::print(a.after)}});
    }
    return out;
}

}  // namespace

int run_simplify(const SimplifyOptions& o) {
    if (!o.batch.empty()) {
        return run_batch(o.batch, "expr", [&](ir::Context& ctx, const Question& q, json& out) {
            const Simplification s = simplify(ctx, q, cache_folder(o.cache));
            out.update(to_json(s));
            if (o.explain) out["chain"] = chain_json(s.found);
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
    const Simplification s = simplify(ctx, *q, cache_folder(o.cache));
    if (o.json) {
        json out = to_json(s);
        if (o.explain) out["chain"] = chain_json(s.found);
        print_json(out);
        return exit_code(s.verdict);
    }
    std::printf("%s\n", ir::print(s.found.result).c_str());
    if (o.explain) {
        for (const rewrite::RuleApplication& a : s.found.chain) {
            std::printf("  %-32s %s  ->  %s\n", a.rule.c_str(), ir::print(a.before).c_str(),
                        ir::print(a.after).c_str());
        }
        std::printf("  %s\n", analysis::verdict_name(s.verdict));
    }
    if (s.verdict != analysis::Verdict::Proved) {
        std::fprintf(stderr, "%s: the result is not proved equal\n",
                     analysis::verdict_name(s.verdict));
    }
    return exit_code(s.verdict);
}

}  // namespace proviso::tools
