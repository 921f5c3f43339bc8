#include "fuzz/campaign/campaign.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "fuzz/campaign/failure_files.h"
#include "fuzz/gen/schedules.h"
#include "fuzz/oracle/round_trip.h"
#include "rewrite/schedule/reader.h"

namespace proviso::fuzz {

using namespace ir;
using Clock = std::chrono::steady_clock;

namespace {

class CaseRunner {
  public:
    CaseRunner(const CampaignOptions& options, std::uint64_t index, Summary& summary)
        : o_(options),
          s_(summary),
          index_(index),
          seed_(mix(options.seed, index)),
          choice_(seed_),
          prover_(ctx_, prover_options(options)) {}
    ~CaseRunner() {
        if (o_.prover_done) o_.prover_done(prover_.stats());
    }
    CaseRunner(const CaseRunner&) = delete;
    CaseRunner& operator=(const CaseRunner&) = delete;

    std::vector<Failure> run() {
        const bool scheduled = o_.schedules_only || index_ % 3 == 1;
        program_ =
            generate_program(ctx_, choice_, scheduled ? ProgramStyle::Blocks : ProgramStyle::Mixed);
        for (const std::string& f : program_.features) ++s_.features[f];
        if (runs_without_fault()) ++s_.valid;
        ++s_.round_trips;
        report(check_round_trip(ctx_, program_.function), {});
        report(check_monotone(program_.function, program_.ranges, 2, mix(seed_, 13), s_.monotone),
               {});
        expressions();
        Result<rewrite::Derivation> d = rewrite::Derivation::start(ctx_, program_.function);
        PROVISO_CHECK(d.ok(), "a generated program is not well-formed");
        if (scheduled) {
            schedule(*d);
        } else {
            steps(*d);
        }
        if (o_.cpu) cpu(*d);
        return std::move(failures_);
    }
    Context& context() { return ctx_; }
    analysis::Prover& prover() { return prover_; }

  private:
    static analysis::ProverOptions prover_options(const CampaignOptions& options) {
        analysis::ProverOptions out = campaign_prover();
        if (options.adjust_prover) options.adjust_prover(out);
        return out;
    }

    void report(const std::optional<Finding>& found, const std::vector<StepGuess>& steps) {
        if (!found) return;
        failures_.push_back(Failure{program_.function, program_.ranges, steps, "", *found});
        failures_.back().finding.setup.series = seed_;
    }

    bool runs_without_fault() {
        const Result<Program> program = prepare(program_.function);
        PROVISO_CHECK(program.ok(), "a generated program uses what is not in scope");
        for (const InputStyle style : {InputStyle::Small, InputStyle::Adversarial}) {
            const Result<Inputs> inputs =
                random_inputs(program_.function, program_.ranges, style, choice_);
            if (!inputs) return false;
            InterpOptions options;
            options.step_limit = kStepLimit;
            const Result<Outcome> out = ir::run(*program, *inputs, options);
            if (!out || std::holds_alternative<Faulted>(*out)) return false;
        }
        return true;
    }

    // Each from a seed of its own, by which it can be repeated alone.
    void expressions() {
        for (std::uint64_t k = 0; k < 4; ++k) {
            Choice choice(mix(seed_, k));
            report_expression(check_domains(choice, s_.domains), mix(seed_, k));
        }
        for (std::uint64_t k = 5; k < 13; ++k) {
            Choice choice(mix(seed_, k));
            report_expression(check_rules(choice, s_.rule_instances), mix(seed_, k));
        }
        if (!o_.encoder || index_ % 4 != 0) return;
        Choice choice(mix(seed_, 4));
        report_expression(check_encoder(ctx_, choice, prover_, s_.encoder), mix(seed_, 4));
    }
    void report_expression(std::optional<Finding> found, std::uint64_t seed) {
        if (found) found->setup.seed = seed;
        report(found, {});
    }

