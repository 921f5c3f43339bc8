#include "verify/harness/has_input.h"

#include "analysis/facts.h"
#include "ir/site.h"
#include "ir/text.h"
#include "verify/harness/inputs.h"
#include "verify/harness/mend.h"

namespace proviso::verify {

using namespace ir;
using analysis::Answer;
using analysis::Verdict;

const char* has_input_name(HasInput h) {
    switch (h) {
        case HasInput::Yes: return "yes";
        case HasInput::No: return "no";
        case HasInput::NotFound: return "not found";
    }
    return "?";
}

namespace {

constexpr std::uint64_t kRuns = 20;
constexpr std::uint64_t kStepsOfARun = 1'000'000;

bool assumes_something(const Function& f) {
    for (const auto& [site, stmt] : all_statements(f)) {
        if (stmt->as<Assume>() != nullptr) return true;
    }
    return false;
}

std::string spelled(const std::vector<analysis::ModelValue>& model) {
    std::string out;
    for (const analysis::ModelValue& v : model) {
        if (v.value == nullptr) continue;
        out += (out.empty() ? "" : ", ") + v.name + " = " + print(v.value);
    }
    return out;
}

std::string spelled(const Function& f, const Sizes& sizes) {
    std::string out;
    for (Expr v : size_variables(f)) {
        const auto value = sizes.find(v);
        if (value == sizes.end()) continue;
        out += (out.empty() ? "" : ", ") + std::string(*v->name) + " = " + print(value->second);
    }
    return out;
}

// The sizes of a model: what is declared can hold with them.
Sizes sizes_in(const std::vector<analysis::ModelValue>& model) {
    Sizes out;
    for (const analysis::ModelValue& v : model) {
        if (v.expr->op == Op::Var && v.value != nullptr) out[v.expr] = v.value;
    }
    return out;
}

bool runs(Context& ctx, const Function& f, std::uint64_t seed, const InputOptions& options,
          const InputMender& mender, Sizes& sizes) {
    Result<Inputs> inputs = random_inputs(ctx, f, seed, options);
    if (!inputs) return false;
    mender.mend(*inputs, seed, kStepsOfARun);
    InterpOptions interp;
    interp.step_limit = kStepsOfARun;
    const Result<Outcome> outcome = run(f, *inputs, interp);
    if (!outcome || std::holds_alternative<Faulted>(*outcome)) return false;
    sizes = sizes_of(ctx, f, *inputs);
    return true;
}

}  // namespace

bool has_no_input(Context& ctx, const Function& f, analysis::Prover& prover) {
    const Answer none = prover.prove(analysis::parameter_facts(ctx, f), ctx.false_());
    return none.verdict == Verdict::Proved;
}

InputSearch find_input(Context& ctx, const Function& f, analysis::Prover& prover) {
    const Answer none = prover.prove(analysis::parameter_facts(ctx, f), ctx.false_());
    if (none.verdict == Verdict::Proved) return {HasInput::No, ""};
    if (none.verdict == Verdict::Refuted && !assumes_something(f)) {
        return {HasInput::Yes, spelled(none.model)};
    }
    const InputMender mender(ctx, f);
    InputOptions options;
    options.max_extent = 4;
    for (std::uint64_t k = 0; k < kRuns; ++k) {
        options.fixed = k % 2 == 0 ? sizes_in(none.model) : Sizes{};
        Sizes sizes;
        if (runs(ctx, f, k / 2, options, mender, sizes)) return {HasInput::Yes, spelled(f, sizes)};
    }
    return {};
}

std::string parameter_conditions(Context& ctx, const Function& f) {
    std::string out;
    for (Expr e : analysis::parameter_facts(ctx, f)) out += (out.empty() ? "" : ", ") + print(e);
    return out;
}

}  // namespace proviso::verify
