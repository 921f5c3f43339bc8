// Verdicts on rule schemas as a file in the repository (tests/data/rules/verdicts.tsv): what a full
// run of `proviso rules verify --record FILE` found. A rule whose schema is not in the list has
// changed, and is proved again in every test run; the others are proved by turns.
//
// A line an instantiation: rule, kind, the first 16 digits of the schema's hash, verdict; tabs
// between. Laws have the kind "-". In the order of the tables.
#pragma once

#include <map>
#include <string>

#include "ir/result.h"
#include "verify/rule_library/rules_verify.h"

namespace proviso::verify {

std::string record_text(const RulesReport& report);

struct RecordedVerdict {
    std::string schema;  // 16 digits
    std::string status;  // "PROVED", "OPEN"
};
// By "rule kind".
using RecordedVerdicts = std::map<std::string, RecordedVerdict>;
Result<RecordedVerdicts> read_record(const std::string& text);

// What the record keeps of an obligation's id.
std::string short_schema(const std::string& obligation_id);

}  // namespace proviso::verify
