#include "bench/statements.h"

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <variant>

#include "bench/scenarios.h"
#include "ir/text.h"
#include "rewrite/schedule/reader/reader.h"
#include "verify/log/write.h"

namespace proviso::bench {

using nlohmann::json;
using Clock = std::chrono::steady_clock;

namespace {

double us_since(Clock::time_point start) {
    return std::chrono::duration<double, std::micro>(Clock::now() - start).count();
}

// The value below which `share` of the figures lie.
double quantile(std::vector<double>& figures, double share) {
    if (figures.empty()) return 0;
    const auto at =
        static_cast<std::ptrdiff_t>(share * static_cast<double>(figures.size() - 1) + 0.5);
    std::nth_element(figures.begin(), figures.begin() + at, figures.end());
    return figures[static_cast<std::size_t>(at)];
}

// Microseconds of each step of a derivation, done again by a prover that has seen nothing.
void replay_steps(const rewrite::Derivation& done, std::vector<double>& out) {
    ir::Context& ctx = done.context();
    Result<rewrite::Derivation> again = rewrite::Derivation::start(ctx, done.source());
    if (!again) return;
    analysis::Prover prover(ctx, {});
    for (const rewrite::Step& step : done.steps()) {
        const json args = json::parse(step.args);
        const auto start = Clock::now();
        if (again->apply(step.rule, step.site, args, prover)) return;
        out.push_back(us_since(start));
    }
}

// A program and its schedule, lowered. Null where the program is not read.
std::optional<rewrite::Derivation> lowered(ir::Context& ctx, const std::string& program,
                                           const std::string& schedule) {
    const Result<ir::Function> f = ir::parse_function(ctx, program, "program.py");
    if (!f) return std::nullopt;
    Result<rewrite::Derivation> d = rewrite::Derivation::start(ctx, *f);
    if (!d) return std::nullopt;
    analysis::Prover prover(ctx, {});
    rewrite::Proposer proposer(*d, prover);
    (void)rewrite::run_schedule(proposer, schedule, "schedule.py");
    rewrite::lower(proposer);
    return std::move(*d);
}

// `count` stages, each a loop that a split does not divide, with a block that stores one row.
std::string stages(int count) {
    std::string out = fmt::format(
        "@T.prim_func\ndef stages(A: T.Buffer(({0}, 14), \"float32\"), B: T.Buffer(({0}, 14), "
        "\"float32\")):\n",
        count);
    for (int s = 0; s < count; ++s) {
        out += fmt::format(
            "    for i{0} in range(14):\n"
            "        with T.block(\"b{0}\"):\n"
            "            v{0} = T.axis.spatial(14, i{0})\n"
            "            B[{0}, v{0}] = A[{0}, v{0}] * T.float32(2.0) + T.float32({0}.0)\n",
            s);
    }
    return out;
}

std::string split_all(int count) {
    std::string out;
    for (int s = 0; s < count; ++s) {
        out +=
            fmt::format("l{0}, = sch.get_loops(\"b{0}\")\nsch.split(l{0}, factors=[None, 4])\n", s);
    }
    return out + "sch.simplify()\n";
}

// `count` rows that are cleared, and then all stored again: each first store is dead.
std::string cleared_rows(int count) {
    std::string out = fmt::format(
        "@T.prim_func\ndef rows(A: T.Buffer(({0}, 14), \"float32\"), B: T.Buffer(({0}, 14), "
        "\"float32\")):\n",
        count);
    for (int s = 0; s < count; ++s) {
        out += fmt::format(
            "    for i{0} in range(14):\n        B[{0}, i{0}] = T.float32(0.0)\n"
            "    for j{0} in range(14):\n        B[{0}, j{0}] = A[{0}, j{0}] * T.float32(2.0)\n",
            s);
    }
    return out;
}

// Microseconds for writing a proof log without looking for certificates, and its KiB.
std::pair<double, double> log_cost(const rewrite::Derivation& d) {
    const std::filesystem::path folder = std::filesystem::temp_directory_path() /
                                         ("proviso-bench-log-" + std::to_string(::getpid()));
    verify::LogOptions options;
    options.certificates = false;
    options.solver_versions = false;
    const auto start = Clock::now();
    const bool written = verify::write_log(d, folder.string(), options).ok();
    const double us = us_since(start);
    double bytes = 0;
    for (const auto& e : std::filesystem::recursive_directory_iterator(folder)) {
        if (written && e.is_regular_file()) bytes += static_cast<double>(e.file_size());
    }
    std::filesystem::remove_all(folder);
    return {us, bytes / 1024};
}

json curve(const char* name, const std::vector<int>& sizes, const std::vector<double>& us,
           const std::vector<double>& kib = {}) {
    const double ratio = std::log(static_cast<double>(sizes.back()) / sizes[1]);
    return {{"name", name},
            {"unit", "statements"},
            {"sizes", sizes},
            {"us", us},
            {"kib", kib.empty() ? std::vector<double>(sizes.size(), 0.0) : kib},
            {"exponent", std::log(us.back() / us[1]) / ratio},
            {"memory_exponent", kib.empty() ? 0.0 : std::log(kib.back() / kib[1]) / ratio}};
}

json no_op_curve() {
    const std::vector<int> sizes = {10, 32, 100, 320};
    std::vector<double> us;
    for (const int count : sizes) {
        ir::Context ctx;
        const std::string program = cleared_rows(count);
        const auto start = Clock::now();
        (void)lowered(ctx, program, "sch.remove_no_op()\n");
        us.push_back(us_since(start));
    }
    return curve("remove_no_op", sizes, us);
}

}  // namespace

json measure_steps(const std::filesystem::path& scenarios) {
    std::vector<double> us;
    for (const ScheduledProgram& p : scenarios_in(scenarios)) {
        ir::Context ctx;
        const auto d = lowered(ctx, p.program, p.schedule);
        if (d) replay_steps(*d, us);
    }
    return {{"steps", us.size()},
            {"median_us", quantile(us, 0.5)},
            {"p90_us", quantile(us, 0.9)},
            {"max_us", quantile(us, 1.0)}};
}

json measure_statement_growth() {
    const std::vector<int> sizes = {10, 32, 100, 320, 1000};
    std::vector<double> whole;
    std::vector<double> step;
    std::vector<double> log;
    std::vector<double> log_kib;
    {  // what a process does once is measured elsewhere: --start
        ir::Context ctx;
        (void)lowered(ctx, stages(2), split_all(2));
    }
    for (const int count : sizes) {
        ir::Context ctx;
        const std::string program = stages(count);
        const std::string schedule = split_all(count);
        const auto start = Clock::now();
        const auto d = lowered(ctx, program, schedule);
        whole.push_back(us_since(start));
        std::vector<double> us;
        if (d) replay_steps(*d, us);
        step.push_back(quantile(us, 0.5));
        const auto [log_us, kib] = d ? log_cost(*d) : std::pair{0.0, 0.0};
        log.push_back(log_us);
        log_kib.push_back(kib);
    }
    return {{"curves",
             {curve("lowering", sizes, whole), curve("median step", sizes, step),
              curve("writing the log", sizes, log, log_kib), no_op_curve()}}};
}

}  // namespace proviso::bench
