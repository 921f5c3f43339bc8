// The rule library against both solvers. The whole library takes minutes, so tests here take a
// sample of each family; `proviso rules verify` (and the test of that command) covers it all.
#include "verify/rules_verify.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

#include "rewrite/rules/refused.h"

namespace proviso::verify {
namespace {

RulesVerifyOptions quick() {
    RulesVerifyOptions out;
    out.jobs = 2;
    out.rlimit = 500'000;
    out.cvc5_rlimit = 100'000;
    out.wall_limit_s = 10;
    return out;
}

// For looking at the library by hand: PROVISO_RULES_ONLY=family, PROVISO_RULES_CACHE=folder.
TEST(RulesVerify, DISABLED_WholeLibrary) {
    RulesVerifyOptions options;
    options.jobs = 2;
    const char* only = std::getenv("PROVISO_RULES_ONLY");
    const char* cache = std::getenv("PROVISO_RULES_CACHE");
    if (only != nullptr) options.only = only;
    if (cache != nullptr) options.cache_dir = cache;
    options.wall_limit_s = 5;
    options.rlimit = 1'000'000;
    const RulesReport report = verify_rule_library(options);
    std::printf("%s\n", to_text(report).c_str());
    EXPECT_TRUE(report.ok());
}

TEST(RulesVerify, RefusedRulesAreRefutedAndReplayed) {
    const std::vector<RefusedVerdict> verdicts = verify_refused(quick());
    EXPECT_GE(verdicts.size(), 12U);
    for (const RefusedVerdict& v : verdicts) {
        EXPECT_TRUE(v.refuted) << v.rule;
        std::string model;
        for (const auto& [name, value] : v.model) model += " " + name + "=" + value;
        EXPECT_TRUE(v.replayed) << v.rule << ": " << v.left << " against " << v.right << model;
    }
}

}  // namespace
}  // namespace proviso::verify