    // A schedule instead of guessed steps: its primitives propose the steps.
    void schedule(rewrite::Derivation& d) {
        const std::string text = generate_schedule(program_.function, choice_);
        if (text.empty()) return;
        ++s_.schedules;
        rewrite::Proposer proposer(d, prover_);
        const auto report_of = rewrite::run_schedule(
            proposer, text, "schedule.py", [&](const rewrite::ScheduleReport::Done& done) {
                PrimitiveCounts& counts = s_.by_primitive[done.primitive];
                ++counts.called;
                counts.idle += done.steps == 0 ? 1 : 0;
            });
        if (!report_of) ++s_.schedules_mistaken;
        if (report_of && report_of->refusal) {
            ++s_.schedules_refused;
            PrimitiveCounts& counts = s_.by_primitive[report_of->refused_primitive];
            ++counts.called;
            ++counts.refused;
        }
        if (report_of) s_.primitives += report_of->done.size();
        for (const rewrite::Step& step : d.steps()) {
            RuleCounts& counts = s_.rules[step.rule];
            ++counts.tried;
            ++counts.accepted;
            accepted_.push_back(StepGuess{step.rule, step.site, step.args});
        }
        report(check_refinement(ctx_, d.source(), d.current(), program_.ranges, o_.runs, seed_,
                                s_.refinement),
               accepted_);
        if (!failures_.empty()) failures_.back().schedule = text;
    }

