// Producer and checker together, on the corpus: what is claimed is accepted, and a certificate that
// was changed, or belongs to another obligation, is not.
#include <gtest/gtest.h>

#include <cctype>
#include <filesystem>

#include "analysis/certcheck/check.h"
#include "analysis/corpus/obligation_text.h"
#include "analysis/prover/prover.h"

namespace proviso::analysis {
namespace {

struct Entry {
    std::string id;
    Verdict expected;
    std::string text;
    std::string certificate;  // empty: none was found
};

// The obligations written by hand, with the certificates that are found for them.
const std::vector<Entry>& corpus() {
    static const std::vector<Entry> entries = [] {
        std::vector<Entry> out;
        ir::Context ctx;
        const std::string path =
            std::string(PROVISO_SOURCE_DIR) + "/tests/data/obligations/hand.jsonl";
        const Result<std::vector<CorpusEntry>> read = read_corpus(ctx, path);
        EXPECT_TRUE(read.ok());
        if (!read) return out;
        for (const CorpusEntry& e : *read) {
            const SmtText text = to_smt(ctx, e.obligation);
            out.push_back(
                {e.id, e.expected, text.text, find_certificate(text, 300'000).certificate});
        }
        return out;
    }();
    return entries;
}

// The texts of all obligations of the corpus that are false.
const std::vector<std::string>& false_texts() {
    static const std::vector<std::string> texts = [] {
        std::vector<std::string> out;
        const std::string folder = std::string(PROVISO_SOURCE_DIR) + "/tests/data/obligations";
        for (const auto& file : std::filesystem::directory_iterator(folder)) {
            if (file.path().extension() != ".jsonl") continue;
            ir::Context ctx;
            const Result<std::vector<CorpusEntry>> read = read_corpus(ctx, file.path().string());
            EXPECT_TRUE(read.ok()) << file.path();
            if (!read) continue;
            for (const CorpusEntry& e : *read) {
                if (e.expected != Verdict::Refuted) continue;
                const SmtText text = to_smt(ctx, e.obligation);
                if (text.supported) out.push_back(text.text);
            }
        }
        return out;
    }();
    return texts;
}

bool accepted(const std::string& text, const std::string& certificate) {
    return certcheck::check_certificate(text, certificate).accepted;
}

// Every number of the certificate one more and one less, and every step left out.
std::vector<std::string> mutants(const std::string& certificate) {
    std::vector<std::string> out;
    for (std::size_t i = 15; i < certificate.size(); ++i) {
        const auto digit = [&](std::size_t at) {
            return at < certificate.size() &&
                   std::isdigit(static_cast<unsigned char>(certificate[at])) != 0;
        };
        if (digit(i) && (certificate[i - 1] == ' ' || certificate[i - 1] == '(')) {
            std::size_t end = i;
            while (digit(end)) ++end;
            if (end - i > 15) continue;
            const long long value = std::stoll(certificate.substr(i, end - i));
            for (const long long other : {value + 1, value - 1}) {
                if (other < 0) continue;
                out.push_back(certificate.substr(0, i) + std::to_string(other) +
                              certificate.substr(end));
            }
        }
        for (const char* step : {"(and ", "(div ", "(cut ", "(eq ", "(mul ", "(unit ", "(times ",
                                 "(bits ", "(bitwise "}) {
            if (certificate.compare(i, std::string(step).size(), step) != 0) continue;
            std::size_t end = i;
            int depth = 0;
            do {
                depth += certificate[end] == '(' ? 1 : certificate[end] == ')' ? -1 : 0;
                ++end;
            } while (depth > 0);
            out.push_back(certificate.substr(0, i) + certificate.substr(end));
        }
    }
    return out;
}

TEST(Certificates, OfTheCorpusAreFoundWhereTheyShouldBe) {
    std::size_t found = 0;
    std::size_t proved = 0;
    for (const Entry& e : corpus()) {
        if (e.expected == Verdict::Proved) ++proved;
        if (e.certificate.empty()) continue;
        ++found;
        EXPECT_EQ(e.expected, Verdict::Proved) << e.id;
        EXPECT_TRUE(accepted(e.text, e.certificate)) << e.id;
    }
    EXPECT_GE(found * 100, proved * 70) << found << " of " << proved;
}

// A certificate shows that one text is contradictory. What is false has none, whoever's it was.
TEST(Certificates, NoneFitsAnObligationThatIsFalse) {
    std::size_t pairs = 0;
    for (const std::string& wrong : false_texts()) {
        for (const Entry& e : corpus()) {
            if (e.certificate.empty()) continue;
            ++pairs;
            EXPECT_FALSE(accepted(wrong, e.certificate)) << e.id << " for\n" << wrong;
        }
    }
    RecordProperty("pairs", static_cast<int>(pairs));
    EXPECT_GE(pairs, 10'000U);
}

// A change that leaves a valid derivation is no fault (a multiplier with slack, a step that nothing
// needs): the obligation is the proved one all the same. Such a certificate still fits nothing that
// is false.
TEST(Certificates, ThousandsOfCorruptedOnesAreRejected) {
    std::size_t rejected = 0;
    std::vector<std::string> survivors;
    for (const Entry& e : corpus()) {
        if (e.certificate.empty() || e.certificate.size() > 3000) continue;
        for (const std::string& mutant : mutants(e.certificate)) {
            if (mutant != e.certificate && accepted(e.text, mutant)) {
                survivors.push_back(mutant);
            } else {
                ++rejected;
            }
        }
    }
    RecordProperty("rejected", static_cast<int>(rejected));
    RecordProperty("still_valid", static_cast<int>(survivors.size()));
    EXPECT_GE(rejected, 1000U);
    EXPECT_LT(survivors.size() * 10, rejected);
    for (const std::string& wrong : false_texts()) {
        for (const std::string& survivor : survivors) {
            EXPECT_FALSE(accepted(wrong, survivor)) << wrong << survivor;
        }
    }
}

// The claim made false by its constant: the bound of a proved obligation, one too small.
TEST(Certificates, OfAClaimDoNotFitItsFalseNeighbour) {
    ir::Context ctx;
    const ir::Expr i = ctx.var("i", ir::kInt32);
    const auto text = [&](int extent, int bound) {
        return to_smt(ctx, {{},
                            {ctx.le(ctx.i32(0), i), ctx.lt(i, ctx.i32(extent))},
                            ctx.lt(ctx.floordiv(i, ctx.i32(8)), ctx.i32(bound)),
                            {}});
    };
    for (int bound = 1; bound <= 40; ++bound) {
        const SmtText right = text(8 * bound, bound);
        const std::string certificate = find_certificate(right).certificate;
        ASSERT_FALSE(certificate.empty()) << bound;
        EXPECT_TRUE(accepted(right.text, certificate));
        EXPECT_FALSE(accepted(text(8 * bound + 1, bound).text, certificate)) << bound;
        EXPECT_FALSE(accepted(text(8 * bound, bound - 1).text, certificate)) << bound;
    }
}

}  // namespace
}  // namespace proviso::analysis
