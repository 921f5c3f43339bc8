#include "fuzz/folder/kinds.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

#include "backend/gpu/drivers/gpu_host.h"
#include "fuzz/campaign/campaign.h"
#include "fuzz/campaign/failure_files.h"
#include "fuzz/campaign/gpu_campaign.h"
#include "fuzz/campaign/gpu_failure.h"
#include "fuzz/campaign/simplifier_campaign.h"
#include "fuzz/folder/cause.h"

namespace proviso::fuzz {

namespace {

constexpr std::size_t kSlowestKept = 5;
constexpr const char* kProbe = "extern \"C\" int proviso_probe() { return 1; }\n";
// Failures of a chunk with one cause that are made smaller, which takes its time. With more, which
// ones are kept depends on the size of a chunk.
constexpr std::uint64_t kSmallerOfACause = 32;

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

// Which failures of a chunk are told.
class Wanted {
  public:
    auto ask() {
        return [this](const Failure& failure, ir::Context& ctx, analysis::Prover& prover) {
            return seen_[cause_of(ctx, failure, prover)]++ < kSmallerOfACause;
        };
    }
    // Says how many were not.
    void add_to(Counts& counts) const {
        std::uint64_t over = 0;
        for (const auto& [cause, n] : seen_) over += n - std::min(n, kSmallerOfACause);
        if (over > 0) counts["findings_passed_over"] += over;
    }

  private:
    std::map<FoundCause, std::uint64_t> seen_;  // causes before they are made smaller
};

// The counts of a summary, but for what is not a count of cases.
Counts counts_without(nlohmann::json summary) {
    for (const char* name : {"seed", "cases", "time", "failures"}) summary.erase(name);
    return counts_of(summary);
}

Result<CasesDone> run_programs(CampaignOptions o, const CasesToRun& work) {
    o.first = work.first;
    o.cases = work.cases;
    o.seed = work.settings.seed;
    if (work.settings.inputs != 0) o.runs = static_cast<int>(work.settings.inputs);
    Wanted wanted;
    o.wanted = wanted.ask();
    o.found = tell_failures(work);
    o.guide = work.guide;
    o.reached = work.reached;
    o.progress = [&](const Summary& s) { work.before(work.first + s.cases); };
    const Result<Summary> s = run_campaign(o);
    if (!s) return s.error();
    CasesDone out{s->cases, counts_without(s->json()), s->slowest};
    wanted.add_to(out.counts);
    return out;
}

Result<CasesDone> run_gpu(const CasesToRun& work) {
    GpuCampaign o;
    o.first = work.first;
    o.cases = work.cases;
    o.seed = work.settings.seed;
    o.proviso = work.proviso;
    Wanted wanted;
    o.wanted = wanted.ask();
    o.found = [tell = tell_failures(work)](const Failure& failure, std::uint64_t index,
                                           ir::Context& ctx, analysis::Prover& prover) -> Status {
        // Where nothing can be compiled, kernels that were not are no finding.
        const GpuFolder folder;
        const auto probe = backend::gpu::compile_for_host(kProbe, folder.path());
        return probe ? tell(failure, index, ctx, prover) : Status(probe.error());
    };
    o.progress = [&](const GpuReport& r) { work.before(work.first + r.cases); };
    const Result<GpuReport> r = run_gpu_campaign(o);
    if (!r) return r.error();
    CasesDone out{r->cases, counts_without(r->json()), {}};
    wanted.add_to(out.counts);
    return out;
}

// Of each cause those that are kept, whatever else there is.
std::vector<CampaignFinding> smallest(std::vector<CampaignFinding> all) {
    std::vector<std::pair<std::string, CampaignFinding>> by_id;
    for (CampaignFinding& f : all) {
        std::string id = f.id();
        by_id.emplace_back(std::move(id), std::move(f));
    }
    std::sort(by_id.begin(), by_id.end(), [](const auto& a, const auto& b) {
        return std::tie(a.second.cause, a.second.size, a.first, a.second.case_number) <
               std::tie(b.second.cause, b.second.size, b.first, b.second.case_number);
    });
    std::map<FoundCause, std::set<std::string>> seen;
    std::vector<CampaignFinding> out;
    for (auto& [id, f] : by_id) {
        std::set<std::string>& ids = seen[f.cause];
        if (ids.size() < kKeptOfACause && ids.insert(id).second) out.push_back(std::move(f));
    }
    return out;
}

Result<CasesDone> run_expressions(const CasesToRun& work) {
    SimplifierCampaign o;
    o.first = work.first;
    o.expressions = work.cases;
    o.seed = work.settings.seed;
    o.before = work.before;
    o.shrink_all = true;
    o.most_findings = work.cases;
    const SimplifierReport r = run_simplifier_campaign(o);
    std::vector<CampaignFinding> found;
    for (const SimplifierReport::Found& f : r.told) {
        CampaignFinding finding;
        finding.cause = {"simplifier", f.kind, "", "", ""};
        finding.case_number = f.index;
        finding.size = f.detail.size();
        finding.detail = f.detail;
        finding.files = {{"report.md", "# simplifier: " + f.kind + "\n\n" + f.detail + "\n"}};
        found.push_back(std::move(finding));
    }
    for (const CampaignFinding& finding : smallest(std::move(found))) {
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
CampaignKind of_schedules() {
    CampaignKind out =
        of_programs("schedules", "a schedule on every program", 500, schedule_campaign);
    out.guided = true;
    out.inputs = kScheduleInputs;
    return out;
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
        of_schedules(),
        of_programs("graphs", "networks, and layouts of their tensors", 50, graph_campaign),
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
