#include "fuzz/campaign/campaign.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>

#include "fuzz/campaign/case.h"
#include "fuzz/campaign/failure_files.h"
#include "ir/deep_stack.h"

namespace proviso::fuzz {

using Clock = std::chrono::steady_clock;

namespace {

// A case that is done. Its context lives as long as something of it is to be written or told.
struct Done {
    std::unique_ptr<CaseRunner> runner;  // null: nothing found, and `summary` has its counts
    std::vector<Failure> failures;
    Summary summary;
    ReachedByCase reached;
};

// Cases are run by several threads and taken into the summary in their order.
class Campaign {
  public:
    explicit Campaign(const CampaignOptions& o) : o_(o), next_(o.first), to_take_(o.first) {
        summary_.seed = o.seed;
    }

    void work() {
        while (!stop_) {
            const std::uint64_t index = next_.fetch_add(1);
            if (index >= o_.first + o_.cases) return;
            auto runner = std::make_unique<CaseRunner>(o_, index);
            Done done;
            done.failures = runner->run();
            if (o_.prover_done) o_.prover_done(runner->prover().stats());
            done.summary = std::move(runner->summary());
            if (o_.guide != nullptr) done.reached = runner->reached();
            if (!done.failures.empty()) done.runner = std::move(runner);
            runner.reset();
            const std::lock_guard<std::mutex> lock(mutex_);
            waiting_.emplace(index, std::move(done));
            take_all();
        }
    }

    const Status& status() const { return status_; }
    Summary& summary() { return summary_; }

  private:
    void take_all() {
        for (auto it = waiting_.find(to_take_); it != waiting_.end() && !stop_;
             it = waiting_.find(to_take_)) {
            take(it->second);
            waiting_.erase(it);
            ++to_take_;
        }
    }

    void take(Done& done) {
        summary_.add(done.summary);
        for (Failure& f : done.failures) {
            if (status_) status_ = record(*done.runner, std::move(f));
            if (!status_) stop_ = true;
        }
        if (status_ && o_.reached && !done.reached.features.empty()) {
            status_ = o_.reached(to_take_, done.reached);
            if (!status_) stop_ = true;
        }
        summary_.seconds = std::chrono::duration<double>(Clock::now() - start_).count();
        if (o_.progress) o_.progress(summary_);
        if (o_.stop_at_first && summary_.findings > 0) stop_ = true;
        if (o_.seconds > 0 && summary_.seconds >= o_.seconds) stop_ = true;
    }

    // One kind of failure is written once, made smaller first.
    Status record(CaseRunner& runner, Failure failure) {
        Summary& s = summary_;
        ++s.findings;
        std::string kind = failure.finding.oracle + ": " + failure.finding.signature;
        if (!failure.steps.empty() && failure.finding.oracle == "refinement") {
            kind += " after " + failure.steps.back().rule;
        }
        const bool is_new = s.kinds[kind]++ == 0;
        if (o_.out.empty() && !o_.found) return Unit{};
        const bool wanted =
            o_.wanted ? o_.wanted(failure, runner.context(), runner.prover()) : is_new;
        if (!wanted) return Unit{};
        if (!o_.out.empty() && s.folders.size() >= o_.max_failures) return Unit{};
        if (can_shrink(failure)) {
            failure =
                shrink(runner.context(), std::move(failure), o_.shrink_budget, runner.prover());
        }
        if (o_.found) {
            Status told = o_.found(failure, to_take_, runner.context(), runner.prover());
            if (!told || o_.out.empty()) return told;
        }
        const std::string folder = fmt::format("{}/failures/{}", o_.out, s.folders.size() + 1);
        s.folders.push_back(folder);
        return write_failure(runner.context(), folder, failure, runner.prover());
    }

    const CampaignOptions& o_;
    const Clock::time_point start_ = Clock::now();
    std::atomic<std::uint64_t> next_;
    std::atomic<bool> stop_ = false;
    std::mutex mutex_;
    std::map<std::uint64_t, Done> waiting_;  // run, and an earlier one is not
    std::uint64_t to_take_;
    Summary summary_;
    Status status_ = Unit{};
};

}  // namespace

CampaignOptions schedule_campaign() {
    CampaignOptions out;
    out.schedules_only = true;
    out.tiers = kScheduleTiers;
    out.solver_budget = kScheduleSolverBudget;
    out.runs = kScheduleInputs;
    return out;
}

CampaignOptions graph_campaign() {
    CampaignOptions out = schedule_campaign();
    out.graphs = true;
    return out;
}

Result<Summary> run_campaign(const CampaignOptions& o) {
    if (!o.out.empty()) {
        std::error_code failed;
        std::filesystem::create_directories(o.out, failed);
        if (failed) return error("cannot make " + o.out + ": " + failed.message());
    }
    Campaign campaign(o);
    const unsigned jobs = o.jobs != 0 ? o.jobs : std::thread::hardware_concurrency();
    std::vector<ir::DeepThread> threads;
    for (unsigned k = 1; k < jobs; ++k) threads.emplace_back([&campaign] { campaign.work(); });
    campaign.work();
    for (ir::DeepThread& t : threads) t.join();
    if (!campaign.status()) return campaign.status().error();
    Summary& s = campaign.summary();
    if (!o.out.empty()) {
        std::ofstream out(o.out + "/summary.json");
        out << s.json().dump(1) << "\n";
        if (!out) return error("cannot write " + o.out + "/summary.json");
    }
    return std::move(s);
}

}  // namespace proviso::fuzz
