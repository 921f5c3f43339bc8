#include "fuzz/campaign/failure.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "analysis/layout/layout.h"
#include "analysis/prover/prover.h"
#include "fuzz/gen/shrink.h"
#include "fuzz/oracle/cpu.h"
#include "fuzz/oracle/derivations.h"
#include "fuzz/oracle/expressions.h"
#include "fuzz/oracle/monotone.h"
#include "fuzz/oracle/refinement.h"
#include "fuzz/oracle/round_trip.h"
#include "rewrite/kernel/derivation.h"

namespace proviso::fuzz {

using namespace ir;

analysis::ProverOptions campaign_prover() {
    analysis::ProverOptions options;
    options.use_cvc5 = false;
    options.rlimit = 200'000;
    return options;
}

Result<rewrite::Derivation> replay(Context& ctx, const Function& source,
                                   const std::vector<StepGuess>& steps, analysis::Prover& prover,
                                   std::vector<StepGuess>& accepted) {
    Result<rewrite::Derivation> d = rewrite::Derivation::start(ctx, source);
    if (!d) return d.error();
    for (const StepGuess& s : steps) {
        const nlohmann::json args = nlohmann::json::parse(s.args, nullptr, false);
        if (args.is_discarded()) continue;
        if (!d->apply(s.rule, s.site, args, prover)) accepted.push_back(s);
    }
    return d;
}

Result<Played> play(Context& ctx, const Function& source, const std::vector<StepGuess>& steps,
                    analysis::Prover& prover) {
    Played out;
    Result<rewrite::Derivation> d = replay(ctx, source, steps, prover, out.accepted);
    if (!d) return d.error();
    out.derived = d->current();
    while (const auto step = next_lowering(d->current())) {
        if (d->apply(step->rule, step->site, nlohmann::json::object(), prover)) break;
    }
    out.lowered = d->current();
    return out;
}

namespace {

bool is_of_expression(const std::string& oracle) {
    return oracle == "domains" || oracle == "encoder" || oracle == "rules";
}

bool is_of_derivation(const std::string& oracle) {
    return oracle == "validation" || oracle == "adapters";
}

// Those make their own expression from the seed.
std::optional<Finding> ask_expression(Context& ctx, const Finding& was, analysis::Prover& prover) {
    Choice choice(was.setup.seed);
    ExpressionCounts counts;
    if (was.oracle == "domains") return check_domains(choice, counts);
    if (was.oracle == "rules") return check_rules(choice, counts);
    return check_encoder(ctx, choice, prover, counts);
}

std::optional<Finding> ask_derivation(Context& ctx, const Failure& failure, int runs,
                                      analysis::Prover& prover) {
    std::vector<StepGuess> accepted;
    const Result<rewrite::Derivation> d =
        replay(ctx, failure.source, failure.steps, prover, accepted);
    if (!d) return std::nullopt;
    if (failure.finding.oracle == "validation") {
        ValidationCounts counts;
        return check_validation(*d, prover, counts);
    }
    AdapterCounts counts;
    return check_adapters(ctx, d->current(), failure.ranges, runs, failure.finding.setup.series,
                          prover, counts);
}

}  // namespace

bool can_shrink(const Failure& failure) {
    return !is_of_expression(failure.finding.oracle) && failure.finding.oracle != "monotone";
}

std::optional<Finding> ask_again(Context& ctx, const Failure& failure, int runs,
                                 analysis::Prover& prover) {
    const Finding& was = failure.finding;
    if (was.oracle == "round-trip") return check_round_trip(ctx, failure.source);
    if (was.oracle == "monotone") {
        MonotoneCounts counts;
        return check_monotone(failure.source, failure.ranges, runs, was.setup.seed, counts);
    }
    if (is_of_expression(was.oracle)) return ask_expression(ctx, was, prover);
    if (is_of_derivation(was.oracle)) return ask_derivation(ctx, failure, 10, prover);
    const Result<Played> played = play(ctx, failure.source, failure.steps, prover);
    if (!played) return std::nullopt;
    if (was.oracle == "cpu") {
        CpuCounts counts;
        return check_cpu(ctx, failure.source, played->lowered, failure.ranges, runs,
                         was.setup.series, was.setup.optimise, counts);
    }
    RefinementCounts counts;
    if (played->accepted.empty()) return std::nullopt;
    return check_refinement(ctx, failure.source, played->derived, failure.ranges, runs,
                            was.setup.series, counts);
}

std::optional<Finding> ask_on_inputs(Context& ctx, const Failure& failure,
                                     analysis::Prover& prover) {
    const Finding& was = failure.finding;
    if (was.oracle == "round-trip") return check_round_trip(ctx, failure.source);
    if (is_of_expression(was.oracle)) return ask_expression(ctx, was, prover);
    if (is_of_derivation(was.oracle)) return ask_derivation(ctx, failure, 10, prover);
    const Result<Played> played = play(ctx, failure.source, failure.steps, prover);
    if (!played) return std::nullopt;
    if (was.oracle == "cpu") {
        CpuCounts counts;
        return check_cpu_on(ctx, played->lowered, was.inputs, was.setup, counts);
    }
    RefinementCounts counts;
    return check_refinement_on(ctx, failure.source, played->derived, was.inputs, was.setup, counts);
}

namespace {

bool same_failure(const std::optional<Finding>& found, const Finding& was) {
    return found && found->oracle == was.oracle && found->signature == was.signature;
}

// Cells to zero or one where the failure stays.
void shrink_inputs(Failure& failure, int& budget, const Asker::OnInputs& fails) {
    if (!fails) return;
    const Inputs whole = failure.finding.inputs;
    for (const auto& [name, input] : whole) {
        const Tensor* tensor = std::get_if<Tensor>(&input);
        for (std::size_t k = 0; tensor != nullptr && k < tensor->size() && budget > 0; ++k) {
            for (const int v : {0, 1}) {
                Inputs simpler = failure.finding.inputs;
                const Value value = tensor->type.is_float()
                                        ? Value::of_float(static_cast<double>(v))
                                        : Value::of_int(v);
                std::get<Tensor>(simpler[name]).set(k, value);
                --budget;
                const std::optional<Finding> found = fails(simpler);
                if (!same_failure(found, failure.finding)) continue;
                const RunSetup setup = failure.finding.setup;
                failure.finding = *found;
                failure.finding.setup = setup;
                break;
            }
        }
    }
}

// Of the oracles that compare two programs.
Asker::OnInputs ask_about_inputs(Context& ctx, const Failure& failure, analysis::Prover& prover) {
    const bool cpu = failure.finding.oracle == "cpu";
    if (!cpu && failure.finding.oracle != "refinement") return nullptr;
    const Result<Played> played = play(ctx, failure.source, failure.steps, prover);
    if (!played) return nullptr;
    return [&ctx, cpu, source = failure.source, setup = failure.finding.setup,
            played = *played](const Inputs& inputs) {
        if (cpu) {
            CpuCounts counts;
            return check_cpu_on(ctx, played.lowered, inputs, setup, counts);
        }
        RefinementCounts counts;
        return check_refinement_on(ctx, source, played.derived, inputs, setup, counts);
    };
}

}  // namespace

Failure shrink_by(const Asker& ask, Context& ctx, Failure failure, int budget,
                  analysis::Prover& prover) {
    const auto keep_if_same = [&](Failure candidate) {
        --budget;
        const std::optional<Finding> found = ask.again(candidate);
        if (!same_failure(found, failure.finding)) return false;
        const std::uint64_t series = failure.finding.setup.series;
        failure = std::move(candidate);
        failure.finding = *found;
        failure.finding.setup.series = series;
        return true;
    };
    // From the program that the first steps lead to, when that has the failure without them.
    for (std::size_t k = failure.steps.size() - std::min(failure.steps.size(), ask.steps_kept);
         k > 0; --k) {
        const auto cut = failure.steps.begin() + static_cast<std::ptrdiff_t>(k);
        const Result<Played> prefix =
            play(ctx, failure.source, {failure.steps.begin(), cut}, prover);
        if (!prefix || prefix->derived.attrs.count(analysis::kLayoutAttr) != 0) continue;
        Failure candidate = failure;
        candidate.source = prefix->derived;
        candidate.steps.assign(cut, failure.steps.end());
        if (keep_if_same(std::move(candidate))) break;
    }
    const auto without = [&](const std::vector<StepGuess>& steps) {
        Failure candidate = failure;
        candidate.steps = steps;
        return keep_if_same(std::move(candidate));
    };
    failure.steps = shrink_list<StepGuess>(failure.steps, without, budget / 2);
    const auto smaller = [&](const Function& f) {
        Failure candidate = failure;
        candidate.source = f;
        return keep_if_same(std::move(candidate));
    };
    shrink_program(ctx, failure.source, smaller, budget);
    failure.steps = shrink_list<StepGuess>(failure.steps, without, 50);
    int left = 200;
    if (ask.on_inputs) shrink_inputs(failure, left, ask.on_inputs(failure));
    return failure;
}

Failure shrink(Context& ctx, Failure failure, int budget, analysis::Prover& prover) {
    // Up to the inputs that have shown it.
    const int runs = std::max(10, static_cast<int>(failure.finding.setup.number) + 1);
    Asker ask;
    ask.again = [&](const Failure& candidate) { return ask_again(ctx, candidate, runs, prover); };
    ask.on_inputs = [&](const Failure& found) { return ask_about_inputs(ctx, found, prover); };
    return shrink_by(ask, ctx, std::move(failure), budget, prover);
}

}  // namespace proviso::fuzz
