#include "fuzz/planted/hostile/hostile.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

#include "fuzz/gen/forged/forged_steps.h"
#include "fuzz/planted/hostile/variants.h"
#include "ir/deep_stack.h"

namespace proviso::fuzz {

using namespace ir;

namespace {

constexpr const char* kChecks = "its checks";
constexpr int kRuns = 12;
constexpr std::uint64_t kStepLimitOfRun = 10'000;
constexpr std::uint64_t kMostTries = 8;  // for each proposal: some texts are none, or known

// What refuses, by name.
std::set<std::string> refusing(const Examined& e) {
    if (!e.no_match.empty()) return {kChecks};
    std::set<std::string> out;
    for (const analysis::Purpose& p : e.open) out.insert(analysis::owed_name(p.kind));
    return out;
}

bool within(const std::set<std::string>& these, const std::set<std::string>& those) {
    return std::includes(those.begin(), those.end(), these.begin(), these.end());
}

void forge_rescheduling(Context& ctx, const Function& f, const Site& at, rewrite::Rescheduling& r,
                        Choice& choice) {
    rewrite::Restated text{r.after,   r.parts,  r.apart, r.count,
                           r.dropped, r.unseen, r.extra, r.reassociate};
    forge(ctx, f, at, text, choice);
    r.after = text.after;
    r.parts = std::move(text.parts);
    r.apart = std::move(text.apart);
    r.count = text.count;
    r.dropped = std::move(text.dropped);
    r.unseen = std::move(text.unseen);
    r.extra = std::move(text.extra);
    r.reassociate = text.reassociate;
}

// What stands around one fault's proposal.
class Around {
  public:
    Around(const TheoremFault& fault, const HostileOptions& o, std::uint64_t seed)
        : fault_(fault), o_(o), choice_(seed) {}

    HostileReport run() {
        const HostileProposal first = hostile_proposal(fault_);
        const Result<Examined> base = examine(first, {});
        PROVISO_CHECK(base.ok(), fault_.id);
        aim_ = refusing(*base);
        known_.insert(text_of(first));
        const std::uint64_t most = o_.cases * kMostTries;
        for (std::uint64_t k = 0; k < most && counts().proposals < o_.cases; ++k) attack(first);
        return std::move(out_);
    }

  private:
    HostileCounts& counts() { return out_.by_obligation[fault_.obligation]; }

    void attack(const HostileProposal& first) {
        const HostileProposal p = hostile_variant(first, choice_);
        Choice forging = choice_.fork();
        Examination how{kRuns, true, kStepLimitOfRun, {}};
        // Mistakes of other kinds make other proposals about the same program.
        if (std::holds_alternative<ProposalText>(p.wrong) && choice_.chance(25)) {
            how.change = [&](Context& ctx, const Function& f, const Site& at,
                             rewrite::Rescheduling& r) {
                forge_rescheduling(ctx, f, at, r, forging);
            };
        } else if (!known_.insert(text_of(p)).second) {
            return;
        }
        if (const Result<Examined> e = examine(p, how)) count(p, *e);
    }

    void count(const HostileProposal& p, const Examined& e) {
        HostileCounts& c = counts();
        ++c.proposals;
        if (e.accepted()) {
            ++c.accepted;
            c.compared += e.compared ? 1 : 0;
            if (e.seen) out_.findings.push_back({fault_.id, text_of(p), *e.seen});
            return;
        }
        const std::set<std::string> by = refusing(e);
        if (by.size() == 1) {
            HostileCounts& kind = out_.by_kind[*by.begin()];
            ++kind.proposals;
            ++kind.aimed;
            kind.shown += e.seen ? 1 : 0;
        }
        if (within(by, aim_)) {
            ++c.aimed;
            c.shown += e.seen ? 1 : 0;
        } else if (!e.no_match.empty()) {
            ++c.checks;
        } else {
            ++c.others;
        }
    }

