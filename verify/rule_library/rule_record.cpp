#include "verify/rule_library/rule_record.h"

#include <fmt/format.h>

#include <sstream>

namespace proviso::verify {

std::string short_schema(const std::string& obligation_id) {
    constexpr std::size_t digits = 16;
    return obligation_id.substr(obligation_id.find(':') + 1, digits);
}

std::string record_text(const RulesReport& report) {
    std::string out;
    const auto add = [&](const RuleVerdict& v) {
        out += fmt::format("{}\t{}\t{}\t{}\n", v.rule, v.kind.empty() ? "-" : v.kind,
                           short_schema(v.obligation), rule_status_name(v.status));
    };
    for (const RuleVerdict& v : report.laws) add(v);
    for (const RuleVerdict& v : report.rules) add(v);
    return out;
}

Result<RecordedVerdicts> read_record(const std::string& text) {
    RecordedVerdicts out;
    std::istringstream lines(text);
    std::size_t number = 0;
    for (std::string line; std::getline(lines, line);) {
        ++number;
        std::istringstream fields(line);
        std::string rule;
        std::string kind;
        RecordedVerdict v;
        const bool whole = std::getline(fields, rule, '\t') && std::getline(fields, kind, '\t') &&
                           std::getline(fields, v.schema, '\t') && std::getline(fields, v.status);
        if (!whole) return error(fmt::format("line {} of the rule record does not read", number));
        out[rule + " " + kind] = std::move(v);
    }
    return out;
}

}  // namespace proviso::verify
