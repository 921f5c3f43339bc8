#include "fuzz/oracle/refinement.h"

namespace proviso::fuzz {

using namespace ir;
using verify::Agreement;
using verify::OpenCells;

namespace {

std::optional<Finding> judge(const verify::Comparison& c, const Inputs& inputs,
                             const RunSetup& setup, RefinementCounts& counts) {
    ++counts.runs;
    if (c.agreement == Agreement::Inconclusive) ++counts.undecided;
    if (c.agreement == Agreement::Refines) ++counts.counted;
    if (!c.refutes()) return std::nullopt;
    ++counts.counted;
    const std::string signature = c.agreement == Agreement::Differs
                                      ? "differs"
                                      : "new fault: " + c.what.substr(0, c.what.find(':'));
    return Finding{"refinement", signature, c.what, inputs, setup};
}

verify::CompareOptions options_of(const RunSetup& setup) {
    verify::CompareOptions options;
    options.open = setup.open;
    options.seed = setup.seed;
    options.interp.step_limit = kStepLimit;
    options.interp.order = setup.order;
    return options;
}

}  // namespace

RunSetup run_setup(std::uint64_t seed, int k) {
    static const std::vector<RunSetup> kinds = {
        {InputStyle::Small, OpenCells::Indet, IterationOrder::Forward, 0, false, 0},
        {InputStyle::Adversarial, OpenCells::Garbage, IterationOrder::Reverse, 0, false, 0},
        {InputStyle::Adversarial, OpenCells::Indet, IterationOrder::Shuffled, 0, false, 0},
        {InputStyle::Small, OpenCells::Garbage, IterationOrder::Forward, 0, false, 0},
        {InputStyle::Extreme, OpenCells::Garbage, IterationOrder::Forward, 0, false, 0},
    };
    RunSetup out = kinds[static_cast<std::size_t>(k) % kinds.size()];
    out.seed = mix(seed, static_cast<std::uint64_t>(k));
    return out;
}

std::optional<Finding> check_refinement(Context& ctx, const Function& source,
                                        const Function& derived,
                                        const std::map<std::string, CellRange>& ranges, int runs,
                                        std::uint64_t seed, RefinementCounts& counts) {
    Result<verify::Comparer> comparer = verify::Comparer::make(ctx, source, derived);
    if (!comparer) {
        return Finding{"refinement", "not comparable", comparer.error().message, {}, {}};
    }
    for (int k = 0; k < runs; ++k) {
        const RunSetup setup = run_setup(seed, k);
        Choice choice(setup.seed);
        const Result<Inputs> inputs = random_inputs(source, ranges, setup.style, choice);
        if (!inputs) continue;
        const Result<verify::Comparison> c = comparer->compare(*inputs, options_of(setup));
        if (!c)
            return Finding{"refinement", "inputs do not fit", c.error().message, *inputs, setup};
        if (auto found = judge(*c, *inputs, setup, counts)) return found;
    }
    return std::nullopt;
}

std::optional<Finding> check_refinement_on(Context& ctx, const Function& source,
                                           const Function& derived, const Inputs& inputs,
                                           const RunSetup& setup, RefinementCounts& counts) {
    const Result<verify::Comparison> c =
        verify::compare_runs(ctx, source, derived, inputs, options_of(setup));
    if (!c) return std::nullopt;  // these inputs are for another program
    return judge(*c, inputs, setup, counts);
}

}  // namespace proviso::fuzz
