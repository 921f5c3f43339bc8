// The readers that libFuzzer tries (fuzz/libfuzzer/), in an ordinary build, and so under its
// sanitizers: what they are first given, and inputs near it. They return; a mistake aborts.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "fuzz/inputs/mutate.h"
#include "tests/tools/commands.h"

// Each target has libFuzzer's function, which this build calls by its name.
extern "C" {
int proviso_reads_archive(const std::uint8_t* data, std::size_t size);
int proviso_reads_batch(const std::uint8_t* data, std::size_t size);
int proviso_reads_certificate(const std::uint8_t* data, std::size_t size);
int proviso_reads_program(const std::uint8_t* data, std::size_t size);
int proviso_reads_proof_log(const std::uint8_t* data, std::size_t size);
int proviso_reads_schedule(const std::uint8_t* data, std::size_t size);
int proviso_reads_tensor(const std::uint8_t* data, std::size_t size);
}

namespace proviso::tests {
namespace {

namespace fs = std::filesystem;

struct Reader {
    const char* name;  // of its file and of its corpus
    int (*reads)(const std::uint8_t* data, std::size_t size);
    std::uint64_t near;  // inputs near those of the corpus
};

class Readers : public testing::TestWithParam<Reader> {
  protected:
    static const fs::path& sources() {
        static const fs::path out = fs::path(PROVISO_SOURCE_DIR) / "fuzz" / "libfuzzer";
        return out;
    }
    void reads(const std::string& bytes) const {
        GetParam().reads(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
    }
};

std::vector<fs::path> entries(const fs::path& folder) {
    std::vector<fs::path> out;
    for (const auto& entry : fs::directory_iterator(folder)) out.push_back(entry.path());
    std::sort(out.begin(), out.end());
    return out;
}

TEST_P(Readers, ReturnForTheCorpusAndWhatIsNearIt) {
    std::vector<std::string> corpus;
    for (const fs::path& file : entries(sources() / "corpus" / GetParam().name)) {
        corpus.push_back(text_of(file));
        ASSERT_FALSE(corpus.back().empty()) << file;
        reads(corpus.back());
    }
    ASSERT_FALSE(corpus.empty());
    reads("");
    for (std::uint64_t k = 0; k < GetParam().near; ++k) {
        fuzz::inputs::Random random(1, k);
        const std::string& one = random.of(corpus);
        reads(fuzz::inputs::mutated(random, one, random.of(corpus)));
    }
}

constexpr Reader kReaders[] = {
    {"archive", proviso_reads_archive, 2000},         {"batch", proviso_reads_batch, 500},
    {"certificate", proviso_reads_certificate, 1000}, {"program", proviso_reads_program, 500},
    {"proof_log", proviso_reads_proof_log, 100},      {"schedule", proviso_reads_schedule, 100},
    {"tensor", proviso_reads_tensor, 2000},
};

INSTANTIATE_TEST_SUITE_P(All, Readers, testing::ValuesIn(kReaders),
                         [](const auto& one) { return std::string(one.param.name); });

// Trap: a target that is added for libFuzzer, and that no test runs.
TEST(ReadersOfLibFuzzer, AreAllHere) {
    std::vector<std::string> targets;
    for (const fs::path& file : entries(fs::path(PROVISO_SOURCE_DIR) / "fuzz" / "libfuzzer")) {
        if (file.extension() == ".cpp") targets.push_back(file.stem().string());
    }
    std::vector<std::string> known;
    for (const Reader& r : kReaders) known.emplace_back(r.name);
    EXPECT_EQ(known, targets);
    std::vector<std::string> corpora;
    for (const fs::path& folder :
         entries(fs::path(PROVISO_SOURCE_DIR) / "fuzz" / "libfuzzer" / "corpus")) {
        corpora.push_back(folder.filename().string());
    }
    EXPECT_EQ(corpora, targets);
}

}  // namespace
}  // namespace proviso::tests
