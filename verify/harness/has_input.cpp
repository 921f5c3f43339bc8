#include "verify/harness/has_input.h"

#include <nlohmann/json.hpp>

#include "analysis/facts/facts.h"
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
constexpr std::size_t kMostUnclear = 3;
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

enum class Ran : std::uint8_t { Fine, Faulted, Unclear };

// Unclear: no such input can be made, or the interpreter gives up on it.
Ran run_one(Context& ctx, const Function& f, std::uint64_t seed, const InputOptions& options,
            const InputMender& mender, Sizes& sizes, Fault& fault) {
    Result<Inputs> inputs = random_inputs(ctx, f, seed, options);
    if (!inputs) return Ran::Unclear;
    mender.mend(*inputs, seed, kStepsOfARun);
    InterpOptions interp;
    interp.step_limit = kStepsOfARun;
    interp.check_regions = true;  // a claim that is false is a fault
    const Result<Outcome> outcome = run(f, *inputs, interp);
    if (!outcome) return Ran::Unclear;
    sizes = sizes_of(ctx, f, *inputs);
    const Faulted* ended = std::get_if<Faulted>(&*outcome);
    if (ended == nullptr) return Ran::Fine;
    fault = ended->fault;
    const bool gave_up =
        fault.kind == FaultKind::StepLimit || fault.kind == FaultKind::UnsupportedCall;
    return gave_up ? Ran::Unclear : Ran::Faulted;
}

}  // namespace

bool has_no_input(Context& ctx, const Function& f, analysis::Prover& prover) {
    const Answer none = prover.prove(analysis::parameter_facts(ctx, f), ctx.false_());
    return none.verdict == Verdict::Proved;
}

InputSearch find_input(Context& ctx, const Function& f, analysis::Prover& prover) {
    const Answer none = prover.prove(analysis::parameter_facts(ctx, f), ctx.false_());
    if (none.verdict == Verdict::Proved) return {HasInput::No, "", 0, ""};
    const bool free = none.verdict == Verdict::Refuted && !assumes_something(f);
    const InputMender mender(ctx, f);
    InputSearch out;
    std::size_t unclear = 0;
    for (std::uint64_t k = 0; k < kRuns && unclear < kMostUnclear; ++k) {
        InputOptions options;
        options.max_extent = k < kRuns / 2 ? 4 : 64;
        options.fixed = k % 2 == 0 ? sizes_in(none.model) : Sizes{};
        Sizes sizes;
        Fault fault;
        const Ran ran = run_one(ctx, f, k / 2, options, mender, sizes, fault);
        if (ran == Ran::Fine || (ran == Ran::Unclear && free)) {
            return {HasInput::Yes, free ? spelled(none.model) : spelled(f, sizes), 0, ""};
        }
        if (ran == Ran::Unclear) {
            ++unclear;
            continue;
        }
        ++out.faulted;
        if (out.fault.empty() && fault.kind != FaultKind::AssumeFalse) out.fault = fault.str();
    }
    return out;
}

std::string InputSearch::warning() const {
    if (found != HasInput::NotFound) return "";
    if (fault.empty()) {
        return "no input was found that satisfies the assumptions: what is proved may say nothing";
    }
    return "each of " + std::to_string(faulted) +
           " inputs that were tried faults in the source, where nothing is promised: what is "
           "proved "
           "may say nothing (" +
           fault + ")";
}

nlohmann::json InputSearch::json() const {
    return {{"exist", has_input_name(found)},
            {"example", example},
            {"faulted", faulted},
            {"fault", fault},
            {"warning", warning()}};
}

std::string parameter_conditions(Context& ctx, const Function& f) {
    std::string out;
    for (Expr e : analysis::parameter_facts(ctx, f)) out += (out.empty() ? "" : ", ") + print(e);
    return out;
}

}  // namespace proviso::verify
