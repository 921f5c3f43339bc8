#include "fuzz/oracle/monotone.h"

#include <algorithm>

#include "ir/interp/interpreter.h"
#include "ir/memory_refinement.h"
#include "verify/harness/opaque_calls.h"

namespace proviso::fuzz {

using namespace ir;

namespace {

// Some cells indeterminate: a few, or one buffer's half.
Inputs with_indet(Inputs inputs, Choice& choice) {
    const int share = choice.chance(50) ? 10 : 50;
    for (auto& [name, input] : inputs) {
        Tensor* t = std::get_if<Tensor>(&input);
        if (t == nullptr || choice.chance(50)) continue;
        for (std::size_t k = 0; k < t->size(); ++k) {
            if (choice.chance(share)) t->set(k, Value::indet());
        }
    }
    return inputs;
}

// A value in the place of every indeterminate cell.
Inputs with_values(Inputs inputs, Choice& choice) {
    for (auto& [name, input] : inputs) {
        Tensor* t = std::get_if<Tensor>(&input);
        if (t == nullptr) continue;
        const InputStyle style = t->type.is_float() ? InputStyle::Adversarial : InputStyle::Extreme;
        for (std::size_t k = 0; k < t->size(); ++k) {
            if (t->states[k] != CellState::Indet) continue;
            t->set(k, random_value(t->type, CellRange{-100, 100}, style, choice));
        }
    }
    return inputs;
}

std::optional<std::string> difference(const Outcome& vague, const Outcome& definite) {
    if (const Faulted* f = std::get_if<Faulted>(&definite)) {
        if (f->fault.kind == FaultKind::StepLimit) return std::nullopt;
        return "new fault: " + f->fault.str();
    }
    const Stopped* a = std::get_if<Stopped>(&vague);
    const Stopped* b = std::get_if<Stopped>(&definite);
    if ((a == nullptr) != (b == nullptr) || (a != nullptr && a->message != b->message)) {
        return "ends otherwise: " + describe(definite) + " instead of " + describe(vague);
    }
    const Tensors& was = a != nullptr ? a->tensors : std::get<Finished>(vague).tensors;
    const Tensors& is = b != nullptr ? b->tensors : std::get<Finished>(definite).tensors;
    for (const auto& [name, tensor] : was) {
        if (auto wrong = refinement_violation(name, tensor, is.at(name))) return wrong;
    }
    return std::nullopt;
}

// Opaque calls, of which the arguments are definite in both runs.
std::optional<std::string> other_calls(const std::vector<std::string>& vague,
                                       const std::vector<std::string>& definite) {
    const auto [a, b] = std::mismatch(vague.begin(), vague.end(), definite.begin(), definite.end());
    if (a == vague.end() && b == definite.end()) return std::nullopt;
    return "other opaque calls: " + (b == definite.end() ? "none" : *b) + " instead of " +
           (a == vague.end() ? "none" : *a);
}

}  // namespace

std::optional<Finding> check_monotone(const Function& f,
                                      const std::map<std::string, CellRange>& ranges, int runs,
                                      std::uint64_t seed, MonotoneCounts& counts) {
    const Result<Program> program = prepare(f);
    if (!program) return std::nullopt;
    const verify::OpaqueCalls opaque(f);
    for (int k = 0; k < runs; ++k) {
        const std::uint64_t run_seed = mix(seed, static_cast<std::uint64_t>(k));
        Choice choice(run_seed);
        const Result<Inputs> inputs = random_inputs(f, ranges, InputStyle::Small, choice);
        if (!inputs) continue;
        const Inputs open = with_indet(*inputs, choice);
        InterpOptions options;
        options.step_limit = kStepLimit;
        options.seed = run_seed;
        std::uint64_t frozen = 0;
        options.frozen = &frozen;
        std::vector<std::string> calls;
        InterpOptions vaguely = options;
        opaque.give_to(vaguely, run_seed, calls);
        const Result<Outcome> vague = ir::run(*program, open, vaguely);
        if (!vague) continue;
        ++counts.runs;
        if (frozen > 0) ++counts.frozen;
        if (frozen > 0 || std::holds_alternative<Faulted>(*vague)) continue;
        ++counts.counted;
        std::vector<std::string> calls_with_values;
        opaque.give_to(options, run_seed, calls_with_values);
        const Result<Outcome> definite = ir::run(*program, with_values(open, choice), options);
        if (!definite) continue;
        auto wrong = difference(*vague, *definite);
        if (!wrong) wrong = other_calls(calls, calls_with_values);
        if (!wrong) continue;
        RunSetup setup;
        setup.seed = seed;
        return Finding{"monotone", wrong->substr(0, wrong->find(':')), *wrong, open, setup};
    }
    return std::nullopt;
}

}  // namespace proviso::fuzz
