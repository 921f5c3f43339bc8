// proviso prove: is the goal true wherever the facts are?
#include <chrono>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "analysis/prover.h"
#include "rewrite/schedule/advice.h"
#include "tools/batch.h"
#include "tools/commands.h"
#include "tools/support.h"

namespace proviso::tools {

using nlohmann::json;

namespace {

int exit_code(analysis::Verdict v) {
    switch (v) {
        case analysis::Verdict::Proved: return kFine;
        case analysis::Verdict::Refuted: return kRefuted;
        case analysis::Verdict::Unknown: return kUnknown;
    }
    return kInternal;
}

analysis::ProverOptions prover_options(const ProveOptions& o) {
    analysis::ProverOptions out;
    out.cross_check = o.cross_check;
    out.cache_dir = cache_folder(o.cache);
    return out;
}

int answer(ir::Context& ctx, const Question& q, const ProveOptions& o, json& out) {
    analysis::Prover prover(ctx, prover_options(o));
    const auto start = std::chrono::steady_clock::now();
    const analysis::Answer a = prover.prove(q.given, q.expr);
    const auto ns = std::chrono::duration_cast<std::chrono::nanoseconds>(
                        std::chrono::steady_clock::now() - start)
                        .count();
    out["verdict"] = analysis::verdict_name(a.verdict);
    out["by"] = a.by;
    json model = json::object();
    for (const analysis::ModelValue& v : a.model) {
        model[v.name] = v.value == nullptr ? "undefined" : ir::print(v.value);
    }
    out["model"] = model;
    if (a.verdict == analysis::Verdict::Unknown) out["why"] = a.why;
    out["ns"] = ns;
    // A contradictory context proves anything: say so. Not part of the time to the answer.
    if (a.verdict == analysis::Verdict::Proved && !q.given.empty() &&
        prover.prove(q.given, ctx.false_()).verdict == analysis::Verdict::Proved) {
        out["vacuous"] = true;
    }
    return exit_code(a.verdict);
}

}  // namespace

int run_prove(const ProveOptions& o) {
    if (!o.batch.empty()) {
        return run_batch(o.batch, "goal", [&](ir::Context& ctx, const Question& q, json& out) {
            return answer(ctx, q, o, out);
        });
    }
    if (o.goal.empty())
        return bad_input(error("nothing to prove", "proviso prove 'x + 1 > x' or --batch FILE"));
    ir::Context ctx;
    const Result<Question> q = read_question(ctx, o.vars, o.given, o.goal, true);
    if (!q) return bad_input(q.error());
    if (o.smt) {
        const analysis::SmtText text = analysis::to_smt(ctx, {"prove", q->given, q->expr});
        if (!text.supported) return bad_input(error("no encoding: " + text.why));
        std::printf("%s", text.text.c_str());
        return kFine;
    }
    json out = json::object();
    const int code = answer(ctx, *q, o, out);
    if (o.json) {
        print_json(out);
        return code;
    }
    std::printf("%s", out["verdict"].get<std::string>().c_str());
    const auto by = out["by"].get<std::string>();
    if (!by.empty()) std::printf(" by %s", by.c_str());
    if (out.contains("why")) std::printf(" (%s)", out["why"].get<std::string>().c_str());
    if (out.contains("vacuous")) std::printf(" (the facts contradict each other)");
    std::printf("\n");
    for (const auto& [name, value] : out["model"].items()) {
        std::printf("  %s = %s\n", name.c_str(), value.get<std::string>().c_str());
    }
    return code;
}

}  // namespace proviso::tools
