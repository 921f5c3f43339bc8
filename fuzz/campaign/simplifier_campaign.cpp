#include "fuzz/campaign/simplifier_campaign.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>

#include "ir/deep_stack.h"

namespace proviso::fuzz {

namespace {

constexpr std::uint64_t kChunk = 250;  // expressions in one context

struct Shared {
    const SimplifierCampaign& o;
    SimplifierReport& report;
    std::atomic<std::uint64_t> next{0};
    std::mutex mutex;

    void work() {
        for (;;) {
            const std::uint64_t first = next.fetch_add(kChunk);
            if (first >= o.first + o.expressions) return;
            SimplifierCounts counts;
            std::vector<SimplifierReport::Found> found;
            ir::Context ctx;
            const rewrite::RuleBook& book =
                o.book != nullptr ? *o.book : rewrite::RuleBook::standard();
            const std::uint64_t end = std::min(first + kChunk, o.first + o.expressions);
            for (std::uint64_t i = first; i < end; ++i) {
                if (o.before) o.before(i);
                Choice choice(mix(o.seed, i));
                const Question q = generate_question(ctx, choice);
                const bool shrink = o.shrink_all || found.size() < 2;  // many findings are one
                if (auto f = check_simplifier(ctx, q, choice.next(), counts, shrink, book)) {
                    found.push_back({i, f->kind, f->detail});
                }
            }
            const std::lock_guard<std::mutex> lock(mutex);
            report.counts.add(counts);
            report.findings += found.size();
            report.told.insert(report.told.end(), found.begin(), found.end());
            if (o.progress) o.progress(report.counts.expressions, report.findings);
        }
    }
};

}  // namespace

SimplifierReport run_simplifier_campaign(const SimplifierCampaign& options) {
    const auto start = std::chrono::steady_clock::now();
    SimplifierReport report;
    report.seed = options.seed;
    Shared shared{options, report, {options.first}, {}};
    unsigned jobs = options.jobs != 0 ? options.jobs : std::thread::hardware_concurrency();
    jobs = std::max(jobs, 1U);
    std::vector<ir::DeepThread> threads;
    for (unsigned i = 1; i < jobs; ++i) threads.emplace_back([&shared] { shared.work(); });
    shared.work();
    for (ir::DeepThread& t : threads) t.join();
    std::sort(report.told.begin(), report.told.end(),
              [](const auto& a, const auto& b) { return a.index < b.index; });
    if (report.told.size() > options.most_findings) report.told.resize(options.most_findings);
    report.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return report;
}

nlohmann::json SimplifierReport::json() const {
    nlohmann::json found = nlohmann::json::array();
    for (const Found& f : told) {
        found.push_back({{"index", f.index}, {"kind", f.kind}, {"detail", f.detail}});
    }
    return {{"seed", seed},
            {"expressions", counts.expressions},
            {"changed", counts.changed},
            {"smaller", counts.smaller},
            {"with_facts", counts.with_facts},
            {"exhausted_8_bit", counts.exhausted},
            {"samples", counts.samples},
            {"faulting_samples", counts.faults},
            {"nodes_before", counts.nodes_before},
            {"nodes_after", counts.nodes_after},
            {"findings", findings},
            {"found", found},
            {"time", {{"seconds", seconds}}}};
}

std::string SimplifierReport::line() const {
    return fmt::format(
        "{} expressions, {} changed, {} samples, nodes {} -> {}, {} findings, {:.0f} a second",
        counts.expressions, counts.changed, counts.samples, counts.nodes_before, counts.nodes_after,
        findings, seconds > 0 ? static_cast<double>(counts.expressions) / seconds : 0.0);
}

}  // namespace proviso::fuzz
