#include "fuzz/oracle/refinement.h"

#include "ir/children.h"

namespace proviso::fuzz {

using namespace ir;
using verify::Agreement;

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

std::optional<Finding> check_refinement(Context& ctx, const Function& source,
                                        const Function& derived,
                                        const std::map<std::string, CellRange>& ranges, int runs,
                                        std::uint64_t seed, RefinementCounts& counts,
                                        std::uint64_t step_limit, InputNumbers* compared) {
    if (has_events_without_order(source)) {
        counts.undecided += static_cast<std::uint64_t>(runs);
        return std::nullopt;
    }
    Result<verify::Comparer> comparer = verify::Comparer::make(ctx, source, derived);
    if (!comparer) {
        return Finding{"refinement", "not comparable", comparer.error().message, {}, {}};
    }
    InputSeries series(source, ranges, runs, seed);
    while (const std::optional<InputSeries::Run> run = series.next()) {
        verify::CompareOptions options = options_of(run->setup);
        options.interp.step_limit = step_limit;
        const Result<verify::Comparison> c = comparer->compare(run->inputs, options);
        if (!c && c.error().hint == verify::kTooManyCells) {  // a step may make a buffer this large
            ++counts.undecided;
            continue;
        }
        if (!c) {
            return Finding{"refinement", "inputs do not fit", c.error().message, run->inputs,
                           run->setup};
        }
        if (auto found = judge(*c, run->inputs, run->setup, counts)) return found;
        const bool says = run->is_new && c->agreement == Agreement::Refines;
        if (compared != nullptr && says) compared->insert(static_cast<int>(run->setup.number));
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
