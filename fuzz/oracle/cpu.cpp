#include "fuzz/oracle/cpu.h"

#include "backend/cpu/unverified.h"
#include "backend/tensor.h"

namespace proviso::fuzz {

using namespace ir;

namespace {

struct Compiled {
    Program program;
    backend::CpuModule module;
};

Result<Compiled> compile(const Function& f, bool optimise, std::uint64_t seed) {
    Result<Program> program = prepare(f);
    if (!program) return program.error();
    backend::CpuOptions options;
    options.opt = optimise ? backend::OptLevel::O2 : backend::OptLevel::O0;
    static const std::vector<backend::Fill> fills = {backend::Fill::AllOnes, backend::Fill::Largest,
                                                     backend::Fill::Smallest, backend::Fill::Zero};
    options.fill = fills[seed % fills.size()];
    Result<backend::CpuModule> module = backend::unverified::compile(f, options);
    if (!module) return module.error();
    return Compiled{std::move(*program), std::move(module).value()};
}

std::optional<Finding> run_both(Context& ctx, const Function& f, const Compiled& compiled,
                                const Inputs& inputs, const RunSetup& setup, CpuCounts& counts) {
    verify::CompareOptions pack;
    pack.open = verify::OpenCells::Garbage;
    pack.seed = setup.seed;
    const Result<Inputs> physical = verify::physical_inputs(ctx, f, inputs, pack);
    if (!physical) return std::nullopt;
    InterpOptions options;
    options.step_limit = kStepLimit;
    options.order = setup.order;
    options.seed = setup.seed;
    const Result<Outcome> expected = run(compiled.program, *physical, options);
    if (!expected || std::holds_alternative<Faulted>(*expected)) return std::nullopt;

    const Result<backend::TensorRun> got =
        backend::run_on_tensors(compiled.module, f, *physical, setup.seed);
    ++counts.runs;
    if (!got) return Finding{"cpu", "arguments refused", got.error().message, inputs, setup};
    if (const auto what = backend::run_difference(f, *expected, *got)) {
        const bool stopped = std::holds_alternative<Stopped>(*expected);
        return Finding{"cpu", stopped || got->outcome.code != 0 ? "ending differs" : "differs",
                       *what, inputs, setup};
    }
    return std::nullopt;
}

}  // namespace

std::optional<Finding> check_cpu(Context& ctx, const Function& source, const Function& lowered,
                                 const std::map<std::string, CellRange>& ranges, int runs,
                                 std::uint64_t seed, bool optimise, CpuCounts& counts,
                                 InputNumbers* ran) {
    Result<Compiled> compiled = compile(lowered, optimise, seed);
    if (!compiled) {
        ++counts.refused;
        return std::nullopt;
    }
    ++counts.compiled;
    InputSeries series(source, ranges, runs, seed);
    while (std::optional<InputSeries::Run> run = series.next()) {
        run->setup.optimise = optimise;
        run->setup.series = seed;
        const std::uint64_t before = counts.runs;
        auto found = run_both(ctx, lowered, *compiled, run->inputs, run->setup, counts);
        if (found) return found;
        const bool counted = run->is_new && counts.runs > before;
        if (ran != nullptr && counted) ran->insert(static_cast<int>(run->setup.number));
    }
    return std::nullopt;
}

std::optional<Finding> check_cpu_on(Context& ctx, const Function& lowered,
                                    const std::vector<CpuRun>& runs, CpuCounts& counts) {
    if (runs.empty()) return std::nullopt;
    Result<Compiled> compiled = compile(lowered, runs[0].setup.optimise, runs[0].setup.series);
    if (!compiled) {
        ++counts.refused;
        return std::nullopt;
    }
    ++counts.compiled;
    for (const CpuRun& r : runs) {
        if (auto found = run_both(ctx, lowered, *compiled, r.inputs, r.setup, counts)) return found;
    }
    return std::nullopt;
}

std::optional<Finding> check_cpu_on(Context& ctx, const Function& lowered, const Inputs& inputs,
                                    const RunSetup& setup, CpuCounts& counts) {
    return check_cpu_on(ctx, lowered, {CpuRun{inputs, setup}}, counts);
}

}  // namespace proviso::fuzz
