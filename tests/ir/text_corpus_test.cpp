// The corpus of programs as TVM's users write them (tests/data/tvmscript): what is read is printed
// back as the same program, and what is not read is a mistake at a place.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "ir/text.h"

namespace proviso::ir {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> corpus() {
    std::vector<fs::path> out;
    const fs::path folder = fs::path(PROVISO_SOURCE_DIR) / "tests/data/tvmscript";
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        if (entry.path().extension() == ".py") out.push_back(entry.path());
    }
    std::sort(out.begin(), out.end());
    return out;
}

TEST(TextCorpus, IsReadAndPrintedBack) {
    constexpr std::size_t kRead = 169;  // may only grow
    std::size_t read = 0;
    for (const fs::path& file : corpus()) {
        std::ifstream in(file, std::ios::binary);
        std::stringstream text;
        text << in.rdbuf();
        ASSERT_EQ(text.str().rfind("# reads: ", 0), 0U) << file;
        Context ctx;
        const Result<Module> m = parse_module(ctx, text.str(), file.string());
        if (!m) {
            EXPECT_GT(m.error().line, 0) << file << ": " << m.error().str();
            EXPECT_FALSE(m.error().message.empty()) << file;
            continue;
        }
        ++read;
        const std::string printed = print(*m);
        const Result<Module> again = parse_module(ctx, printed, "printed");
        ASSERT_TRUE(again.ok()) << file << ": " << again.error().str() << printed;
        EXPECT_EQ(again->functions, m->functions) << file;
        EXPECT_EQ(print(*again), printed) << file;
    }
    EXPECT_GE(read, kRead);
}

// Only T means something inside of a function.
TEST(TextCorpus, NamesOfOneLetterStayAsTheyAre) {
    Context ctx;
    const std::string text =
        "@T.prim_func\ndef f(I: T.Buffer((4,), \"int32\"), R: T.Buffer((4,), \"int32\")):\n"
        "    T.func_attr({\"proviso.indet\": [\"I\"]})\n    I[0] = R[0]\n";
    const Result<Function> f = parse_function(ctx, text, "f.py");
    ASSERT_TRUE(f.ok()) << f.error().str();
    EXPECT_EQ("\n" + text, "\n" + print(*f));
}

}  // namespace
}  // namespace proviso::ir
