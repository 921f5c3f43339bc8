// The report on mutants, for machines and for people.
#include <fmt/format.h>

#include <array>
#include <map>
#include <nlohmann/json.hpp>

#include "verify/rule_library/mutants_verify.h"

namespace proviso::verify {

namespace {

constexpr std::array<MutantFate, kMutantFates> kFates = {MutantFate::Evaluated, MutantFate::Solver,
                                                         MutantFate::Valid, MutantFate::Undecided};

using Counts = std::array<std::size_t, kMutantFates>;

std::string row(const std::string& name, const Counts& counts) {
    std::size_t all = 0;
    for (std::size_t n : counts) all += n;
    std::string out = fmt::format("{:<26}{:>8}", name, all);
    for (std::size_t n : counts) out += fmt::format("{:>11}", n);
    return out + "\n";
}

std::string heading(const char* what) {
    std::string out = fmt::format("{:<26}{:>8}", what, "mutants");
    for (MutantFate f : kFates) out += fmt::format("{:>11}", mutant_fate_name(f));
    return out + "\n";
}

}  // namespace

const char* mutant_fate_name(MutantFate fate) {
    switch (fate) {
        case MutantFate::Evaluated: return "evaluated";
        case MutantFate::Solver: return "solver";
        case MutantFate::Valid: return "valid";
        case MutantFate::Undecided: return "UNDECIDED";
    }
    return "";
}

std::string to_text(const MutantVerdict& v) {
    return fmt::format("{:<9} {:<17} {}\n      {}{}", mutant_fate_name(v.fate), slip_name(v.slip),
                       v.text, v.how, v.replayed ? " (replayed)" : "");
}

std::string to_text(const MutantReport& report) {
    Counts all{};
    std::array<Counts, kSlips> slips{};
    std::vector<std::string> order;
    std::map<std::string, Counts> families;
    std::size_t replayed = 0;
    for (const MutantVerdict& v : report.mutants) {
        if (families.count(v.family) == 0) order.push_back(v.family);
        const auto fate = static_cast<std::size_t>(v.fate);
        for (Counts* c : {&all, &slips[static_cast<std::size_t>(v.slip)], &families[v.family]}) {
            ++(*c)[fate];
        }
        replayed += v.replayed ? 1 : 0;
    }
    std::string out = heading("slip");
    for (int s = 0; s < kSlips; ++s) {
        out += row(slip_name(static_cast<Slip>(s)), slips[static_cast<std::size_t>(s)]);
    }
    out += "\n" + heading("family");
    for (const std::string& family : order) out += row(family, families[family]);
    out += row("all", all);
    const std::size_t killed =
        report.count(MutantFate::Evaluated) + report.count(MutantFate::Solver);
    out += fmt::format(
        "\n{} mutants of {} rules, at least {} of each: {} found wrong ({} by a solver, of those "
        "{} "
        "replayed), {} proved right, {} undecided\n",
        report.mutants.size(), report.rules, report.fewest, killed,
        report.count(MutantFate::Solver), replayed, report.count(MutantFate::Valid),
        report.count(MutantFate::Undecided));
    for (const MutantVerdict& v : report.mutants) {
        if (v.fate != MutantFate::Undecided) continue;
        out += fmt::format("\n{} ({}):\n  {}\n", v.rule, v.kind, to_text(v));
    }
    return out;
}

nlohmann::json to_json(const MutantReport& report) {
    nlohmann::json list = nlohmann::json::array();
    for (const MutantVerdict& v : report.mutants) {
        list.push_back({{"rule", v.rule},
                        {"family", v.family},
                        {"kind", v.kind},
                        {"slip", slip_name(v.slip)},
                        {"text", v.text},
                        {"fate", mutant_fate_name(v.fate)},
                        {"replayed", v.replayed},
                        {"how", v.how}});
    }
    nlohmann::json out = {{"rules", report.rules},
                          {"fewest_per_rule", report.fewest},
                          {"mutants", report.mutants.size()},
                          {"ok", report.ok()}};
    for (MutantFate f : kFates) out["fates"][mutant_fate_name(f)] = report.count(f);
    out["list"] = std::move(list);
    return out;
}

}  // namespace proviso::verify
