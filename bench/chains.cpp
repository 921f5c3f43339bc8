#include "bench/chains.h"

#include <fmt/format.h>

#include <unistd.h>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <vector>

#include "ir/text.h"
#include "rewrite/schedule/reader/reader.h"
#include "verify/audit/audit.h"
#include "verify/log/write.h"

namespace proviso::bench {

using nlohmann::json;

namespace {

struct Chain {
    const char* name;
    const char* program;
    const char* schedule;
};

constexpr Chain kBlur = {"3x3 blur in two stages, 1,920 x 1,080, sliding window",
                         R"(@T.prim_func
def blur(A: T.Buffer((1082, 1922), "float32"), C: T.Buffer((1080, 1920), "float32")):
    B = T.alloc_buffer((1082, 1920), "float32")
    for y, x in T.grid(1082, 1920):
        with T.block("rows"):
            vy, vx = T.axis.remap("SS", [y, x])
            B[vy, vx] = A[vy, vx] + A[vy, vx + 1] + A[vy, vx + 2]
    for y, x in T.grid(1080, 1920):
        with T.block("columns"):
            vy, vx = T.axis.remap("SS", [y, x])
            C[vy, vx] = B[vy, vx] + B[vy + 1, vx] + B[vy + 2, vx]
)",
                         R"(y, x = sch.get_loops("columns")
sch.store_at("rows")
sch.compute_at("rows", y)
sch.simplify()
)"};

constexpr Chain kConvolution = {"convolution, bias, relu, pool", R"(@T.prim_func
def layer(X: T.Buffer((16, 58, 58), "float32"), W: T.Buffer((32, 16, 3, 3), "float32"),
          B: T.Buffer((32,), "float32"), P: T.Buffer((32, 28, 28), "float32")):
    Y = T.alloc_buffer((32, 56, 56), "float32")
    Z = T.alloc_buffer((32, 56, 56), "float32")
    R = T.alloc_buffer((32, 56, 56), "float32")
    for o, h, w, c, a, b in T.grid(32, 56, 56, 16, 3, 3):
        with T.block("conv"):
            vo, vh, vw, vc, va, vb = T.axis.remap("SSSRRR", [o, h, w, c, a, b])
            with T.init():
                Y[vo, vh, vw] = T.float32(0)
            Y[vo, vh, vw] = Y[vo, vh, vw] + X[vc, vh + va, vw + vb] * W[vo, vc, va, vb]
    for o, h, w in T.grid(32, 56, 56):
        with T.block("bias"):
            vo, vh, vw = T.axis.remap("SSS", [o, h, w])
            Z[vo, vh, vw] = Y[vo, vh, vw] + B[vo]
    for o, h, w in T.grid(32, 56, 56):
        with T.block("relu"):
            vo, vh, vw = T.axis.remap("SSS", [o, h, w])
            R[vo, vh, vw] = T.max(Z[vo, vh, vw], T.float32(0))
    for o, h, w in T.grid(32, 28, 28):
        with T.block("pool"):
            vo, vh, vw = T.axis.remap("SSS", [o, h, w])
            P[vo, vh, vw] = T.max(T.max(R[vo, vh * 2, vw * 2], R[vo, vh * 2, vw * 2 + 1]),
                                  T.max(R[vo, vh * 2 + 1, vw * 2], R[vo, vh * 2 + 1, vw * 2 + 1]))
)",
                                R"(sch.compute_inline("bias")
sch.compute_inline("relu")
o, h, w = sch.get_loops("pool")
sch.compute_at("conv", h)
sch.simplify()
)"};

constexpr Chain kProduct = {"matrix product, both caches, a register tile", R"(@T.prim_func
def product(A: T.Buffer((512, 512), "float32"), B: T.Buffer((512, 512), "float32"),
            C: T.Buffer((512, 512), "float32")):
    for i, j, k in T.grid(512, 512, 512):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = T.float32(0)
            C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]
)",
                            R"(i, j, k = sch.get_loops("C")
io, im, ii = sch.split(i, factors=[None, 8, 4])
jo, jm, ji = sch.split(j, factors=[None, 8, 4])
ko, ki = sch.split(k, factors=[None, 16])
sch.reorder(io, jo, im, jm, ko, ki, ii, ji)
sch.write_at(jm, "C", "C", "local")
sch.read_at(ko, "C", "A", "local")
sch.read_at(ko, "C", "B", "local")
sch.simplify()
)"};

