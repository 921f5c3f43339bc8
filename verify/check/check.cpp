#include "verify/check/check.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "analysis/layout/layout.h"
#include "analysis/prover/effort.h"
#include "analysis/smt/bit_work.h"
#include "analysis/smt/watchdog.h"
#include "ir/text.h"
#include "verify/check/interface.h"
#include "verify/check/report.h"
#include "verify/tv/executor.h"

namespace proviso::verify {

using namespace ir;

namespace {

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

// Looked at to the end, and what the programs leave behind is not seen to be the same.
bool differs_perhaps(const TvResult& r) {
    const auto names = [&](const char* limit) { return r.what.find(limit) != std::string::npos; };
    return r.verdict == TvVerdict::Unknown && !settled(r) && !r.sizes.empty() && !r.stops_always &&
           !names(kTooManyCells) && !names(kLargeAllocation) && !names(kTooManySteps) &&
           !names("limit");
}

std::string bounded_text(const CheckReport& report) {
    constexpr std::size_t most = 100;  // characters
    const std::vector<TvResult> fine = those(report.at, agrees);
    if (fine.size() == 1 && fine[0].sizes.empty())
        return "PROVED (for these sizes): constant extents";
    std::string list = all_sizes_text(fine);
    if (list.size() > most) list = fmt::format("{} choices of sizes", fine.size());
    return fmt::format(
        fmt::runtime(report.all_sizes ? "PROVED (for these sizes): {}" : "BOUNDED({})"), list);
}

std::string ulps_text(std::uint64_t ulps) {
    return fmt::format("floats within {} unit{} in the last place", ulps, ulps == 1 ? "" : "s");
}

// What no run shows beyond what is allowed, where floats may differ a little: no proof is looked
// for of that.
bool within_ulps(CheckReport& report) {
    if (report.ulps == 0 || report.counted == 0) return false;
    report.verdict = CheckVerdict::Tested;
    report.verdict_text = fmt::format("TESTED({}), {}", report.counted, ulps_text(report.ulps));
    report.what = report.rounded == 0
                      ? "no float differs in a run"
                      : fmt::format("some floats differ in {} of the runs", report.rounded);
    return true;
}

void conclude(CheckReport& report, const std::string& no_relation) {
    if (report.counterexample) {
        report.verdict = CheckVerdict::Refuted;
        report.verdict_text = "REFUTED";
        report.what = report.counterexample->str();
        return;
    }
    if (report.refinement) {
        report.verdict = CheckVerdict::Proved;
        report.verdict_text = "PROVED (all sizes)";
        report.what = fmt::format("{} step{}", report.refinement->steps(),
                                  report.refinement->steps() == 1 ? "" : "s");
        return;
    }
    report.verdict = CheckVerdict::Unknown;
    report.verdict_text = "UNKNOWN";
    // At sizes that the symbolic execution did not look at, `after` cannot be called.
    if (!no_relation.empty()) {
        report.what = no_relation;
        return;
    }
    // Only what the interpreter has seen refutes.
    if (report.symbolic.verdict == TvVerdict::Refuted) {
        if (within_ulps(report)) return;
        report.what = "symbolic execution sees a difference" +
                      (report.symbolic.sizes.empty() ? "" : " at " + report.symbolic.sizes) +
                      ", and no run shows it: " + report.symbolic.what;
        return;
    }
    if (report.symbolic.verdict == TvVerdict::Bounded) {
        const auto open = std::find_if(report.at.begin(), report.at.end(), differs_perhaps);
        if (open != report.at.end()) {
            if (within_ulps(report)) return;
            report.what = "perhaps they differ at " + open->sizes + ": " + with_option(open->what);
            return;
        }
        // What BEFORE assumes may contradict itself: anything would be proved then.
        if (report.runs > 0 && report.counted + report.undecided == 0) {
            report.what = "no input was found on which the first program has no fault";
            return;
        }
        report.verdict = CheckVerdict::Bounded;
        report.verdict_text = bounded_text(report);
        return;
    }
    if (within_ulps(report)) return;
    report.what = with_option(report.symbolic.what);
    if (report.counted > 0) {
        report.verdict = CheckVerdict::Tested;
        report.verdict_text = fmt::format("TESTED({})", report.counted);
        return;
    }
    const bool said = !report.why_undecided.empty() &&
                      report.symbolic.what.find(report.why_undecided) != std::string::npos;
    if (said) return;
    report.what += report.undecided > 0 || !report.why_undecided.empty()
                       ? "; runs tell nothing: " + with_option(report.why_undecided)
                       : "; no input was found on which the first program has no fault";
}

// One answer of all choices: a difference, else the agreement at some of them, else the first
// reason.
TvResult together(const std::vector<TvResult>& at) {
    TvResult out;
    const auto first = [&](auto which) { return std::find_if(at.begin(), at.end(), which); };
    const auto refuted = first([](const TvResult& r) { return r.verdict == TvVerdict::Refuted; });
    const auto agreed = first(agrees);
    const auto open = first([](const TvResult& r) { return !settled(r); });
    const auto stops = first([](const TvResult& r) { return r.stops_always; });
    if (refuted != at.end()) {
        out = *refuted;
    } else if (agreed != at.end()) {
        out = *agreed;
    } else if (open != at.end()) {
        out = *open;
    } else if (stops != at.end() && !stops->sizes.empty()) {
        out.what =
            "the first program stops on every run at the sizes that were tried (--set names "
            "others)";
    } else if (!at.empty()) {
        out = at.front();
    } else {
        out.what =
            "no sizes were found at which the first program can be called (--set names some)";
    }
    out.cells = 0;
    out.queries = 0;
    for (const TvResult& r : at) {
        out.cells += r.cells;
        out.queries += r.queries;
    }
    return out;
}

// The two programs at each choice of sizes, and with inputs.
class Checking {
  public:
    Checking(Context& ctx, const Function& before, const Function& after,
             const CheckOptions& options)
        : ctx_(ctx),
          before_(before),
          after_(after),
          options_(options),
          prover_(ctx, with_solvers(options)),
          quick_(ctx, quick_solvers(options)),
          cheap_(ctx, without_solvers()) {
        report_.ulps = options.replay.ulps;
        report_.axioms = options.axioms;
    }

