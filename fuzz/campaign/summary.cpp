#include "fuzz/campaign/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "fuzz/campaign/call_options.h"
#include "rewrite/schedule/reader/signatures.h"

namespace proviso::fuzz {

namespace {

constexpr std::size_t kSlowestTold = 5;
// An option that is called less often may have had no chance.
constexpr std::uint64_t kCallsToExpectOne = 20;

// These find something, and change nothing.
bool finds(const std::string& primitive) {
    const rewrite::Signature* known = rewrite::find_signature(primitive);
    return primitive == "print" || (known != nullptr && known->query);
}

void add_counts(ExpressionCounts& to, const ExpressionCounts& from) {
    to.checked += from.checked;
    to.undecided += from.undecided;
}

}  // namespace

void RuleCounts::count(const rewrite::Rejection& refused) {
    const bool asked = refused.failed.has_value();
    const bool wrong = refused.answer.verdict == analysis::Verdict::Refuted;
    ++(!asked ? no_match : wrong ? refuted : unknown);
}

double CallCounts::share() const {
    return called == 0 ? 0.0
                       : 100.0 * static_cast<double>(effective()) / static_cast<double>(called);
}

void CallCounts::add(const CallCounts& o) {
    called += o.called;
    refused += o.refused;
    idle += o.idle;
}

void count_call(PrimitiveTable& table, const std::string& primitive, const std::string& schedule,
                int line, CallCounts one) {
    PrimitiveCounts& counts = table[primitive];
    counts.add(one);
    for (const std::string& option : call_options(schedule, line)) counts.options[option].add(one);
}

void GraphCounts::add(const GraphCounts& o) {
    graphs += o.graphs;
    operators += o.operators;
    proved += o.proved;
    conversions += o.conversions;
    cancelling += o.cancelling;
    cancelling_proved += o.cancelling_proved;
}

void Summary::add(const Summary& o) {
    cases += o.cases;
    valid += o.valid;
    for (const auto& [name, c] : o.rules) {
        RuleCounts& mine = rules[name];
        mine.tried += c.tried;
        mine.accepted += c.accepted;
        mine.no_match += c.no_match;
        mine.refuted += c.refuted;
        mine.unknown += c.unknown;
    }
    refinement.runs += o.refinement.runs;
    refinement.counted += o.refinement.counted;
    refinement.undecided += o.refinement.undecided;
    triples.pairs += o.triples.pairs;
    triples.triples += o.triples.triples;
    triples.compiled += o.triples.compiled;
    graphs.add(o.graphs);
    cpu.compiled += o.cpu.compiled;
    cpu.refused += o.cpu.refused;
    cpu.runs += o.cpu.runs;
    add_counts(domains, o.domains);
    add_counts(encoder, o.encoder);
    add_counts(rule_instances, o.rule_instances);
    monotone.runs += o.monotone.runs;
    monotone.frozen += o.monotone.frozen;
    monotone.counted += o.monotone.counted;
    validation.steps += o.validation.steps;
    validation.bounded += o.validation.bounded;
    adapters.programs += o.adapters.programs;
    adapters.refused += o.adapters.refused;
    adapters.parameters += o.adapters.parameters;
    round_trips += o.round_trips;
    schedules += o.schedules;
    schedules_refused += o.schedules_refused;
    schedules_mistaken += o.schedules_mistaken;
    primitives += o.primitives;
    for (const auto& [name, c] : o.by_primitive) {
        PrimitiveCounts& mine = by_primitive[name];
        mine.add(c);
        for (const auto& [option, of_option] : c.options) mine.options[option].add(of_option);
    }
    for (const auto& [name, n] : o.features) features[name] += n;
    for (const auto& [name, n] : o.accepted_with) accepted_with[name] += n;
    judged += o.judged;
    for (const auto& [by, c] : o.refused) {
        refused[by].refuted += c.refuted;
        refused[by].unknown += c.unknown;
    }
    findings += o.findings;
    for (const auto& [name, n] : o.kinds) kinds[name] += n;
    folders.insert(folders.end(), o.folders.begin(), o.folders.end());
    for (const auto& [name, s] : o.parts) parts[name] += s;
    slowest.insert(slowest.end(), o.slowest.begin(), o.slowest.end());
    std::sort(slowest.rbegin(), slowest.rend());
    if (slowest.size() > kSlowestTold) slowest.resize(kSlowestTold);
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
    nlohmann::json refusals = nlohmann::json::object();
    for (const auto& [by, c] : refused) {
        refusals[by.first][by.second.empty() ? "checks" : by.second] = {{"refuted", c.refuted},
                                                                        {"unknown", c.unknown}};
    }
    nlohmann::json slow = nlohmann::json::array();
    for (const auto& [s, index] : slowest) slow.push_back({{"case", index}, {"seconds", s}});
    return {
        {"seed", seed},
        {"cases", cases},
        {"valid_programs", valid},
        {"rules", by_rule},
        {"refinement",
         {{"runs", refinement.runs},
          {"counted", refinement.counted},
          {"undecided", refinement.undecided}}},
        {"triples",
         {{"pairs", triples.pairs}, {"triples", triples.triples}, {"compiled", triples.compiled}}},
        {"graphs",
         {{"graphs", graphs.graphs},
          {"operators", graphs.operators},
          {"proved", graphs.proved},
          {"conversions", graphs.conversions},
          {"cancelling", graphs.cancelling},
          {"cancelling_proved", graphs.cancelling_proved}}},
        {"cpu", {{"compiled", cpu.compiled}, {"refused", cpu.refused}, {"runs", cpu.runs}}},
        {"domains", {{"checked", domains.checked}}},
        {"encoder", {{"checked", encoder.checked}, {"undecided", encoder.undecided}}},
        {"monotone", {{"runs", monotone.runs}, {"counted", monotone.counted}}},
        {"rule_instances", {{"checked", rule_instances.checked}}},
        {"validation", {{"steps", validation.steps}, {"bounded", validation.bounded}}},
        {"adapters",
         {{"programs", adapters.programs},
          {"refused", adapters.refused},
          {"parameters", adapters.parameters}}},
        {"round_trips", round_trips},
        {"schedules",
         {{"run", schedules},
          {"refused", schedules_refused},
          {"mistaken", schedules_mistaken},
          {"primitives", primitives},
          {"by_primitive", json_of(by_primitive)},
          {"never_accepted", never_accepted(by_primitive)}}},
        {"features", features},
        {"accepted_with", accepted_with},
        {"judged", judged},
        {"refused", refusals},
        {"findings", findings},
        {"kinds", kinds},
        {"failures", folders.size()},
        {"time", {{"seconds", seconds}, {"parts", parts}, {"slowest", slow}}}};
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

std::string Summary::triples_line() const {
    return fmt::format(
        "  {} pairs of a program and a schedule that changes it, {} triples with an input ({} of "
        "them as machine code, too), {:.0f} triples/s\n",
        triples.pairs, triples.triples, triples.compiled,
        seconds > 0 ? static_cast<double>(triples.triples) / seconds : 0.0);
}

std::string Summary::graphs_line() const {
    return fmt::format(
        "  {} graphs of {} operators, {} proved; {} with a layout that passes from an operator to "
        "the next without a conversion, {} of them proved; {} conversions\n",
        graphs.graphs, graphs.operators, graphs.proved, graphs.cancelling, graphs.cancelling_proved,
        graphs.conversions);
}

std::string Summary::rules_table() const {
    std::string out = fmt::format("  {:<18} {:>9} {:>9} {:>9} {:>9} {:>9}\n", "rule", "tried",
                                  "accepted", "no match", "refuted", "unknown");
    for (const auto& [name, c] : rules) {
        out += fmt::format("  {:<18} {:>9} {:>9} {:>9} {:>9} {:>9}\n", name, c.tried, c.accepted,
                           c.no_match, c.refuted, c.unknown);
        if (c.accepted == 0) {
            out += fmt::format("  warning: {} was never accepted: nothing is tested of it\n", name);
        }
    }
    return out;
}

std::string Summary::refusals_table() const {
    std::string out =
        fmt::format("  {:<18} {:<18} {:>9} {:>9}\n", "rule", "refused by", "refuted", "unknown");
    for (const auto& [by, c] : refused) {
        const bool checked = by.second.empty();
        out += fmt::format("  {:<18} {:<18} {:>9} {:>9}\n", by.first,
                           checked ? "its checks" : by.second,
                           checked ? "" : std::to_string(c.refuted), c.unknown);
    }
    return out;
}

std::string Summary::features_table() const {
    std::string out =
        fmt::format("  {:<38} {:>9} {:>15}\n", "in the program", "programs", "steps accepted");
    for (const auto& [name, n] : features) {
        const auto accepted = accepted_with.find(name);
        out += fmt::format("  {:<38} {:>9} {:>15}\n", name, n,
                           accepted == accepted_with.end() ? 0 : accepted->second);
    }
    return out;
}

nlohmann::json json_of(const PrimitiveTable& primitives) {
    nlohmann::json out = nlohmann::json::object();
    const auto counts = [](const CallCounts& c) {
        return nlohmann::json{{"called", c.called},
                              {"accepted", c.effective()},
                              {"idle", c.idle},
                              {"refused", c.refused}};
    };
    for (const auto& [name, c] : primitives) {
        out[name] = counts(c);
        for (const auto& [option, of_option] : c.options) {
            out[name]["options"][option] = counts(of_option);
        }
    }
    return out;
}

std::vector<std::string> never_accepted(const PrimitiveTable& primitives) {
    std::vector<std::string> out;
    for (const auto& [name, c] : primitives) {
        if (finds(name)) continue;
        if (c.effective() == 0) out.push_back(name);
        for (const auto& [option, of_option] : c.options) {
            const bool tried = of_option.called >= kCallsToExpectOne;
            if (tried && of_option.effective() == 0) out.push_back(name + " with " + option);
        }
    }
    return out;
}

std::string table_of(const PrimitiveTable& primitives) {
    std::string out = fmt::format("  {:<38} {:>8} {:>10} {:>10} {:>9}\n", "schedule primitive",
                                  "called", "accepted", "no effect", "refused");
    for (const auto& [name, c] : primitives) {
        if (finds(name)) continue;
        const auto row = [&](const std::string& what, const CallCounts& of) {
            out += fmt::format("  {:<38} {:>8} {:>8.0f} % {:>10} {:>9}\n", what, of.called,
                               of.share(), of.idle, of.refused);
        };
        row(name, c);
        for (const auto& [option, of_option] : c.options) row("    " + option, of_option);
    }
    for (const std::string& name : never_accepted(primitives)) {
        out += fmt::format("  warning: {} was never accepted: nothing is tested of it\n", name);
    }
    return out;
}

}  // namespace proviso::fuzz
