#include "bench/gpu_races.h"

#include <algorithm>
#include <chrono>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "ir/text.h"
#include "rewrite/passes/barriers.h"
#include "rewrite/rules/race_free.h"
#include "rewrite/schedule/reader/reader.h"

namespace proviso::bench {

using namespace ir;
using Clock = std::chrono::steady_clock;
using analysis::Obligation;

namespace {

struct Scenario {
    bool runs = false;
    std::string schedule;
    std::string program;
};

Scenario read(const std::filesystem::path& path) {
    Scenario out;
    std::string section;
    std::ifstream in(path);
    for (std::string line; std::getline(in, line);) {
        if (line.rfind("--- ", 0) == 0) {
            section = line.substr(4);
        } else if (section == "schedule") {
            out.schedule += line + "\n";
        } else if (section == "program") {
            out.program += line + "\n";
        } else {
            out.runs = out.runs || line.rfind("expect: runs", 0) == 0;
        }
    }
    return out;
}

std::vector<Obligation> owed(Context& ctx, const Function& f) {
    std::vector<Obligation> out;
    const auto add = [&](std::vector<Obligation> more) {
        std::move(more.begin(), more.end(), std::back_inserter(out));
    };
    for (const auto& [site, s] : all_statements(f)) {
        const For* n = s->as<For>();
        if (n != nullptr && rewrite::is_bound(*n)) {
            add(rewrite::iterations_share_nothing(ctx, f, site));
        }
    }
    const auto stated = rewrite::stated_barriers(f);
    if (!stated || !*stated) return out;
    const analysis::MemoryModel memory(ctx, f);
    for (const Site& kernel : rewrite::kernel_sites(f)) {
        const auto level = rewrite::BlockLevel::of(f, kernel);
        if (!level) continue;
        for (const auto& way : level->ways()) {
            if (level->waits(way, **stated)) continue;
            add(rewrite::threads_need_not_wait(memory, *level, way));
        }
    }
    return out;
}

// A size of the function is in the question.
bool is_symbolic(const Function& f, const Obligation& o) {
    std::set<Expr> sizes;
    for (Expr v : f.scalar_params()) sizes.insert(v);
    const auto has_size = [&](Expr e) {
        const std::vector<Expr> vars = free_vars(e);
        return std::any_of(vars.begin(), vars.end(), [&](Expr v) { return sizes.count(v) != 0; });
    };
    return has_size(o.goal) || std::any_of(o.facts.begin(), o.facts.end(), has_size);
}

}  // namespace

nlohmann::json measure_races(const std::filesystem::path& scenarios) {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(scenarios)) {
        if (entry.path().extension() == ".gpu") files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    std::size_t count = 0;
    std::size_t symbolic = 0;
    std::map<std::string, std::size_t> by;
    std::vector<double> times;
    for (const auto& file : files) {
        const Scenario s = read(file);
        if (!s.runs) continue;
        Context ctx;
        const Result<Function> f = parse_function(ctx, s.program, file.string());
        if (!f) continue;
        Result<rewrite::Derivation> d = rewrite::Derivation::start(ctx, *f);
        if (!d) continue;
        analysis::Prover prover(ctx, {});
        rewrite::Proposer proposer(*d, prover);
        if (!rewrite::run_schedule(proposer, s.schedule, file.string())) continue;
        rewrite::lower(proposer);
        rewrite::place_barriers(proposer);
        ++count;
        for (const Obligation& o : owed(ctx, d->current())) {
            analysis::Prover fresh(ctx, {});
            const Clock::time_point start = Clock::now();
            const analysis::Answer answer = fresh.prove(o);
            times.push_back(
                std::chrono::duration<double, std::micro>(Clock::now() - start).count());
            const bool proved = answer.verdict == analysis::Verdict::Proved;
            ++by[proved ? answer.by : analysis::verdict_name(answer.verdict)];
            symbolic += is_symbolic(d->current(), o) ? 1 : 0;
        }
    }
    std::sort(times.begin(), times.end());
    const auto quantile = [&](std::size_t percent) {
        return times.empty() ? 0.0 : times[(times.size() - 1) * percent / 100];
    };
    std::size_t solver = 0;
    for (const char* name : {"z3", "cvc5", "UNKNOWN", "REFUTED"}) solver += by[name];
    std::erase_if(by, [](const auto& entry) { return entry.second == 0; });
    const double all = std::max<double>(1, static_cast<double>(times.size()));
    return {{"scenarios", count},
            {"obligations", times.size()},
            {"symbolic", symbolic},
            {"by", by},
            {"without_solver", 1 - static_cast<double>(solver) / all},
            {"median_us", quantile(50)},
            {"p99_us", quantile(99)}};
}

}  // namespace proviso::bench
