#include "fuzz/planted/gpu_programs.h"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "backend/gpu/drivers/gpu_host.h"
#include "backend/gpu/drivers/nvptx_host.h"
#include "fuzz/campaign/failure.h"
#include "fuzz/oracle/input_series.h"
#include "fuzz/planted/scenarios/scenario.h"
#include "ir/text.h"
#include "rewrite/passes/passes.h"

namespace proviso::fuzz {

using namespace ir;
namespace gpu = backend::gpu;

namespace {

constexpr std::uint64_t kSeed = 20;

struct GpuProgram {
    const char* name;
    bool races;  // its launches are refused, mostly for a race
    const char* text;
};

constexpr GpuProgram kPrograms[] = {
    {"a tile read in reverse", false, R"(
@T.prim_func
def f(A: T.Buffer((24,), "float32"), B: T.Buffer((24,), "float32")):
    for b in T.thread_binding(3, thread="blockIdx.x"):
        tile = T.alloc_buffer((8,), "float32", scope="shared")
        for t in T.thread_binding(8, thread="threadIdx.x"):
            tile[t] = A[b * 8 + t]
        for u in T.thread_binding(8, thread="threadIdx.x"):
            B[b * 8 + u] = tile[7 - u]
)"},
    {"phases with fewer and fewer threads", false, R"(
@T.prim_func
def f(A: T.Buffer((2, 8), "int64"), S: T.Buffer((2,), "int64")):
    for b in T.thread_binding(2, thread="blockIdx.x"):
        part = T.alloc_buffer((8,), "int64", scope="shared")
        for t in T.thread_binding(8, thread="threadIdx.x"):
            part[t] = T.truncmod(A[b, t], T.int64(1000))
        for t4 in T.thread_binding(4, thread="threadIdx.x"):
            part[t4] = part[t4] + part[t4 + 4]
        for t2 in T.thread_binding(2, thread="threadIdx.x"):
            part[t2] = part[t2] + part[t2 + 2]
        S[b] = part[0] + part[1]
)"},
    {"a tile that is filled again in each iteration", false, R"(
@T.prim_func
def f(A: T.Buffer((4, 8), "float32"), B: T.Buffer((4, 8), "float32")):
    for b in T.thread_binding(1, thread="blockIdx.x"):
        tile = T.alloc_buffer((8,), "float32", scope="shared")
        for k in range(4):
            for t in T.thread_binding(8, thread="threadIdx.x"):
                tile[t] = A[k, t]
            for u in T.thread_binding(8, thread="threadIdx.x"):
                B[k, u] = tile[7 - u]
)"},
    {"threads of two axes", false, R"(
@T.prim_func
def f(A: T.Buffer((4, 6), "float32"), B: T.Buffer((4, 6), "float32")):
    for b in T.thread_binding(1, thread="blockIdx.x"):
        tile = T.alloc_buffer((4, 6), "float32", scope="shared")
        for y in T.thread_binding(4, thread="threadIdx.y"):
            for x in T.thread_binding(6, thread="threadIdx.x"):
                tile[y, x] = A[y, x] + T.float32(1)
        for v in T.thread_binding(4, thread="threadIdx.y"):
            for u in T.thread_binding(6, thread="threadIdx.x"):
                B[v, u] = tile[3 - v, u]
)"},
    {"a cell that one thread stores and all load", false, R"(
@T.prim_func
def f(B: T.Buffer((1,), "int32"), C: T.Buffer((8,), "int32")):
    for b in T.thread_binding(1, thread="blockIdx.x"):
        for t in T.thread_binding(8, thread="threadIdx.x"):
            C[t] = T.truncmod(B[0], 100)
        for u in T.thread_binding(8, thread="threadIdx.x"):
            if u == 3:
                B[0] = 777
        for v in T.thread_binding(8, thread="threadIdx.x"):
            C[v] = T.truncmod(C[v], 100) + T.truncmod(B[0], 100)
)"},
    {"a sum of products", false, R"(
@T.prim_func
def f(A: T.Buffer((32, 9), "float32"), B: T.Buffer((32, 9), "float32"), C: T.Buffer((32,), "float32")):
    for t in T.thread_binding(32, thread="threadIdx.x"):
        C[t] = T.float32(0)
        for k in range(9):
            C[t] = A[t, k] * (B[t, k] * T.float32(0.3)) + C[t]
)"},
    {"a long buffer", false, R"(
@T.prim_func
def f(A: T.Buffer((70000,), "int32"), B: T.Buffer((70000,), "int32")):
    for b in T.thread_binding(274, thread="blockIdx.x"):
        for t in T.thread_binding(256, thread="threadIdx.x"):
            if b * 256 + t < 70000:
                B[b * 256 + t] = A[69999 - (b * 256 + t)]
)"},
    {"quotients of negative numbers", false, R"(
@T.prim_func
def f(A: T.Buffer((16,), "int32"), B: T.Buffer((16,), "int32")):
    for t in T.thread_binding(16, thread="threadIdx.x"):
        B[t] = T.floordiv(T.truncmod(A[t], 100) - 50, 7)
)"},
    {"lanes that begin at a multiple of four", false, R"(
@T.prim_func
def f(A: T.Buffer((32,), "float32"), B: T.Buffer((32,), "float32")):
    for t in T.thread_binding(8, thread="threadIdx.x"):
        for v in T.vectorized(4):
            B[t * 4 + v] = A[t * 4 + v] + T.float32(1)
)"},
    {"lanes that begin anywhere", false, R"(
@T.prim_func
def f(A: T.Buffer((33,), "float32"), B: T.Buffer((32,), "float32")):
    for t in T.thread_binding(8, thread="threadIdx.x"):
        for v in T.vectorized(4):
            B[t * 4 + v] = A[t * 4 + v + 1]
)"},
    {"a sum into one cell", true, R"(
@T.prim_func
def f(A: T.Buffer((8,), "float32"), S: T.Buffer((2,), "float32")):
    for t in T.thread_binding(8, thread="threadIdx.x"):
        S[t // 4] = S[t // 4] - A[t] * T.float32(0.3)
)"},
    {"a store beside a loop over threads, of which there may be none", true, R"(
@T.prim_func
def f(n: T.int32, A: T.Buffer((2,), "float32"), B: T.Buffer((4,), "float32")):
    T.func_attr({"tir_var_lower_bound": {"n": 0}, "tir_var_upper_bound": {"n": 1}})
    for b in T.thread_binding(2, thread="blockIdx.x"):
        for t in T.thread_binding(n, thread="threadIdx.x"):
            B[b * 2 + t] = A[b]
        B[b * 2 + 1] = T.float32(5)
)"},
};

std::string cache_folder() {
    return (std::filesystem::temp_directory_path() / "proviso-planted-kernels").string();
}

// Built from the derivation and run; what is wrong with it.
std::optional<std::string> built_and_run(const rewrite::Derivation& d, analysis::Prover& prover,
                                         bool races) {
    const gpu::Built built = gpu::build(d, *gpu::find_target("gpu-host"), prover);
    if (const auto* no = std::get_if<gpu::Refusal>(&built)) {
        if (races) return std::nullopt;
        return "refused: " + no->diagnostic.message;
    }
    const gpu::Module* module = std::get_if<gpu::Module>(&built);
    if (module == nullptr) return "no form for a GPU: " + std::get<Diagnostic>(built).message;
    const Function& f = d.current();
    gpu::GpuHostOptions options;
    options.cache = cache_folder();
    for (int k = 0; k < 3; ++k) {
        const RunSetup setup = run_setup(kSeed, k);
        Choice noise(setup.seed);
        const Result<Inputs> inputs = random_inputs(f, {}, setup.style, noise);
        PROVISO_CHECK(inputs.ok(), "no inputs for " + f.name);
        InterpOptions interp;
        interp.detect_races = !races;
        const Result<Outcome> expected = run(f, *inputs, interp);
        if (!expected || std::holds_alternative<Faulted>(*expected)) continue;
        const Result<gpu::DeviceRun> got = gpu::run_on_gpu_host(*module, f, *inputs, options);
        if (!got) return "does not compile: " + got.error().str();
        if (got->finding) return got->finding;
        if (auto what = backend::run_difference(f, *expected, got->run)) return what;
        const Result<gpu::DeviceRun> by_llvm = gpu::run_on_nvptx_host(*module, f, *inputs, options);
        if (!by_llvm) return "LLVM does not compile it: " + by_llvm.error().str();
        if (by_llvm->finding) return by_llvm->finding;
        if (const auto what = backend::run_difference(f, *expected, by_llvm->run)) {
            return "by way of LLVM: " + *what;
        }
    }
    if (races) return "accepted, and no run shows what is wrong";
    return std::nullopt;
}

std::optional<std::string> look_at_program(const GpuProgram& p) {
    Context ctx;
    analysis::Prover prover(ctx, campaign_prover());
    const Result<Function> f = parse_function(ctx, p.text, p.name);
    PROVISO_CHECK(f.ok(), std::string(p.name) + ": " + (f.ok() ? "" : f.error().str()));
    Result<rewrite::Derivation> d = rewrite::Derivation::start(ctx, *f);
    PROVISO_CHECK(d.ok(), p.name);
    rewrite::Proposer proposer(*d, prover);
    rewrite::place_barriers(proposer);
    return built_and_run(*d, prover, p.races);
}

// A step of `sync` that a kernel without its obligation accepts.
std::optional<std::string> look_at_scenario(const Scenario& s) {
    Context ctx;
    analysis::Prover prover(ctx, campaign_prover());
    const Result<LoadedScenario> loaded = load_scenario(ctx, s);
    Result<rewrite::Derivation> d = rewrite::Derivation::start(ctx, loaded->program);
    for (const StepGuess& step : loaded->steps) {
        if (d->apply(step.rule, step.site, nlohmann::json::parse(step.args), prover)) {
            return std::nullopt;
        }
    }
    return built_and_run(*d, prover, false);
}

bool starts_with(const std::string& text, const std::string& head) {
    return text.compare(0, head.size(), head) == 0;
}

}  // namespace

bool is_gpu_fault(const PlantedFault& fault) {
    for (const char* head : {"gpu:", "sync:", "none"}) {
        if (starts_with(fault.id, head)) return true;
    }
    for (const Scenario& s : barrier_scenarios()) {
        if (s.forgets == nullptr) continue;
        if (fault.id == "propose:" + std::string(s.name)) return true;
        if (*s.forgets != '\0' && fault.id == "omit:" + std::string(s.forgets)) return true;
    }
    return starts_with(fault.id, "omit:") && fault.id.find("no race between") != std::string::npos;
}

std::optional<std::string> look_at_kernels(const PlantedFault& fault) {
    if (fault.by != PlantedBy::Switch || !is_gpu_fault(fault)) return std::nullopt;
    for (const GpuProgram& p : kPrograms) {
        if (const auto how = look_at_program(p)) return std::string(p.name) + ": " + *how;
    }
    for (const Scenario& s : barrier_scenarios()) {
        if (const auto how = look_at_scenario(s)) return std::string(s.name) + ": " + *how;
    }
    return std::nullopt;
}

std::string gpu_page(const PlantedReport& report) {
    std::string rows;
    std::size_t planted = 0;
    std::size_t caught = 0;
    for (const PlantedResult& r : report.results) {
        if (!is_gpu_fault(*r.fault)) continue;
        ++planted;
        caught += r.caught_by.empty() ? 0 : 1;
        const std::string how = r.how.substr(0, r.how.find('\n'));
        rows += fmt::format("| `{}` | {} | {} | {} |\n", r.fault->id, r.fault->what,
                            r.caught_by.empty() ? "**nobody**" : r.caught_by, how);
    }
    return fmt::format(
        "# Planted faults of GPU code\n\n"
        "This page is generated by `proviso fuzz --planted --gpu --page "
        "docs/results/gpu-faults.md`. Do not edit it.\n"
        "\n"
        "The campaign breaks the text of kernels, the obligations of launches and the rule `sync` "
        "in one place at a\n"
        "time, as it does with [the statement rules](statement-faults.md). *Kernels on this "
        "machine* builds small\n"
        "programs, runs their text with threads in four orders, and compares the results with the "
        "interpreter.\n"
        "\n"
        "**{} of {} faults are caught.**\n\n"
        "| fault | what it is | noticed by | what was seen |\n|---|---|---|---|\n{}",
        caught, planted, rows);
}

}  // namespace proviso::fuzz
