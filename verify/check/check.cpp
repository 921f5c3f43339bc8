#include "verify/check/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "analysis/layout_check.h"
#include "ir/text.h"
#include "ir/well_formed.h"

namespace proviso::verify {

using namespace ir;

int CheckReport::exit_code() const {
    switch (verdict) {
        // At chosen sizes nothing is said of the others.
        case CheckVerdict::Bounded: return symbolic.sizes.empty() ? 0 : 3;
        case CheckVerdict::Refuted: return 1;
        case CheckVerdict::Tested:
        case CheckVerdict::Unknown: return 3;
    }
    return 3;
}

namespace {

// A parameter as callers of the program know it.
std::string parameter_text(Context& ctx, const Function& f, const Param& p) {
    if (const Expr* scalar = std::get_if<Expr>(&p)) {
        return *(*scalar)->name + ": " + (*scalar)->type.str();
    }
    const Buffer b = std::get<Buffer>(p);
    const std::vector<analysis::Layout> layouts = analysis::layouts_of(ctx, f, b->name);
    const std::vector<Expr> shape = layouts.empty()
                                        ? std::vector<Expr>(b->shape.begin(), b->shape.end())
                                        : layouts.front().logical_shape;
    std::string out = b->name + ": " + b->type.str() + "(";
    for (std::size_t d = 0; d < shape.size(); ++d) out += (d > 0 ? ", " : "") + print(shape[d]);
    return out + ")";
}

Status same_interface(Context& ctx, const Function& before, const Function& after) {
    const auto list = [&](const Function& f) {
        std::vector<std::string> out;
        out.reserve(f.params.size());
        for (const Param& p : f.params) out.push_back(parameter_text(ctx, f, p));
        return out;
    };
    const std::vector<std::string> a = list(before);
    const std::vector<std::string> b = list(after);
    for (std::size_t k = 0; k < std::max(a.size(), b.size()); ++k) {
        const std::string was = k < a.size() ? a[k] : "nothing";
        const std::string is = k < b.size() ? b[k] : "nothing";
        if (was == is) continue;
        return error(fmt::format("parameter {} is {} before and {} after", k + 1, was, is),
                     "check compares programs of one interface; a change of layout needs its "
                     "relation (attribute proviso.layout)");
    }
    return Unit{};
}

Status well_formed_program(Context& ctx, const Function& f, const char* which) {
    std::vector<Diagnostic> problems = well_formed(f);
    if (problems.empty()) {
        const Status layouts = analysis::check_layouts(ctx, f);
        if (layouts) return Unit{};
        problems.push_back(layouts.error());
    }
    problems.front().message = std::string(which) + ": " + problems.front().message;
    return problems.front();
}

// Values of the symbolic execution's counterexample as hints: its cells are those of the tensors
// that callers know, under the names of the parameters.
std::vector<analysis::ModelValue> hints_of(Context& ctx, const Function& before,
                                           const std::vector<analysis::ModelValue>& model) {
    std::vector<analysis::ModelValue> out;
    for (analysis::ModelValue v : model) {
        if (v.expr == nullptr) continue;
        if (v.expr->op == Op::Load) {
            const Buffer mine = before.find_buffer_param(v.expr->buffer->name);
            const bool plain =
                mine != nullptr && analysis::layouts_of(ctx, before, mine->name).empty();
            if (!plain) continue;
            v.expr = ctx.load(mine, {v.expr->args.begin(), v.expr->args.end()});
        }
        out.push_back(v);
    }
    return out;
}

void conclude(CheckReport& report, const std::string& no_relation) {
    if (report.counterexample) {
        report.verdict = CheckVerdict::Refuted;
        report.verdict_text = "REFUTED";
        report.replayed = true;
        report.what = report.counterexample->str();
        return;
    }
    switch (report.symbolic.verdict) {
        case TvVerdict::Bounded:
            // At sizes that the symbolic execution did not look at, `after` cannot be called.
            if (!no_relation.empty()) break;
            report.verdict = CheckVerdict::Bounded;
            report.verdict_text =
                "BOUNDED(" +
                (report.symbolic.sizes.empty() ? "constant extents" : report.symbolic.sizes) + ")";
            return;
        case TvVerdict::Refuted:
            report.verdict = CheckVerdict::Refuted;
            report.verdict_text = "REFUTED";
            report.what = report.symbolic.what + " (not replayed)";
            return;
        case TvVerdict::Unknown: break;
    }
    report.what = no_relation.empty() ? report.symbolic.what : no_relation;
    if (report.counted > 0 && no_relation.empty()) {
        report.verdict = CheckVerdict::Tested;
        report.verdict_text = fmt::format("TESTED({})", report.counted);
    } else {
        report.verdict = CheckVerdict::Unknown;
        report.verdict_text = "UNKNOWN";
        if (!no_relation.empty()) return;
        report.what += report.undecided > 0
                           ? "; runs tell nothing: " + report.why_undecided
                           : "; no input was found on which the first program has no fault";
    }
}

}  // namespace

Result<CheckReport> check(Context& ctx, const Function& before, const Function& after,
                          const CheckOptions& options) {
    if (const Status ok = well_formed_program(ctx, before, "before"); !ok) return ok.error();
    if (const Status ok = well_formed_program(ctx, after, "after"); !ok) return ok.error();
    if (const Status ok = same_interface(ctx, before, after); !ok) return ok.error();
    CheckReport report;
    analysis::ProverOptions limits;
    limits.rlimit = options.z3_rlimit;
    limits.use_cvc5 = options.use_cvc5;
    analysis::Prover prover(ctx, limits);
    report.symbolic = validate(ctx, before, after, prover, options.tv);
    ReplayOptions replaying = options.replay;
    std::vector<analysis::ModelValue> hints;
    if (report.symbolic.verdict == TvVerdict::Refuted) {
        hints = hints_of(ctx, before, report.symbolic.model);
        // The sizes at which it was refuted; others may well agree.
        for (const auto& [var, value] : options.tv.sizes) replaying.inputs.fixed[var] = value;
    }
    const Result<ReplayResult> runs = replay(ctx, before, after, hints, replaying);
    if (!runs) return runs.error();
    report.runs = runs->tries;
    report.counted = runs->counted;
    report.undecided = runs->undecided;
    report.why_undecided = runs->why_undecided;
    report.counterexample = runs->found;
    conclude(report, runs->no_relation);
    return report;
}

std::string CheckReport::text() const {
    std::string out = verdict_text + (what.empty() ? "" : ": " + what) + "\n";
    out += fmt::format(
        "  symbolic execution: {}{}{}, {} cells, {} claims to the prover\n",
        tv_verdict_name(symbolic.verdict), symbolic.sizes.empty() ? "" : " at " + symbolic.sizes,
        symbolic.what.empty() ? "" : " (" + symbolic.what + ")", symbolic.cells, symbolic.queries);
    out += fmt::format("  interpreter: {} runs, {} of them without a fault of the first program\n",
                       runs, counted + undecided);
    if (undecided > 0) {
        out += fmt::format("  {} of these tell nothing: {}\n", undecided, why_undecided);
    }
    return out;
}

nlohmann::json CheckReport::json() const {
    nlohmann::json out{{"verdict", verdict_text},
                       {"what", what},
                       {"replayed", replayed},
                       {"exit_code", exit_code()},
                       {"symbolic",
                        {{"verdict", tv_verdict_name(symbolic.verdict)},
                         {"sizes", symbolic.sizes},
                         {"what", symbolic.what},
                         {"cells", symbolic.cells},
                         {"queries", symbolic.queries}}},
                       {"runs", runs},
                       {"counted", counted},
                       {"undecided", undecided}};
    if (counterexample) {
        out["counterexample"] = {{"what", counterexample->comparison.what},
                                 {"inputs", describe(counterexample->inputs, 256)}};
    }
    return out;
}

}  // namespace proviso::verify
