#include "verify/check/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "analysis/prover/effort.h"
#include "analysis/smt/bit_work.h"
#include "analysis/smt/watchdog.h"
#include "verify/check/check.h"
#include "verify/tv/executor.h"

namespace proviso::verify {

int CheckReport::exit_code() const {
    switch (verdict) {
        case CheckVerdict::Proved: return 0;
        // At chosen sizes nothing is said of the others.
        case CheckVerdict::Bounded: return all_sizes ? 0 : 3;
        case CheckVerdict::Refuted: return 1;
        case CheckVerdict::Tested:
        case CheckVerdict::Unknown: return 3;
    }
    return 3;
}

namespace {

// The option of the command that raises the limit which `why` names; "" where it names none.
std::string option_for(const std::string& why) {
    const auto names = [&](const char* limit) { return why.find(limit) != std::string::npos; };
    if (names(kTooManyCells) || names(kLargeAllocation) || names("limit of cells"))
        return "--cell-limit raises it";
    if (names(kTooManySteps) || names("step limit")) return "--step-limit raises it";
    if (names("too many claims")) return "--claim-limit raises it";
    if (analysis::smt::was_stopped(why)) return analysis::smt::kMoreSeconds;
    if (analysis::smt::was_too_large(why)) return analysis::smt::kMoreMemory;
    if (names("(resource")) return "--solver-limit raises it";
    if (names(analysis::kManyOpenQuestions)) return analysis::kMoreEffort;
    return {};
}

}  // namespace

std::string with_option(const std::string& why) {
    const std::string option = option_for(why);
    return option.empty() ? why : why + " (" + option + ")";
}

bool agrees(const TvResult& r) {
    return r.verdict == TvVerdict::Bounded && !r.stops_always;
}

bool settled(const TvResult& r) {
    return r.verdict == TvVerdict::Bounded || r.faults_always;
}

std::string all_sizes_text(const std::vector<TvResult>& all) {
    constexpr std::size_t most = 24;
    const std::vector<TvResult> at(
        all.begin(), all.begin() + static_cast<std::ptrdiff_t>(std::min(all.size(), most)));
    std::string out;
    bool one = true;
    for (const TvResult& r : at) one = one && r.sizes.find(", ") == std::string::npos;
    for (const TvResult& r : at) {
        const std::size_t value = r.sizes.find(" = ");
        const bool shorter = one && !out.empty() && value != std::string::npos;
        out += out.empty() ? "" : one ? ", " : "; ";
        out += shorter ? r.sizes.substr(value + 3) : r.sizes;
    }
    if (all.size() > most) out += fmt::format(" and {} more", all.size() - most);
    return out;
}

std::vector<TvResult> those(const std::vector<TvResult>& at, bool (*which)(const TvResult&)) {
    std::vector<TvResult> out;
    for (const TvResult& r : at) {
        if (which(r)) out.push_back(r);
    }
    return out;
}

std::string CheckReport::text() const {
    std::string out = verdict_text + (what.empty() ? "" : ": " + what) + "\n";
    if (refinement) {
        return out +
               fmt::format(
                   "  a derivation by the kernel; interpreter: {} runs, {} of them "
                   "without a fault of the first program\n",
                   runs, counted + undecided) +
               weak_text();
    }
    const bool several = at.size() != 1;
    out += fmt::format("  symbolic execution: {}{}{}, {} cells, {} claims to the prover\n",
                       tv_verdict_name(symbolic.verdict),
                       symbolic.sizes.empty() || (several && symbolic.verdict == TvVerdict::Bounded)
                           ? ""
                           : " at " + symbolic.sizes,
                       symbolic.what.empty() || what.find(symbolic.what) != std::string::npos
                           ? ""
                           : " (" + with_option(symbolic.what) + ")",
                       symbolic.cells, symbolic.queries);
    if (several) out += sizes_told();
    out += fmt::format("  interpreter: {} runs, {} of them without a fault of the first program\n",
                       runs, counted + undecided);
    if (undecided > 0) {
        out +=
            fmt::format("  {} of these tell nothing: {}\n", undecided, with_option(why_undecided));
    }
    if (verdict == CheckVerdict::Bounded && !all_sizes) {
        out += "  nothing is said of other sizes\n";
    }
    constexpr std::size_t most_told = 4;
    const bool open = exit_code() == 3;
    for (std::size_t k = 0; open && k < tried.size() && k < most_told; ++k) {
        out += (k == 0 ? "  no derivation: " : "    then: ") + tried[k] + "\n";
    }
    return out;
}

// What an audit at the usual policy would refuse.
std::string CheckReport::weak_text() const {
    if (!evidence || evidence->by_one.empty()) return {};
    const std::size_t count = evidence->by_one.size();
    return fmt::format(
        "  evidence E1: one solver alone proves {} of its obligations, {}; an audit at E2 refuses "
        "the log\n",
        count, evidence->by_one.front() + (count > 1 ? ", …" : ""));
}

// Where the programs agree, where there is nothing to compare, and where nobody knows.
std::string CheckReport::sizes_told() const {
    constexpr std::size_t most = 4;  // of those that are open
    std::string out;
    const auto tell = [&](const char* label, bool (*which)(const TvResult&)) {
        const std::vector<TvResult> list = those(at, which);
        if (!list.empty()) out += fmt::format("    {}: {}\n", label, all_sizes_text(list));
    };
    const std::vector<TvResult> fine = those(at, agrees);
    const bool said = verdict_text.find(all_sizes_text(fine)) != std::string::npos;
    if (!said) tell("they agree at", agrees);
    tell("both stop, in the same way, at", [](const TvResult& r) { return r.stops_always; });
    tell("the first program faults on every run at",
         [](const TvResult& r) { return r.faults_always; });
    std::size_t open = 0;
    for (const TvResult& r : at) {
        if (settled(r)) continue;
        if (++open > most) continue;
        out += fmt::format("    {} at {}: {}\n", tv_verdict_name(r.verdict), r.sizes,
                           with_option(r.what));
    }
    if (open > most) out += fmt::format("    and {} more, see --json\n", open - most);
    if (not_looked_at > 0) {
        out += fmt::format("    {} more choices were not looked at, after {} without an answer\n",
                           not_looked_at, open);
    }
    if (left_out > 0) {
        out +=
            fmt::format("    {} more choices were left out (--sizes raises the limit)\n", left_out);
    }
    return out;
}

nlohmann::json CheckReport::json() const {
    nlohmann::json sizes = nlohmann::json::array();
    for (const TvResult& r : at) {
        nlohmann::json one = {{"sizes", r.sizes}, {"verdict", tv_verdict_name(r.verdict)}};
        if (!r.what.empty()) one["what"] = with_option(r.what);
        if (r.stops_always) one["stops_always"] = true;
        if (r.faults_always) one["faults_always"] = true;
        sizes.push_back(std::move(one));
    }
    nlohmann::json out{{"verdict", verdict_text},
                       {"what", what},
                       {"replayed", counterexample.has_value()},
                       {"exit_code", exit_code()},
                       {"symbolic",
                        {{"verdict", tv_verdict_name(symbolic.verdict)},
                         {"sizes", symbolic.sizes},
                         {"what", symbolic.what},
                         {"cells", symbolic.cells},
                         {"queries", symbolic.queries}}},
                       {"sizes", sizes},
                       {"all_sizes", all_sizes || refinement.has_value()},
                       {"sizes_left_out", left_out},
                       {"sizes_not_looked_at", not_looked_at},
                       {"runs", runs},
                       {"counted", counted},
                       {"undecided", undecided}};
    if (!axioms.empty()) out["axioms"] = axioms;
    if (ulps > 0) {
        out["ulp"] = ulps;
        out["runs_within_ulp"] = rounded;
    }
    if (refinement) {
        out["proof"] = {{"steps", refinement->steps()}};
        if (evidence) {
            out["proof"]["policy"] = evidence->policy;
            out["proof"]["by_one_solver"] = evidence->by_one;
        }
        out.erase("symbolic");  // nothing was executed so
    }
    if (!refinement && !tried.empty()) out["tried"] = tried;
    if (counterexample) {
        out["counterexample"] = {{"what", counterexample->comparison.what},
                                 {"inputs", describe(counterexample->inputs, 256)}};
    }
    return out;
}

}  // namespace proviso::verify