    Result<CheckReport> run() {
        if (options_.derive && !differs_at_once()) {
            const Status ok = derive();
            if (!ok) return ok.error();
            if (report_.refinement || report_.counterexample) {
                return concluded();
            }
        }
        const SizeLimits limits{options_.most_sizes, options_.tv.cell_limit,
                                options_.tv.step_limit};
        const SizeChoices choices =
            choose_sizes(ctx_, before_, after_, prover_, options_.tv.sizes, limits);
        report_.left_out = choices.left_out;
        const bool symbolic = !choices.variables.empty() || !options_.tv.sizes.empty();
        // What takes little work first; then runs; and what is still open at some sizes with all
        // the work that a claim may take. (Solvers take seconds for a difference in floats that
        // some run shows at once.)
        std::vector<std::size_t> open;
        for (const Sizes& sizes : choices.chosen) {
            if (open.size() == kMostOpen) break;
            const Status ok = at(sizes, symbolic, quick_);
            if (!ok) return ok.error();
            if (decided()) break;
            if (is_open(report_.at.back())) open.push_back(report_.at.size() - 1);
        }
        report_.not_looked_at = decided() ? 0 : choices.chosen.size() - report_.at.size();
        if (!decided()) {
            const Status ok = runs({}, options_.tv.sizes, options_.replay.tries);
            if (!ok) return ok.error();
        }
        too_hard_ = false;
        for (const std::size_t k : open) {
            if (decided() || too_hard_) break;
            const Status ok = again(k, choices.chosen[k], symbolic);
            if (!ok) return ok.error();
        }
        report_.symbolic = together(report_.at);
        const bool constant = report_.at.size() == 1 && report_.at.front().sizes.empty();
        const bool every = choices.all && report_.left_out + report_.not_looked_at == 0 &&
                           std::all_of(report_.at.begin(), report_.at.end(), settled);
        report_.all_sizes = constant || every;
        return concluded();
    }

