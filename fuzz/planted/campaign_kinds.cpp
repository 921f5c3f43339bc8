#include "fuzz/planted/campaign_kinds.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "fuzz/planted/hostile/hostile.h"
#include "fuzz/planted/omissions.h"
#include "fuzz/planted/planted.h"
#include "fuzz/planted/theorems/theorem.h"
#include "ir/planted.h"

namespace proviso::fuzz {

namespace {

Status tell_case(const CasesToRun& work, std::uint64_t k, FoundCause cause,
                 const std::string& detail) {
    CampaignFinding out;
    out.cause = std::move(cause);
    out.case_number = k;
    out.size = detail.size();
    out.detail = detail;
    out.files = {{"report.md", "# " + out.cause.text() + "\n\n" + detail + "\n"}};
    return work.found(out);
}

// Each case by itself, added up.
template <typename One>
Result<CasesDone> one_by_one(const CasesToRun& work, const One& one) {
    CasesDone out;
    for (std::uint64_t k = work.first; k < work.first + work.cases; ++k) {
        work.before(k);
        CasesDone done;
        done.cases = 1;
        if (const Status ok = one(k, done.counts); !ok) return ok.error();
        out.add(done);
    }
    return out;
}

Result<CasesDone> run_planted_cases(const CasesToRun& work) {
    return one_by_one(work, [&](std::uint64_t k, Counts& counts) -> Status {
        PlantedOptions o;
        o.part = k;
        o.parts = planted_faults().size();
        const PlantedReport report = run_planted(o);
        for (const PlantedResult& r : report.results) {
            ++counts["faults"];
            if (!r.caught_by.empty()) ++counts["caught_by/" + r.caught_by];
            if (r.caught()) continue;
            ++counts["findings"];
            const FoundCause cause{"planted", "not caught", r.fault->id, "", ""};
            if (const Status ok = tell_case(work, k, cause, r.fault->what); !ok) return ok;
        }
        for (const std::string& alarm : report.false_alarms) {
            ++counts["findings"];
            const FoundCause cause{"planted", "an alarm with nothing planted", "", "", ""};
            if (const Status ok = tell_case(work, k, cause, alarm); !ok) return ok;
        }
        return Unit{};
    });
}

// What nobody notices is counted: it is no finding, as docs/results/fuzz-omissions.md explains.
Result<CasesDone> run_omission_cases(const CasesToRun& work) {
    return one_by_one(work, [&](std::uint64_t k, Counts& counts) -> Status {
        OmissionOptions o;
        o.place = k;
        o.cases = work.settings.each;
        o.seed = work.settings.seed;
        const auto results = run_omissions(o);
        if (!results) return results.error();
        for (const OmissionResult& r : *results) {
            ++counts["omissions"];
            if (!r.noticed) continue;
            ++counts["noticed"];
            counts[std::string("noticed_at/") + r.omission->words] += *r.noticed;
        }
        return Unit{};
    });
}

Result<CasesDone> run_hostile_cases(const CasesToRun& work) {
    return one_by_one(work, [&](std::uint64_t k, Counts& counts) -> Status {
        HostileOptions o;
        o.place = k;
        o.cases = work.settings.each;
        o.seed = work.settings.seed;
        const HostileReport report = run_hostile(o);
        nlohmann::json json = report.json();
        json.erase("findings");
        counts = counts_of(json);
        for (const HostileFinding& f : report.findings) {
            ++counts["findings"];
            const FoundCause cause{"hostile", "accepted and wrong", f.fault, "", ""};
            if (const Status ok = tell_case(work, k, cause, f.texts + "\n" + f.seen); !ok) {
                return ok;
            }
        }
        return Unit{};
    });
}

CampaignKind with_run(const std::string& name, std::uint64_t total,
                      Result<CasesDone> (*run)(const CasesToRun&)) {
    const auto& all = campaign_kinds();
    CampaignKind out = *std::find_if(all.begin(), all.end(),
                                     [&](const CampaignKind& k) { return k.name == name; });
    out.total = total;
    out.run = run;
    return out;
}

}  // namespace

const std::vector<CampaignKind>& kinds_with_faults() {
    static const std::vector<CampaignKind> list = {
        with_run("planted", planted_faults().size(), run_planted_cases),
        with_run("omissions", omissions().size(), run_omission_cases),
        with_run("hostile", theorem_faults().size(), run_hostile_cases),
    };
    return list;
}

bool can_turn_on(const std::string& fault) {
    if (fault.rfind("omit:", 0) == 0) {
        const std::string words = fault.substr(5);
        return !words.empty() &&
               std::any_of(omissions().begin(), omissions().end(), [&](const Omission& o) {
                   const std::string known = o.words;
                   return known.find(words) != std::string::npos ||
                          words.find(known) != std::string::npos;
               });
    }
    const auto& all = planted_faults();
    return std::any_of(all.begin(), all.end(), [&](const PlantedFault& f) {
        return f.by == PlantedBy::Switch && f.id == fault;
    });
}

void turn_on(const std::string& fault) {
    ir::planted_fault() = fault;
}

}  // namespace proviso::fuzz