// `count` element-wise stages, each reading the one before.
std::string element_wise(int count) {
    std::string out =
        "@T.prim_func\ndef chain(A: T.Buffer((64, 64), \"float32\"), "
        "Z: T.Buffer((64, 64), \"float32\")):\n";
    const auto buffer = [count](int stage) {
        return stage < 0            ? std::string("A")
               : stage == count - 1 ? std::string("Z")
                                    : fmt::format("B{}", stage);
    };
    for (int s = 0; s + 1 < count; ++s) {
        out += fmt::format("    B{} = T.alloc_buffer((64, 64), \"float32\")\n", s);
    }
    for (int s = 0; s < count; ++s) {
        out += fmt::format(
            "    for i, j in T.grid(64, 64):\n"
            "        with T.block(\"b{0}\"):\n"
            "            vi, vj = T.axis.remap(\"SS\", [i, j])\n"
            "            {1}[vi, vj] = {2}[vi, vj] * T.float32(2) + T.float32({0})\n",
            s, buffer(s), buffer(s - 1));
    }
    return out;
}

struct Growing {
    const char* primitive;
    const char* schedule;  // {0}: the number of stages, {1}: the last one
};

constexpr Growing kGrowing[] = {
    {"split",
     "for k in range({0}):\n    i, j = sch.get_loops(\"b\" + str(k))\n"
     "    sch.split(i, factors=[None, 8])\n"},
    {"cache_write", "for k in range({0}):\n    sch.cache_write(\"b\" + str(k), 0, \"local\")\n"},
    {"compute_inline", "for k in range({1}):\n    sch.compute_inline(\"b\" + str(k))\n"},
    {"compute_at",
     "i, j = sch.get_loops(\"b{1}\")\nfor k in range({1} - 1, -1, -1):\n"
     "    sch.compute_at(\"b\" + str(k), i)\n"},
    {"reverse_compute_at",
     "i, j = sch.get_loops(\"b0\")\nfor k in range(1, {0}):\n"
     "    sch.reverse_compute_at(\"b\" + str(k), i)\n"},
    {"merge_adjacent_loops",
     "sch.merge_adjacent_loops(*[sch.get_loops(\"b\" + str(k))[0] for k in range({0})])\n"},
};

constexpr int kStages[] = {10, 20, 40, 80, 160, 300};
constexpr double kLongEnoughMs = 4'000;  // no further size after one that takes so long

using ChainClock = std::chrono::steady_clock;

double ms_since(ChainClock::time_point start) {
    return std::chrono::duration<double, std::milli>(ChainClock::now() - start).count();
}

struct Lowering {
    double ms = 0;
    std::map<std::string, double> primitives = {};  // lowering itself is "lower"
    std::map<std::string, int> calls = {};
    bool done = false;
};

// Applies and lowers; `then` sees the derivation.
Lowering lower_chain(const std::string& program, const std::string& schedule,
                     const std::function<void(const rewrite::Derivation&)>& then) {
    Lowering out;
    ir::Context ctx;
    const auto start = ChainClock::now();
    const Result<ir::Function> f = ir::parse_function(ctx, program, "program.py");
    if (!f) return out;
    Result<rewrite::Derivation> d = rewrite::Derivation::start(ctx, *f);
    if (!d) return out;
    analysis::Prover prover(ctx, {});
    rewrite::Proposer proposer(*d, prover);
    auto last = ChainClock::now();
    const auto report = rewrite::run_schedule(
        proposer, schedule, "schedule.py", [&](const rewrite::ScheduleReport::Done& done) {
            if (!done.query) {
                out.primitives[done.primitive] += ms_since(last);
                ++out.calls[done.primitive];
            }
            last = ChainClock::now();
        });
    if (!report || report->refusal) return out;
    last = ChainClock::now();
    rewrite::lower(proposer);
    out.primitives["lower"] = ms_since(last);
    out.ms = ms_since(start);
    out.done = true;
    if (then) then(*d);
    return out;
}