  private:
    // What is claimed is claimed under the axioms.
    CheckReport concluded() {
        conclude(report_, no_relation_);
        const bool claims = report_.verdict == CheckVerdict::Proved ||
                            report_.verdict == CheckVerdict::Bounded ||
                            report_.verdict == CheckVerdict::Tested;
        if (claims && !report_.axioms.empty()) {
            report_.verdict_text += fmt::format(", under {}", fmt::join(report_.axioms, ", "));
        }
        return std::move(report_);
    }

    static analysis::ProverOptions with_solvers(const CheckOptions& options) {
        analysis::ProverOptions out;
        out.rlimit = options.z3_rlimit;
        out.cvc5_rlimit = std::max<std::uint64_t>(1, options.z3_rlimit / kUnitsOfZ3);
        out.effort = options.effort;
        out.use_cvc5 = options.use_cvc5;
        out.wall_limit_s = options.wall_limit_s;
        out.memory_mib = options.memory_mib;
        return out;
    }
    // For what is looked at first: most of what it asks is either easy or wrong.
    static analysis::ProverOptions quick_solvers(const CheckOptions& options) {
        analysis::ProverOptions out = with_solvers(options);
        out.rlimit = std::min<std::uint64_t>(out.rlimit, kQuickUnits);
        out.use_cvc5 = false;
        return out;
    }
    static analysis::ProverOptions without_solvers() {
        analysis::ProverOptions out;
        out.use_z3 = false;
        out.use_cvc5 = false;
        return out;
    }

    // A few runs tell the programs apart: no proof is looked for.
    bool differs_at_once() {
        ReplayOptions few = options_.replay;
        few.inputs.cell_limit = options_.tv.cell_limit;
        few.tries = std::min(kRunsAtOnce, few.tries);
        const Result<ReplayResult> seen = replay(ctx_, before_, after_, {}, few);
        return seen.ok() && (seen->found || !seen->no_relation.empty());
    }

    // A derivation, and the runs that go with any answer. What no run shows to do anything is not
    // called proved: every claim about it could be.
    Status derive() {
        RefinementSearch search = find_refinement(before_, after_, quick_);
        const bool undecided = std::any_of(
            search.tried.begin(), search.tried.end(),
            [](const std::string& why) { return why.find("UNKNOWN: ") != std::string::npos; });
        if (!search.found && undecided) search = find_refinement(before_, after_, prover_);
        report_.tried = std::move(search.tried);
        if (!search.found) return Unit{};
        const Status ok = runs({}, options_.tv.sizes, options_.replay.tries);
        if (!ok) return ok.error();
        if (decided()) return Unit{};
        if (report_.counted > 0) {
            if (options_.weigh) {
                analysis::ProverOptions both = with_solvers(options_);
                both.cvc5_rlimit = analysis::ProverOptions{}.cvc5_rlimit;
                report_.evidence = evidence_of(search.found->derivation(), both);
            }
            report_.refinement = std::move(search.found);
            return Unit{};
        }
        report_.tried.emplace_back(
            "a derivation was found, but no input on which the first program has no fault");
        report_.runs = report_.counted = report_.rounded = report_.undecided = 0;
        return Unit{};
    }

    bool decided() const { return report_.counterexample || !no_relation_.empty(); }
    // Because of what claims are not decided: with more work they may be.
    static bool is_open(const TvResult& seen) {
        return seen.verdict == TvVerdict::Unknown && !seen.faults_always && seen.queries > 0;
    }

    TvResult seen_at(const Sizes& sizes, bool symbolic, analysis::Prover& prover) {
        TvOptions tv = options_.tv;
        tv.sizes = sizes;
        // Claims that were too hard at some sizes are too hard at others.
        TvResult seen =
            validate(ctx_, before_, after_, too_hard_ && symbolic ? cheap_ : prover, tv);
        too_hard_ = too_hard_ || is_open(seen);
        return seen;
    }

