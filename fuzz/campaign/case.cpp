#include "fuzz/campaign/case.h"

#include <algorithm>
#include <ctime>
#include <nlohmann/json.hpp>

#include "fuzz/gen/graphs/graphs.h"
#include "fuzz/gen/pairs/pairs.h"
#include "fuzz/gen/schedules/schedules.h"
#include "fuzz/oracle/round_trip.h"
#include "ir/children.h"
#include "rewrite/schedule/reader/reader.h"
#include "verify/harness/opaque_calls.h"

namespace proviso::fuzz {

using namespace ir;

namespace {

constexpr int kRunsOfUnchanged = 5;

double processor_seconds() {
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

// Adds what it lives to a part's processor time.
class Part {
  public:
    Part(Summary& s, const char* name) : s_(s), name_(name), start_(processor_seconds()) {}
    ~Part() { s_.parts[name_] += processor_seconds() - start_; }
    Part(const Part&) = delete;
    Part& operator=(const Part&) = delete;

  private:
    Summary& s_;
    const char* name_;
    double start_;
};

analysis::ProverOptions prover_options(const CampaignOptions& options, std::uint64_t index) {
    analysis::ProverOptions out = campaign_prover();
    out.rlimit = options.solver_budget;
    out.use_z3 = options.tiers.solver != 0 && index % options.tiers.solver == 0;
    if (options.adjust_prover) options.adjust_prover(out);
    return out;
}

bool bound_to_threads(const Function& f) {
    bool out = false;
    for_each_stmt(f.body, [&](Stmt s) {
        const For* loop = s->as<For>();
        out |= loop != nullptr && loop->kind == ForKind::ThreadBinding;
    });
    return out;
}

}  // namespace

CaseRunner::CaseRunner(const CampaignOptions& options, std::uint64_t index)
    : o_(options),
      index_(index),
      seed_(mix(options.seed, index)),
      choice_(seed_),
      prover_(ctx_, prover_options(options, index)) {}

std::vector<Failure> CaseRunner::run() {
    if (o_.raw_steps) return raw_steps();
    if (o_.forged_steps) return forged_steps();
    const double start = processor_seconds();
    const bool scheduled = o_.schedules_only || index_ % 3 == 1;
    {
        const Part part(s_, "program");
        // Half of the schedules stand with a program in which their obligations decide.
        const bool mutated = make_mutated();
        if (mutated) {
            ++s_.features["mutated"];
        } else if (o_.graphs) {
            graph();
        } else if (o_.schedules_only && (!o_.pair_family.empty() || choice_.chance(50))) {
            GeneratedPair pair = generate_pair(ctx_, choice_, o_.pair_family);
            program_ = std::move(pair.program);
            schedule_ = std::move(pair.schedule);
        }
        const bool made = mutated || o_.graphs || !schedule_.empty();
        if (!made)
            program_ = generate_program(ctx_, choice_,
                                        scheduled ? ProgramStyle::Blocks : ProgramStyle::Mixed);
        for (const std::string& f : program_.features) ++s_.features[f];
        if (runs_without_fault()) ++s_.valid;
        ++s_.round_trips;
        report(check_round_trip(ctx_, program_.function), {});
    }
    if (each(o_.tiers.expressions)) {
        const Part part(s_, "expressions");
        report(check_monotone(program_.function, program_.ranges, 2, mix(seed_, 13), s_.monotone),
               {});
        expressions();
    }
    Result<rewrite::Derivation> d = rewrite::Derivation::start(ctx_, program_.function);
    PROVISO_CHECK(d.ok(), "a generated program is not well-formed");
    if (scheduled && schedule_.empty()) {
        schedule_ = generate_schedule(program_.function, choice_);
    }
    if (o_.show) o_.show(program_.function, schedule_);
    if (scheduled) {
        schedule(*d);
    } else {
        const Part part(s_, "steps");
        steps(*d);
    }
    afterwards(*d);
    if (o_.cpu && each(o_.tiers.cpu)) cpu(*d);
    if (o_.guide != nullptr) add_oracles(features_, s_);
    for (const std::string& f : program_.features) s_.accepted_with[f] += accepted_.size();
    ++s_.cases;
    s_.slowest = {{processor_seconds() - start, index_}};
    return std::move(failures_);
}

void CaseRunner::graph() {
    GeneratedGraph made = generate_graph(ctx_, choice_, prover_);
    program_ = std::move(made.pair.program);
    schedule_ = std::move(made.pair.schedule);
    s_.graphs = {1, made.operators, 0, made.conversions, made.cancelled > 0 ? 1U : 0U, 0};
}

void CaseRunner::report(const std::optional<Finding>& found, const std::vector<StepGuess>& steps) {
    if (!found) return;
    failures_.push_back(Failure{program_.function, program_.ranges, steps, schedule_, *found});
    failures_.back().finding.setup.series = seed_;
}

bool CaseRunner::runs_without_fault() {
    const Result<Program> program = prepare(program_.function);
    PROVISO_CHECK(program.ok(), "a generated program uses what is not in scope");
    for (const InputStyle style : {InputStyle::Small, InputStyle::Adversarial}) {
        const Result<Inputs> inputs =
            random_inputs(program_.function, program_.ranges, style, choice_);
        if (!inputs) return false;
        InterpOptions options;
        options.step_limit = kStepLimit;
        std::vector<std::string> calls;
        verify::OpaqueCalls(program_.function).give_to(options, seed_, calls);
        const Result<Outcome> out = ir::run(*program, *inputs, options);
        if (!out || std::holds_alternative<Faulted>(*out)) return false;
    }
    return true;
}

// Each from a seed of its own, by which it can be repeated alone.
void CaseRunner::expressions() {
    for (std::uint64_t k = 0; k < 4; ++k) {
        Choice choice(mix(seed_, k));
        report_expression(check_domains(choice, s_.domains), mix(seed_, k));
    }
    for (std::uint64_t k = 5; k < 13; ++k) {
        Choice choice(mix(seed_, k));
        report_expression(check_rules(choice, s_.rule_instances), mix(seed_, k));
    }
    if (!o_.encoder || (index_ / o_.tiers.expressions) % 4 != 0) return;
    Choice choice(mix(seed_, 4));
    report_expression(check_encoder(ctx_, choice, prover_, s_.encoder), mix(seed_, 4));
}

void CaseRunner::report_expression(std::optional<Finding> found, std::uint64_t seed) {
    if (found) found->setup.seed = seed;
    report(found, {});
}

// A schedule instead of guessed steps: its primitives propose the steps.
void CaseRunner::schedule(rewrite::Derivation& d) {
    if (schedule_.empty()) return;
    ++s_.schedules;
    {
        const Part part(s_, "schedule");
        rewrite::Proposer proposer(d, prover_);
        CallFeatures calls(features_, schedule_);
        const auto report_of = rewrite::run_schedule(
            proposer, schedule_, "schedule.py", [&](const rewrite::ScheduleReport::Done& done) {
                if (o_.guide != nullptr) calls.done(done);
                const std::uint64_t idle = done.steps + done.inner_steps == 0 ? 1 : 0;
                count_call(s_.by_primitive, done.primitive, schedule_, done.line, {1, 0, idle});
            });
        if (!report_of) ++s_.schedules_mistaken;
        if (report_of && report_of->refusal) {
            ++s_.schedules_refused;
            if (o_.guide != nullptr) calls.refused(*report_of);
            count_call(s_.by_primitive, report_of->refused_primitive, schedule_,
                       report_of->refused_line, {1, 1, 0});
        }
        if (report_of) s_.primitives += report_of->done.size();
    }
    if (o_.guide != nullptr) add_steps(features_, d.steps());
    if (s_.graphs.graphs != 0 && s_.schedules_refused + s_.schedules_mistaken == 0) {
        ++s_.graphs.proved;
        s_.graphs.cancelling_proved += s_.graphs.cancelling;
    }
    for (const rewrite::Step& step : d.steps()) {
        RuleCounts& counts = s_.rules[step.rule];
        ++counts.tried;
        ++counts.accepted;
        accepted_.push_back(StepGuess{step.rule, step.site, step.args});
    }
    const Part part(s_, "refinement");
    // A program that nothing has changed is hardly worth comparing with itself.
    const bool changed = !accepted_.empty();
    const int runs = changed ? o_.runs : std::min(o_.runs, kRunsOfUnchanged);
    report(check_refinement(ctx_, d.source(), d.current(), program_.ranges, runs, seed_,
                            s_.refinement, kStepLimit, changed ? &compared_ : nullptr),
           accepted_);
    s_.triples.triples += compared_.size();
    s_.triples.pairs += compared_.empty() ? 0 : 1;
}

void CaseRunner::steps(rewrite::Derivation& d) {
    for (int k = 0; k < o_.steps; ++k) {
        const std::optional<StepGuess> guess = guess_step(ctx_, d.current(), choice_);
        if (!guess) continue;
        RuleCounts& counts = s_.rules[guess->rule];
        ++counts.tried;
        const auto args = nlohmann::json::parse(guess->args);
        const auto refused = d.apply(guess->rule, guess->site, args, prover_);
        if (refused) {
            counts.count(*refused);
            continue;
        }
        ++counts.accepted;
        accepted_.push_back(*guess);
        const std::optional<Finding> found = check_refinement(
            ctx_, d.source(), d.current(), program_.ranges, o_.runs, seed_, s_.refinement);
        if (found) {
            report(found, accepted_);
            return;
        }
    }
}

// What is asked of a whole derivation now and then.
void CaseRunner::afterwards(const rewrite::Derivation& d) {
    if (!failures_.empty()) return;
    if (each(o_.tiers.validation)) {
        const Part part(s_, "validation");
        report(check_validation(d, prover_, s_.validation), accepted_);
    }
    if (each(o_.tiers.adapters)) {
        const Part part(s_, "adapters");
        report(check_adapters(ctx_, d.current(), program_.ranges, 2, seed_, prover_, s_.adapters),
               accepted_);
    }
}

void CaseRunner::cpu(rewrite::Derivation& d) {
    if (!failures_.empty()) return;
    {
        const Part part(s_, "lowering");
        while (const auto step = next_lowering(d.current())) {
            RuleCounts& counts = s_.rules[step->rule];
            ++counts.tried;
            if (d.apply(step->rule, step->site, nlohmann::json::object(), prover_)) {
                ++counts.no_match;
                return;
            }
            ++counts.accepted;
            accepted_.push_back(*step);
        }
        report(check_refinement(ctx_, d.source(), d.current(), program_.ranges, 2, seed_,
                                s_.refinement),
               accepted_);
    }
    if (bound_to_threads(d.current())) return;  // the GPU's business
    const Part part(s_, "cpu");
    const bool optimise = (index_ / o_.tiers.cpu) % 8 == 7;
    InputNumbers ran;
    report(check_cpu(ctx_, d.source(), d.current(), program_.ranges, o_.runs, seed_, optimise,
                     s_.cpu, &ran),
           accepted_);
    s_.triples.compiled += static_cast<std::uint64_t>(std::count_if(
        compared_.begin(), compared_.end(), [&](int number) { return ran.count(number) != 0; }));
    if (o_.guide == nullptr) return;
    add_compiled(features_, d.current(),
                 s_.cpu.compiled == 0 ? "no code" : (optimise ? "O2" : "O0"));
}

}  // namespace proviso::fuzz