    void steps(rewrite::Derivation& d) {
        for (int k = 0; k < o_.steps; ++k) {
            const std::optional<StepGuess> guess = guess_step(ctx_, d.current(), choice_);
            if (!guess) continue;
            RuleCounts& counts = s_.rules[guess->rule];
            ++counts.tried;
            const auto args = nlohmann::json::parse(guess->args);
            const auto refused = d.apply(guess->rule, guess->site, args, prover_);
            if (refused) {
                const bool asked = refused->failed.has_value();
                const bool refuted = refused->answer.verdict == analysis::Verdict::Refuted;
                ++(!asked ? counts.no_match : refuted ? counts.refuted : counts.unknown);
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

    void cpu(rewrite::Derivation& d) {
        if (!failures_.empty()) return;
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
        const bool optimise = index_ % 8 == 7;
        report(check_cpu(ctx_, d.source(), d.current(), program_.ranges, o_.runs, seed_, optimise,
                         s_.cpu),
               accepted_);
    }

    const CampaignOptions& o_;
    Summary& s_;
    std::uint64_t index_;
    std::uint64_t seed_;
    Choice choice_;
    Context ctx_;
    analysis::Prover prover_;
    GeneratedProgram program_;
    std::vector<StepGuess> accepted_;
    std::vector<Failure> failures_;
};

// One kind of failure is written once, made smaller first.
Status record(CaseRunner& runner, const CampaignOptions& o, Summary& s, Failure failure) {
    ++s.findings;
    std::string kind = failure.finding.oracle + ": " + failure.finding.signature;
    if (!failure.steps.empty() && failure.finding.oracle == "refinement") {
        kind += " after " + failure.steps.back().rule;
    }
    const bool is_new = s.kinds[kind]++ == 0;
    if (!is_new || o.out.empty() || s.folders.size() >= o.max_failures) return Unit{};
    const bool shrinks = failure.finding.oracle == "refinement" ||
                         failure.finding.oracle == "cpu" || failure.finding.oracle == "round-trip";
    if (shrinks) {
        failure = shrink(runner.context(), std::move(failure), o.shrink_budget, runner.prover());
    }
    const std::string folder = fmt::format("{}/failures/{}", o.out, s.folders.size() + 1);
    s.folders.push_back(folder);
    return write_failure(runner.context(), folder, failure, runner.prover());
}

}  // namespace

Result<Summary> run_campaign(const CampaignOptions& o) {
    const Clock::time_point start = Clock::now();
    Summary s;
    s.seed = o.seed;
    if (!o.out.empty()) {
        std::error_code failed;
        std::filesystem::create_directories(o.out, failed);
        if (failed) return error("cannot make " + o.out + ": " + failed.message());
    }
    for (std::uint64_t k = o.first; k < o.first + o.cases; ++k) {
        CaseRunner runner(o, k, s);
        std::vector<Failure> failures = runner.run();
        ++s.cases;
        for (Failure& f : failures) {
            Status ok = record(runner, o, s, std::move(f));
            if (!ok) return ok.error();
        }
        s.seconds = std::chrono::duration<double>(Clock::now() - start).count();
        if (o.progress) o.progress(s);
        if (o.stop_at_first && s.findings > 0) break;
        if (o.seconds > 0 && s.seconds >= o.seconds) break;
    }
    if (!o.out.empty()) {
        std::ofstream out(o.out + "/summary.json");
        out << s.json().dump(1) << "\n";
        if (!out) return error("cannot write " + o.out + "/summary.json");
    }
    return s;
}

nlohmann::json Summary::json() const {
    nlohmann::json by_rule = nlohmann::json::object();
    for (const auto& [name, c] : rules) {
        by_rule[name] = {{"tried", c.tried},
                         {"accepted", c.accepted},
                         {"no_match", c.no_match},
                         {"refuted", c.refuted},
                         {"unknown", c.unknown}};
    }
    nlohmann::json by_name = nlohmann::json::object();
    for (const auto& [name, c] : by_primitive) {
        by_name[name] = {{"called", c.called},
                         {"accepted", c.effective()},
                         {"idle", c.idle},
                         {"refused", c.refused}};
    }
    return {{"seed", seed},
            {"cases", cases},
            {"valid_programs", valid},
            {"rules", by_rule},
            {"refinement",
             {{"runs", refinement.runs},
              {"counted", refinement.counted},
              {"undecided", refinement.undecided}}},
            {"cpu", {{"compiled", cpu.compiled}, {"refused", cpu.refused}, {"runs", cpu.runs}}},
            {"domains", {{"checked", domains.checked}}},
            {"encoder", {{"checked", encoder.checked}, {"undecided", encoder.undecided}}},
            {"monotone", {{"runs", monotone.runs}, {"counted", monotone.counted}}},
            {"rule_instances", {{"checked", rule_instances.checked}}},
            {"round_trips", round_trips},
            {"schedules",
             {{"run", schedules},
              {"refused", schedules_refused},
              {"mistaken", schedules_mistaken},
              {"primitives", primitives},
              {"by_primitive", by_name}}},
            {"features", features},
            {"findings", findings},
            {"kinds", kinds},
            {"failures", folders.size()},
            {"time", {{"seconds", seconds}}}};
}

std::string Summary::line() const {
    std::uint64_t tried = 0;
    std::uint64_t accepted = 0;
    for (const auto& [name, c] : rules) {
        tried += c.tried;
        accepted += c.accepted;
    }
    const double share =
        cases == 0 ? 0.0 : 100.0 * static_cast<double>(valid) / static_cast<double>(cases);
    return fmt::format(
        "{} cases ({:.1f} % valid), {} steps accepted of {}, {} runs compared, {} on the CPU, {} "
        "findings, {:.0f} cases/s",
        cases, share, accepted, tried, refinement.runs, cpu.runs, findings,
        seconds > 0 ? static_cast<double>(cases) / seconds : 0.0);
}

std::string Summary::primitives_table() const {
    std::string out = fmt::format("  {:<38} {:>8} {:>10} {:>10} {:>9}\n", "schedule primitive",
                                  "called", "accepted", "no effect", "refused");
    for (const auto& [name, c] : by_primitive) {
        if (name == "get_block" || name == "get_loops") continue;  // these find, and change nothing
        const double share = 100.0 * static_cast<double>(c.effective()) /
                             static_cast<double>(std::max<std::uint64_t>(c.called, 1));
        out += fmt::format("  {:<38} {:>8} {:>8.0f} % {:>10} {:>9}\n", name, c.called, share,
                           c.idle, c.refused);
    }
    return out;
}

}  // namespace proviso::fuzz