    Status at(const Sizes& sizes, bool symbolic, analysis::Prover& prover) {
        TvResult seen = seen_at(sizes, symbolic, prover);
        const bool open = seen.verdict == TvVerdict::Unknown && !seen.faults_always;
        const bool refuted = seen.verdict == TvVerdict::Refuted;
        std::vector<analysis::ModelValue> model = seen.model;
        report_.at.push_back(std::move(seen));
        // Runs at these very sizes; others may well agree.
        if (refuted) return runs(hints_of(ctx_, before_, model), sizes, options_.replay.tries);
        if (open && symbolic) return runs({}, sizes, kRunsAtOpenSizes, kCellsOfARun);
        return Unit{};
    }

    // Once more, with all the work that claims may take.
    Status again(std::size_t k, const Sizes& sizes, bool symbolic) {
        report_.at[k] = seen_at(sizes, symbolic, prover_);
        if (report_.at[k].verdict != TvVerdict::Refuted) return Unit{};
        const std::vector<analysis::ModelValue> model = report_.at[k].model;
        return runs(hints_of(ctx_, before_, model), sizes, options_.replay.tries);
    }

    Status runs(const std::vector<analysis::ModelValue>& hints, const Sizes& sizes,
                std::uint64_t tries, std::size_t cells = 0) {
        ReplayOptions replaying = options_.replay;
        replaying.inputs.cell_limit = std::max(options_.tv.cell_limit, cells);
        replaying.tries = std::min(tries, options_.replay.tries);
        for (const auto& [var, value] : sizes) replaying.inputs.fixed[var] = value;
        const Result<ReplayResult> seen = replay(ctx_, before_, after_, hints, replaying);
        if (!seen && seen.error().hint == kTooManyCells) {
            report_.why_undecided = kTooManyCells;
            return Unit{};
        }
        if (!seen) {
            // Inputs of these sizes cannot be made; of others perhaps.
            return &sizes == &options_.tv.sizes ? Status(seen.error()) : Status(Unit{});
        }
        report_.runs += seen->tries;
        report_.counted += seen->counted;
        report_.rounded += seen->rounded;
        report_.undecided += seen->undecided;
        if (!seen->why_undecided.empty()) report_.why_undecided = seen->why_undecided;
        if (seen->found) report_.counterexample = seen->found;
        if (!seen->no_relation.empty()) no_relation_ = seen->no_relation;
        return Unit{};
    }

    static constexpr std::uint64_t kQuickUnits = 200'000;
    static constexpr std::uint64_t kUnitsOfZ3 = 20;  // for one of cvc5
    static constexpr std::size_t kMostOpen = 16;     // choices of sizes that tell nothing
    static constexpr std::uint64_t kRunsAtOnce = 24;
    static constexpr std::uint64_t kRunsAtOpenSizes = 6;
    // A run that stops at once, at an assert about sizes, may have inputs of any size.
    static constexpr std::size_t kCellsOfARun = 1 << 20;

    Context& ctx_;
    const Function& before_;
    const Function& after_;
    const CheckOptions& options_;
    analysis::Prover prover_;
    analysis::Prover quick_;  // little work
    analysis::Prover cheap_;  // no solver
    bool too_hard_ = false;
    std::string no_relation_;
    CheckReport report_;
};

}  // namespace

Result<CheckReport> check(Context& ctx, const Function& before, const Function& after,
                          const CheckOptions& options) {
    if (const Status ok = well_formed_program(ctx, before, "before"); !ok) return ok.error();
    if (const Status ok = well_formed_program(ctx, after, "after"); !ok) return ok.error();
    if (const Status ok = same_interface(ctx, before, after); !ok) return ok.error();
    if (const Status ok = asks_no_more(before, after); !ok) return ok.error();
    return Checking(ctx, before, after, options).run();
}

}  // namespace proviso::verify