json measured_chain(const Chain& chain) {
    json out = {{"name", chain.name}};
    const std::filesystem::path folder = std::filesystem::temp_directory_path() /
                                         ("proviso-bench-chain-" + std::to_string(::getpid()));
    bool verified = false;
    const Lowering lowering =
        lower_chain(chain.program, chain.schedule, [&](const rewrite::Derivation& d) {
            verify::LogOptions log;
            log.solver_versions = false;
            auto start = ChainClock::now();
            if (!verify::write_log(d, folder.string(), log)) return;
            out["log_ms"] = ms_since(start);
            verify::AuditOptions options;
            options.policy = "E3";
            options.validate = false;
            start = ChainClock::now();
            ir::Context ctx;
            const verify::AuditReport report = verify::audit(ctx, folder.string(), options);
            out["audit_ms"] = ms_since(start);
            verified = report.exit() == verify::AuditExit::Verified;
        });
    std::error_code ignored;
    std::filesystem::remove_all(folder, ignored);
    out["lower_ms"] = lowering.ms;
    out["verified"] = verified;
    out["primitives"] = lowering.primitives;
    if (verified) out["audit_per_lowering"] = out["audit_ms"].get<double>() / lowering.ms;
    return out;
}

json measured_growth(const Growing& growing) {
    std::vector<int> stages;
    std::vector<double> ms;
    std::vector<double> a_call;
    for (const int count : kStages) {
        const Lowering lowering = lower_chain(
            element_wise(count), fmt::format(fmt::runtime(growing.schedule), count, count - 1), {});
        const auto found = lowering.primitives.find(growing.primitive);
        if (!lowering.done || found == lowering.primitives.end()) break;
        stages.push_back(count);
        ms.push_back(found->second);
        a_call.push_back(found->second / lowering.calls.at(growing.primitive));
        if (lowering.ms > kLongEnoughMs) break;
    }
    json out = {
        {"primitive", growing.primitive}, {"stages", stages}, {"ms", ms}, {"ms_a_call", a_call}};
    if (ms.size() >= 2) {
        const std::size_t n = ms.size();
        const double sizes = std::log(static_cast<double>(stages[n - 1]) / stages[n - 2]);
        out["exponent"] = std::log(ms[n - 1] / ms[n - 2]) / sizes;
        out["exponent_a_call"] = std::log(a_call[n - 1] / a_call[n - 2]) / sizes;
    }
    return out;
}

}  // namespace

json measure_chains() {
    json out = {{"chains", json::array()}, {"growth", json::array()}};
    (void)lower_chain(kBlur.program, kBlur.schedule, {});  // what a process does once
    for (const Chain& chain : {kBlur, kConvolution, kProduct}) {
        out["chains"].push_back(measured_chain(chain));
    }
    for (const Growing& growing : kGrowing) out["growth"].push_back(measured_growth(growing));
    return out;
}

std::string chains_text(const json& measured) {
    std::string out;
    for (const json& c : measured["chains"]) {
        out += fmt::format("{}: lowered in {:.0f} ms\n", c["name"].get<std::string>(),
                           c["lower_ms"].get<double>());
        for (const auto& [name, ms] : c["primitives"].items()) {
            out += fmt::format("  {:<24} {:8.1f} ms\n", name, ms.get<double>());
        }
        if (!c.value("verified", false)) {
            out += "  not verified\n";
            continue;
        }
        out += fmt::format("  log {:.0f} ms, audit {:.0f} ms: {:.2f} times the lowering\n",
                           c["log_ms"].get<double>(), c["audit_ms"].get<double>(),
                           c["audit_per_lowering"].get<double>());
    }
    out += "growth with the number of stages\n";
    for (const json& g : measured["growth"]) {
        out += fmt::format("  {:<24}", g["primitive"].get<std::string>());
        for (std::size_t n = 0; n < g["ms"].size(); ++n) {
            out += fmt::format(" {}: {:.0f} ms{}", g["stages"][n].get<int>(),
                               g["ms"][n].get<double>(), n + 1 < g["ms"].size() ? "," : "");
        }
        if (g.contains("exponent")) {
            out += fmt::format("; {:.1f} ms a call, which grows with stages^{:.1f}",
                               g["ms_a_call"].back().get<double>(),
                               g["exponent_a_call"].get<double>());
        }
        out += "\n";
    }
    return out;
}

}  // namespace proviso::bench
