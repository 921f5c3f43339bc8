#include "fuzz/oracle/refinement.h"

#include "ir/children.h"

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
    options.interp.check_regions = true;  // a block's claims are claims of the program
    return options;
}

// In a concurrent loop, calls have no order, and what was done before a stop is open: one run of
// the source says nothing of the others.
bool has_events_without_order(const Function& f) {
    bool out = false;
    for_each_stmt(f.body, [&](Stmt s) {
        const For* loop = s->as<For>();
        const bool in_order =
            loop == nullptr || loop->kind == ForKind::Serial || loop->kind == ForKind::Unrolled;
        if (in_order) return;
        for_each_stmt(loop->body, [&](Stmt inner) { out |= inner->is<Assert>(); });
        for_each_expr(loop->body, [&](Expr e) { out |= has_op(e, Op::CallExtern); });
    });
    return out;
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
                                        std::uint64_t seed, RefinementCounts& counts,
                                        std::uint64_t step_limit) {
    if (has_events_without_order(source)) {
        counts.undecided += static_cast<std::uint64_t>(runs);
        return std::nullopt;
    }
    Result<verify::Comparer> comparer = verify::Comparer::make(ctx, source, derived);
    if (!comparer) {
        return Finding{"refinement", "not comparable", comparer.error().message, {}, {}};
    }
    for (int k = 0; k < runs; ++k) {
        const RunSetup setup = run_setup(seed, k);
        Choice choice(setup.seed);
        const Result<Inputs> inputs = random_inputs(source, ranges, setup.style, choice);
        if (!inputs) continue;
        verify::CompareOptions options = options_of(setup);
        options.interp.step_limit = step_limit;
        const Result<verify::Comparison> c = comparer->compare(*inputs, options);
        if (!c && c.error().hint == verify::kTooManyCells) {  // a step may make a buffer this large
            ++counts.undecided;
            continue;
        }
        if (!c)
            return Finding{"refinement", "inputs do not fit", c.error().message, *inputs, setup};
        if (auto found = judge(*c, *inputs, setup, counts)) return found;
    }
    return std::nullopt;
}

std::optional<Finding> check_refinement_on(Context& ctx, const Function& source,
                                           const Function& derived, const Inputs& inputs,
                                           const RunSetup& setup, RefinementCounts& counts) {
    if (has_events_without_order(source)) return std::nullopt;
    const Result<verify::Comparison> c =
        verify::compare_runs(ctx, source, derived, inputs, options_of(setup));
    if (!c) return std::nullopt;  // these inputs are for another program
    return judge(*c, inputs, setup, counts);
}

}  // namespace proviso::fuzz
