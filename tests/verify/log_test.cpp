// The proof log: what is written, and that it is the same twice.
#include <gtest/gtest.h>

#include "tests/verify/logs.h"
#include "verify/log/line_edits.h"

namespace proviso::verify {
namespace {

TEST(ProofLog, HoldsEverything) {
    const auto& files = example_log();
    ASSERT_EQ(lines_of(files.at(kStepsFile)).size(), 3U);
    ASSERT_EQ(lines_of(files.at(kRefusalsFile)).size(), 1U);
    const json run = json::parse(files.at(kRunFile));
    EXPECT_EQ(run["_type"], kStatementType);
    const json& predicate = run["predicate"];
    EXPECT_EQ(predicate["axioms"].size(), 1U);
    EXPECT_EQ(predicate["axioms"][0]["id"], "A1");
    EXPECT_EQ(predicate["axioms"][0]["site"], "body/0");
    EXPECT_EQ(predicate["steps"]["count"], 3);
    const Objects objects = objects_of(files);
    const json first = json::parse(lines_of(files.at(kStepsFile))[0]);
    EXPECT_EQ(first["rule"], "split");
    EXPECT_EQ(first["prev"], chain_start());
    EXPECT_FALSE(first["obligations"].empty());
    for (const json& o : first["obligations"]) {
        EXPECT_EQ(objects.count(digest_hex(o["id"])), 1U);
        EXPECT_NE(o["kind"], "question") << o;
    }
    const json refused = json::parse(lines_of(files.at(kRefusalsFile))[0]);
    EXPECT_EQ(refused["obligation"]["verdict"], "REFUTED");
    EXPECT_EQ(objects.at(digest_hex(predicate["schedule"])), "sch.split(...)\n");
    const std::string rules = objects.at(digest_hex(predicate["rule_table"]));
    EXPECT_NE(rules.find("\nsplit 1: "), std::string::npos);
    EXPECT_EQ(lines_of(rules).size(), rewrite::all_rules().size());
}

// What docs/proof-log.md tells a stranger to do.
TEST(ProofLog, EveryProgramFollowsFromTheSourceAndTheEdits) {
    const auto& files = example_log();
    const json predicate = json::parse(files.at(kRunFile))["predicate"];
    std::vector<std::string> program =
        lines_of(objects_of(files).at(digest_hex(predicate["input"]["digest"])));
    for (const std::string& text : lines_of(files.at(kStepsFile))) {
        const json step = json::parse(text);
        EXPECT_EQ(digest(joined(program)), step["before"].get<std::string>());
        EXPECT_FALSE(step["edits"].empty());
        for (auto e = step["edits"].rbegin(); e != step["edits"].rend(); ++e) {
            const auto at = program.begin() + (*e)[0].get<std::ptrdiff_t>() - 1;
            const auto gone = program.erase(at, at + (*e)[1].get<std::ptrdiff_t>());
            const std::vector<std::string> added = lines_of((*e)[2]);
            program.insert(gone, added.begin(), added.end());
        }
        EXPECT_EQ(digest(joined(program)), step["after"].get<std::string>());
    }
    EXPECT_EQ(digest(joined(program)), predicate["output"].get<std::string>());
    EXPECT_EQ(objects_of(files).at(digest_hex(predicate["output"])), joined(program));
}

TEST(ProofLog, EditsGiveBackTheText) {
    EXPECT_TRUE(line_edits("a\nb\n", "a\nb\n").empty());
    EXPECT_EQ(line_edits("a\nb\nc\n", "a\nx\nc\n"), (std::vector<LineEdit>{{2, 1, "x\n"}}));
    EXPECT_EQ(line_edits("a\nc\n", "a\nb\nc\n"), (std::vector<LineEdit>{{2, 0, "b\n"}}));
    EXPECT_EQ(line_edits("a\nb\nc\nd\n", "b\nc\ne\n"),
              (std::vector<LineEdit>{{1, 1, ""}, {4, 1, "e\n"}}));
    EXPECT_EQ(line_edits("ab\n", "b\n"), (std::vector<LineEdit>{{1, 1, "b\n"}}));
    std::uint64_t state = 7;
    const auto random = [&state](std::uint64_t below) {
        state = state * 6364136223846793005U + 1442695040888963407U;
        return (state >> 33U) % below;
    };
    const auto text = [&](std::uint64_t lines, std::uint64_t words) {
        std::string out;
        for (std::uint64_t k = random(lines + 1); k > 0; --k) {
            out += std::string(1 + random(2), ' ') + std::to_string(random(words)) + "\n";
        }
        return out;
    };
    for (int round = 0; round < 3000; ++round) {  // small and large: with anchors and without
        const std::uint64_t lines = round % 10 == 0 ? 400 : 8;
        const std::uint64_t words = round % 20 == 0 ? 2000 : 4;
        const std::string before = text(lines, words);
        const std::string after = text(lines, words);
        EXPECT_EQ(apply_edits(before, line_edits(before, after)), after) << before << "->\n"
                                                                         << after;
    }
}

// One changed line in each of many loops: the edits are as long as what changed.
TEST(ProofLog, EditsFarApartAreKeptApart) {
    std::string before;
    std::string after;
    for (int k = 0; k < 1000; ++k) {
        const std::string loop = "for i" + std::to_string(k) + ":\n    ";
        before += loop + "B[" + std::to_string(k) + "]\n    x\n";
        after += loop + "C[" + std::to_string(k) + "]\n    x\n";
    }
    const std::vector<LineEdit> edits = line_edits(before, after);
    EXPECT_EQ(edits.size(), 1000U);
    EXPECT_EQ(apply_edits(before, edits), after);
}

TEST(ProofLog, EditsOutsideOfTheTextGiveNothing) {
    EXPECT_EQ(apply_edits("a\nb\n", {{3, 0, "c\n"}}), "a\nb\nc\n");
    EXPECT_FALSE(apply_edits("a\nb\n", {{4, 0, "c\n"}}));
    EXPECT_FALSE(apply_edits("a\nb\n", {{2, 2, ""}}));
    EXPECT_FALSE(apply_edits("a\nb\n", {{2, 0, ""}}));  // changes nothing
    EXPECT_FALSE(apply_edits("a\nb\n", {{0, 1, ""}}));
    EXPECT_FALSE(apply_edits("a\nb\n", {{2, 1, ""}, {1, 1, ""}}));
    EXPECT_FALSE(apply_edits("a\nb\n", {{1, 2, ""}, {2, 1, ""}}));
}

TEST(ProofLog, TheSameBytesTwice) {
    Derived again;
    again.take_steps();
    const Folder folder("log_twice");
    LogOptions options;
    options.schedule = "sch.split(...)\n";
    ASSERT_TRUE(write_log(again.derivation, folder.str(), options).ok());
    // And over itself.
    ASSERT_TRUE(write_log(again.derivation, folder.str(), options).ok());
    EXPECT_EQ(contents(folder.path), example_log());
}

TEST(ProofLog, NeverDeletesOtherFiles) {
    Derived d;
    const Folder folder("log_other");
    fs::create_directories(folder.path);
    write_all(folder.path / "thesis.tex", "years of work");
    EXPECT_FALSE(write_log(d.derivation, folder.str()).ok());
    EXPECT_EQ(read_all(folder.path / "thesis.tex"), "years of work");
}

TEST(ProofLog, MerkleRootOfRfc6962) {
    EXPECT_EQ(merkle_root({}),
              "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    // Leaf hash of the empty line: SHA-256 of one zero byte.
    EXPECT_EQ(merkle_root({""}),
              "sha256:6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d");
    EXPECT_NE(merkle_root({"a", "b"}), merkle_root({"b", "a"}));
    EXPECT_NE(merkle_root({"a", "b", "c"}), merkle_root({"a", "b", "c", "c"}));
}

}  // namespace
}  // namespace proviso::verify
