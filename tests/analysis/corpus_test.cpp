// Every obligation of the corpus through the deciders that need no solver: none wrong, every
// certificate accepted, and as many closed as is promised. Verdicts are from Z3 and cvc5, which
// agreed (from the author in hand.jsonl); `proviso-bench corpus` prints the table.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "analysis/certcheck/check.h"
#include "analysis/certify/certify.h"
#include "analysis/cheap/decide.h"
#include "analysis/corpus/obligation_text.h"

namespace proviso::analysis {
namespace {

constexpr std::size_t kShards = 4;

struct Part {
    std::string file;
    std::size_t shard;
};

std::vector<Part> parts() {
    std::vector<std::string> files;
    const std::string folder = std::string(PROVISO_SOURCE_DIR) + "/tests/data/obligations";
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().extension() == ".jsonl") files.push_back(entry.path().string());
    }
    std::sort(files.begin(), files.end());
    std::vector<Part> out;
    for (const std::string& file : files) {
        for (std::size_t shard = 0; shard < kShards; ++shard) out.push_back({file, shard});
    }
    return out;
}

class Corpus : public testing::TestWithParam<Part> {};

TEST_P(Corpus, NoDeciderIsWrong) {
    ir::Context ctx;
    const auto entries = read_corpus(ctx, GetParam().file);
    ASSERT_TRUE(entries.ok()) << entries.error().str();
    std::size_t hold = 0;
    std::size_t closed = 0;
    for (std::size_t k = GetParam().shard; k < entries->size(); k += kShards) {
        const CorpusEntry& e = (*entries)[k];
        ASSERT_NE(e.expected, Verdict::Unknown) << e.id;
        const auto cheap = cheap::decide(ctx, e.obligation);
        const std::string text = to_smt(ctx, e.obligation).text;
        const Certified c = certify(text);
        if (e.expected == Verdict::Refuted) {
            EXPECT_FALSE(cheap.has_value()) << e.id << " by " << *cheap;
            EXPECT_FALSE(c.certificate.has_value()) << e.id;
        }
        if (c.certificate) {
            const auto verdict = certcheck::check_certificate(text, *c.certificate);
            EXPECT_TRUE(verdict.accepted) << e.id << ": " << verdict.why;
        }
        hold += e.expected == Verdict::Proved ? 1 : 0;
        closed += cheap || c.certificate ? 1 : 0;
    }
    EXPECT_GE(closed * 100, hold * 90) << closed << " of " << hold;
}

std::string name_of(const testing::TestParamInfo<Part>& info) {
    std::string name = std::filesystem::path(info.param.file).stem().string();
    for (char& c : name) {
        if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
    }
    return name + "_" + std::to_string(info.param.shard);
}

INSTANTIATE_TEST_SUITE_P(All, Corpus, testing::ValuesIn(parts()), name_of);

// The corpus is as large as it is said to be.
TEST(CorpusSize, IsAtLeastTwoThousand) {
    std::size_t count = 0;
    std::vector<std::string> ids;
    for (const Part& part : parts()) {
        if (part.shard != 0) continue;
        ir::Context ctx;
        const auto entries = read_corpus(ctx, part.file);
        ASSERT_TRUE(entries.ok()) << entries.error().str();
        count += entries->size();
        for (const CorpusEntry& e : *entries) ids.push_back(e.id);
        EXPECT_LT(std::filesystem::file_size(part.file), 1'000'000U);
    }
    EXPECT_GE(count, 2000U);
    std::sort(ids.begin(), ids.end());
    EXPECT_EQ(std::adjacent_find(ids.begin(), ids.end()), ids.end());
}

}  // namespace
}  // namespace proviso::analysis
