#include "fuzz/folder/kinds.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "fuzz/campaign/campaign.h"
#include "fuzz/campaign/failure_files.h"
#include "fuzz/campaign/gpu_campaign.h"
#include "fuzz/campaign/simplifier_campaign.h"
#include "fuzz/folder/cause.h"

namespace proviso::fuzz {

namespace {

constexpr std::size_t kSlowestKept = 5;

CampaignFinding of_failure(const Failure& failure, std::uint64_t index, ir::Context& ctx,
                           analysis::Prover& prover) {
    CampaignFinding out;
    out.cause = cause_of(ctx, failure, prover);
    out.case_number = index;
    out.size = size_of(failure);
    out.detail = failure.finding.detail;
    out.replay = Replay::Failure;
    out.files = failure_texts(ctx, failure, prover);
    return out;
}

auto tell_failures(const CasesToRun& work) {
    return [&work](const Failure& failure, std::uint64_t index, ir::Context& ctx,
                   analysis::Prover& prover) {
        return work.found(of_failure(failure, index, ctx, prover));
    };
}

// The counts of a summary, but for what is not a count of cases.
Counts counts_without(nlohmann::json summary) {
    for (const char* name : {"seed", "cases", "time", "failures"}) summary.erase(name);
    return counts_of(summary);
}

Result<CasesDone> run_programs(CampaignOptions o, const CasesToRun& work) {
    o.first = work.first;
    o.cases = work.cases;
    o.seed = work.settings.seed;
    o.found = tell_failures(work);
    o.progress = [&](const Summary& s) { work.before(work.first + s.cases); };
    const Result<Summary> s = run_campaign(o);
    if (!s) return s.error();
    return CasesDone{s->cases, counts_without(s->json()), s->slowest};
}

Result<CasesDone> run_gpu(const CasesToRun& work) {
    GpuCampaign o;
    o.first = work.first;
    o.cases = work.cases;
    o.seed = work.settings.seed;
    o.proviso = work.proviso;
    o.found = tell_failures(work);
    o.progress = [&](const GpuReport& r) { work.before(work.first + r.cases); };
    const Result<GpuReport> r = run_gpu_campaign(o);
    if (!r) return r.error();
    return CasesDone{r->cases, counts_without(r->json()), {}};
}

Result<CasesDone> run_expressions(const CasesToRun& work) {
    SimplifierCampaign o;
    o.first = work.first;
    o.expressions = work.cases;
    o.seed = work.settings.seed;
    o.before = work.before;
    const SimplifierReport r = run_simplifier_campaign(o);
    for (const SimplifierReport::Found& f : r.told) {
        CampaignFinding finding;
        finding.cause = {"simplifier", f.kind, "", "", ""};
        finding.case_number = f.index;
        finding.size = f.detail.size();
        finding.detail = f.detail;
        finding.files = {{"report.md", "# simplifier: " + f.kind + "\n\n" + f.detail + "\n"}};
        if (const Status ok = work.found(finding); !ok) return ok.error();
    }
    nlohmann::json counts = r.json();
    for (const char* name : {"nodes_before", "nodes_after"}) counts["nodes"][name] = counts[name];
    return CasesDone{r.counts.expressions, counts_without(counts), {}};
}

// A campaign by options that do not depend on the settings.
CampaignKind of_programs(std::string name, std::string what, std::uint64_t chunk,
                         CampaignOptions (*options)()) {
    return {std::move(name),
            std::move(what),
            "program",
            chunk,
            0,
            0,
            false,
            [options](const CasesToRun& work) { return run_programs(options(), work); }};
}

}  // namespace

void CasesDone::add(const CasesDone& other) {
    cases += other.cases;
    add_counts(counts, other.counts);
    slowest.insert(slowest.end(), other.slowest.begin(), other.slowest.end());
    std::sort(slowest.rbegin(), slowest.rend());
    if (slowest.size() > kSlowestKept) slowest.resize(kSlowestKept);
}

const std::vector<CampaignKind>& campaign_kinds() {
    static const std::vector<CampaignKind> list = {
        of_programs("programs", "guessed steps, and a schedule on every third program", 500,
                    [] { return CampaignOptions{}; }),
        of_programs("schedules", "a schedule on every program", 500, schedule_campaign),
        of_programs("steps", "any rule at any site with any arguments", 200, raw_campaign),
        of_programs("forged", "accepted steps with a mistake in what they propose", 100,
                    forged_campaign),
        {"gpu", "programs on blocks and threads", "program", 100, 0, 0, false, run_gpu},
        {"expressions", "expressions for the simplifier", "expression", 10'000, 0, 0, false,
         run_expressions},
        {"planted", "planted faults: each must be caught", "fault", 1, 0, 0, true},
        {"omissions", "obligations left out: is it noticed?", "omission", 1, 0, 2000, true},
        {"hostile", "wrong proposals around planted faults", "fault", 1, 0, 400, true},
    };
    return list;
}

}  // namespace proviso::fuzz
