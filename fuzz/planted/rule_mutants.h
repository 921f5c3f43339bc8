// Expression rules with one flaw each: a condition dropped, a constant off by one, a comparison
// turned round. Each is a rule of the library in all else.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace proviso::fuzz {

struct RuleMutant {
    const char* base;  // name of the library's rule
    enum class Field { Right, Where, Needs } field;
    const char* text;  // what stands there instead
    const char* what;  // in words
    std::string id() const { return std::string("rule:") + base; }
};
const std::vector<RuleMutant>& rule_mutants();

// What the proof of the mutant's schema (of the library's own rule: nullptr) says on int32: nullopt
// when it is proved.
std::optional<std::string> refuse_rule(const char* base, const RuleMutant* mutant);

}  // namespace proviso::fuzz
