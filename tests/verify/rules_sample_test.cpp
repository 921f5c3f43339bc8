// The recorded verdicts (tests/data/rules/verdicts.tsv) against the tables as they are: what has
// changed since a full run is proved anew, everything else by turns.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "rewrite/expression_rules/laws.h"
#include "rewrite/expression_rules/rule_book.h"
#include "verify/in_parallel.h"
#include "verify/rule_library/rule_record.h"
#include "verify/rule_library/rule_solving.h"

namespace proviso::verify {
namespace {

using rewrite::RuleInstance;

constexpr const char* kRecord = PROVISO_SOURCE_DIR "/tests/data/rules/verdicts.tsv";
constexpr std::size_t kSample = 60;

RecordedVerdicts recorded() {
    std::ifstream in(kRecord);
    std::stringstream text;
    text << in.rdbuf();
    auto read = read_record(text.str());
    EXPECT_TRUE(read.ok()) << (read.ok() ? "" : read.error().str());
    return read.ok() ? *read : RecordedVerdicts{};
}

std::string key_of(const RuleInstance& rule) {
    return std::string(rule.rule->name) + " " + rule.kind.str();
}

// Which turn it is: PROVISO_RULE_SAMPLE, or what the tables hold.
std::uint64_t turn() {
    const char* given = std::getenv("PROVISO_RULE_SAMPLE");
    const std::string text = given != nullptr ? given : rewrite::rule_table_digest();
    std::uint64_t h = 14695981039346656037ULL;
    for (const char c : text) h = (h ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
    return h;
}

struct Chosen {
    std::vector<const RuleInstance*> changed;
    std::vector<const RuleInstance*> sample;
};

Chosen choose(const RecordedVerdicts& known) {
    Chosen out;
    std::vector<const RuleInstance*> rest;
    for (const RuleInstance& r : rewrite::RuleBook::standard().instances()) {
        const auto found = known.find(key_of(r));
        const bool same =
            found != known.end() && found->second.schema == short_schema(schema_id(r));
        (same ? rest : out.changed).push_back(&r);
    }
    std::uint64_t state = turn();
    for (std::size_t i = 0; i < kSample && !rest.empty(); ++i) {
        state = state * 6364136223846793005ULL + 1442695040888963407ULL;
        out.sample.push_back(rest[(state >> 33) % rest.size()]);
    }
    return out;
}

std::vector<RuleVerdict> verdicts_of(const std::vector<const RuleInstance*>& rules) {
    std::vector<RuleVerdict> out(rules.size());
    in_parallel(2, rules.size(),
                [&](std::size_t i) { out[i] = verify_instance(*rules[i], RulesVerifyOptions{}); });
    return out;
}

TEST(RulesSample, WhatHasChangedAndATurnOfTheRestIsProved) {
    const RecordedVerdicts known = recorded();
    ASSERT_FALSE(known.empty()) << kRecord;
    const Chosen chosen = choose(known);
    for (const RuleVerdict& v : verdicts_of(chosen.changed)) {
        EXPECT_EQ(v.status, RuleStatus::Proved)
            << v.rule << " for " << v.kind << " is new or changed. " << v.reason
            << "\nWhere it may stay open: proviso rules verify --record " << kRecord;
    }
    for (const RuleVerdict& v : verdicts_of(chosen.sample)) {
        const RecordedVerdict& before = known.at(v.rule + " " + v.kind);
        EXPECT_NE(v.status, RuleStatus::Refuted) << v.rule << " for " << v.kind;
        EXPECT_EQ(rule_status_name(v.status), before.status)
            << v.rule << " for " << v.kind << ": " << v.reason;
    }
}

TEST(RulesSample, NothingInTheRecordIsRefuted) {
    std::size_t open = 0;
    const RecordedVerdicts known = recorded();
    for (const auto& [key, v] : known) {
        EXPECT_TRUE(v.status == "PROVED" || v.status == "OPEN") << key << ": " << v.status;
        open += v.status == "OPEN" ? 1 : 0;
    }
    // A hundredth may be open.
    EXPECT_LE(open * 100, known.size());
}

TEST(RulesSample, EveryLawIsProvedByBothSolvers) {
    for (const rewrite::Law& law : rewrite::laws()) {
        for (const bool z3 : {true, false}) {
            ir::Context ctx;
            const analysis::Obligation claim = rewrite::law_obligation(ctx, law, ir::kInt64);
            const analysis::Answer a = prove_law(ctx, claim, RulesVerifyOptions{}, z3);
            EXPECT_EQ(a.verdict, analysis::Verdict::Proved)
                << law.name << (z3 ? " z3 " : " cvc5 ") << a.why;
        }
    }
}

// A law that is false is refuted: laws are obligations, not axioms.
TEST(RulesSample, AWrongLawIsNotProved) {
    const rewrite::Law wrong{"wrong", "a b n", "a < b", "a * n + n <= b * n"};
    ir::Context ctx;
    const analysis::Answer a =
        prove_law(ctx, rewrite::law_obligation(ctx, wrong, ir::kInt64), RulesVerifyOptions{}, true);
    EXPECT_NE(a.verdict, analysis::Verdict::Proved);
}

}  // namespace
}  // namespace proviso::verify
