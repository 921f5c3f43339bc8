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

// "# reads: yes; …" of the first line: "yes", or "opaque" for what is kept without a meaning.
std::string mark_of(const std::string& text) {
    const std::string start = "# reads: ";
    EXPECT_EQ(text.rfind(start, 0), 0U);
    return text.substr(start.size(), text.find(';') - start.size());
}

TEST(TextCorpus, IsReadAndPrintedBack) {
    constexpr std::size_t kWithMeaning = 322;  // both may only grow
    constexpr std::size_t kKept = 398;         // with a meaning or without
    std::size_t meant = 0;
    std::size_t kept = 0;
    for (const fs::path& file : corpus()) {
        std::ifstream in(file, std::ios::binary);
        std::stringstream text;
        text << in.rdbuf();
        const std::string mark = mark_of(text.str());
        ASSERT_TRUE(mark == "yes" || mark == "opaque") << file;
        Context ctx;
        const Result<ProgramFile> p = parse_program(ctx, text.str(), file.string());
        if (!p) {
            EXPECT_GT(p.error().line, 0) << file << ": " << p.error().str();
            EXPECT_FALSE(p.error().message.empty()) << file;
            continue;
        }
        ++kept;
        if (p->opaque.empty()) ++meant;
        for (const OpaqueFunction& f : p->opaque) {
            EXPECT_GT(f.reason.line, 0) << file;
        }
        const Result<ProgramFile> again = parse_program(ctx, p->canonical, "printed");
        ASSERT_TRUE(again.ok()) << file << ": " << again.error().str() << p->canonical;
        EXPECT_EQ(again->module.functions, p->module.functions) << file;
        EXPECT_EQ(again->canonical, p->canonical) << file;
        EXPECT_EQ(again->opaque.size(), p->opaque.size()) << file;
    }
    EXPECT_GE(meant, kWithMeaning);
    EXPECT_GE(kept, kKept);
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