    const TheoremFault& fault_;
    const HostileOptions& o_;
    Choice choice_;
    std::set<std::string> aim_;
    std::set<std::string> known_;
    HostileReport out_;
};

bool selected(const TheoremFault& fault, const std::string& only) {
    return fault.id.find(only) != std::string::npos ||
           std::string(fault.obligation).find(only) != std::string::npos;
}

void add(HostileReport& all, HostileReport one) {
    for (const auto& [name, c] : one.by_obligation) all.by_obligation[name].add(c);
    for (const auto& [name, c] : one.by_kind) all.by_kind[name].add(c);
    for (HostileFinding& f : one.findings) all.findings.push_back(std::move(f));
}

nlohmann::json json_of(const HostileCounts& c) {
    return {{"proposals", c.proposals}, {"checks", c.checks}, {"aimed", c.aimed},
            {"shown", c.shown},         {"others", c.others}, {"accepted", c.accepted},
            {"compared", c.compared}};
}

}  // namespace

void HostileCounts::add(const HostileCounts& o) {
    proposals += o.proposals;
    checks += o.checks;
    aimed += o.aimed;
    shown += o.shown;
    others += o.others;
    accepted += o.accepted;
    compared += o.compared;
}

HostileReport run_hostile(const HostileOptions& o) {
    std::vector<const TheoremFault*> faults;
    for (const TheoremFault& f : theorem_faults()) {
        if (selected(f, o.only)) faults.push_back(&f);
    }
    std::vector<HostileReport> reports(faults.size());
    std::atomic<std::size_t> next = 0;
    std::mutex mutex;
    const auto work = [&] {
        for (std::size_t k = next++; k < faults.size(); k = next++) {
            if (o.place && k != *o.place) continue;
            reports[k] = Around(*faults[k], o, mix(o.seed, k)).run();
            if (!o.progress) continue;
            HostileCounts c;
            for (const auto& [name, counts] : reports[k].by_obligation) c.add(counts);
            const std::lock_guard<std::mutex> lock(mutex);
            o.progress(fmt::format("{:<64} {:>5} aimed {:>5} accepted", faults[k]->id, c.aimed,
                                   c.accepted));
        }
    };
    const unsigned jobs = o.jobs != 0 ? o.jobs : std::thread::hardware_concurrency();
    std::vector<DeepThread> threads;
    for (unsigned k = 1; k < jobs; ++k) threads.emplace_back(work);
    on_deep_stack(work);
    for (DeepThread& t : threads) t.join();
    HostileReport out;
    for (HostileReport& r : reports) add(out, std::move(r));
    return out;
}

HostileCounts HostileReport::sum() const {
    HostileCounts out;
    for (const auto& [name, c] : by_obligation) out.add(c);
    return out;
}

std::string HostileReport::text() const {
    const HostileCounts all = sum();
    std::string out = fmt::format(
        "{} proposals: {} refused where they aim, {} elsewhere, {} accepted ({} compared), {} "
        "findings\n",
        all.proposals, all.aimed, all.checks + all.others, all.accepted, all.compared,
        findings.size());
    out += fmt::format("  {:<70} {:>9} {:>7} {:>7} {:>9}\n", "obligation", "proposals", "aimed",
                       "shown", "accepted");
    for (const auto& [name, c] : by_obligation) {
        out += fmt::format("  {:<70} {:>9} {:>7} {:>7} {:>9}\n", name, c.proposals, c.aimed,
                           c.shown, c.accepted);
    }
    out += fmt::format("  {:<70} {:>9} {:>7} {:>7}\n", "refused by nothing but", "", "", "shown");
    for (const auto& [name, c] : by_kind) {
        out += fmt::format("  {:<70} {:>9} {:>7} {:>7}\n", name, c.proposals, "", c.shown);
    }
    for (const HostileFinding& f : findings) {
        out += fmt::format("  finding beside {}: {}\n{}\n", f.fault, f.seen, f.texts);
    }
    return out;
}

nlohmann::json HostileReport::json() const {
    nlohmann::json out = {{"sum", json_of(sum())},
                          {"by_obligation", nlohmann::json::object()},
                          {"by_kind", nlohmann::json::object()},
                          {"findings", nlohmann::json::array()}};
    for (const auto& [name, c] : by_obligation) out["by_obligation"][name] = json_of(c);
    for (const auto& [name, c] : by_kind) {
        out["by_kind"][name] = {{"refused", c.proposals}, {"shown", c.shown}};
    }
    for (const HostileFinding& f : findings) {
        out["findings"].push_back({{"fault", f.fault}, {"texts", f.texts}, {"seen", f.seen}});
    }
    return out;
}

std::string HostileReport::page(const HostileOptions& o) const {
    const HostileCounts all = sum();
    std::string out = fmt::format(
        "# Hostile proposals\n\n"
        "This page is generated by\n"
        "\n"
        "```\n"
        "proviso fuzz --hostile --cases {} --seed {} --page docs/results/hostile-proposals.md\n"
        "```\n"
        "\n"
        "Do not edit it. Each [planted fault](statement-faults.md) of the two theorems has a "
        "proposal that is wrong in\n"
        "one way, which one obligation is there to refuse. The campaign tries {} neighbours of "
        "each: the same\n"
        "mistake in programs with other numbers, operators, names, types and surroundings, some "
        "with further\n"
        "mistakes.\n"
        "\n"
        "- *aimed*: refused by what refuses the first proposal, and by nothing else;\n"
        "- *shown*: of those, a run shows that accepting it would be wrong (what the checks refuse "
        "has no result to\n  run);\n"
        "- *accepted*: the change made a right proposal of it, as far as runs can tell.\n"
        "\n"
        "**{} proposals, {} accepted, {} of those wrong.**\n"
        "\n"
        "| obligation | proposals | aimed | shown | accepted |\n|---|---|---|---|---|\n",
        o.cases, o.seed, o.cases, all.proposals, all.accepted, findings.size());
    for (const auto& [name, c] : by_obligation) {
        out += fmt::format("| {} | {} | {} | {} | {} |\n", name, c.proposals, c.aimed, c.shown,
                           c.accepted);
    }
    out +=
        "\nBy what refuses a proposal, where nothing else does:\n\n"
        "| refused by | proposals | shown |\n|---|---|---|\n";
    for (const auto& [name, c] : by_kind) {
        out += fmt::format("| {} | {} | {} |\n", name, c.proposals, c.shown);
    }
    return out;
}

}  // namespace proviso::fuzz
