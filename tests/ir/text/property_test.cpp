// Laws of the text on generated programs: parse(print(p)) == p, handle for handle, and nothing that
// a file may hold brings the reader down.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "ir/site.h"
#include "ir/text.h"
#include "ir/text/program_printer.h"
#include "ir/well_formed.h"
#include "tests/ir/random_program.h"
#include "tests/ir/text/reader.h"
#include "tests/sanitized.h"

namespace proviso::ir {
namespace {

// Times rapidcheck's 100 cases.
constexpr int kProgramsACase = 100 / tests::kShare;

RC_GTEST_PROP(TextProperty, ParseOfPrintIsTheProgram, ()) {
    const auto seed = *rc::gen::arbitrary<std::uint64_t>();
    for (int k = 0; k < kProgramsACase; ++k) {
        Context ctx;
        const Function f =
            RandomProgram(ctx, seed * kProgramsACase + static_cast<std::uint64_t>(k)).function();
        const std::string text = print(f);
        const std::vector<Diagnostic> faults = well_formed(f);
        if (!faults.empty()) RC_FAIL(faults[0].str() + "\n" + text);
        const auto back = parse_function(ctx, text, "generated");
        if (!back) RC_FAIL(back.error().str() + "\n" + text);
        if (!(*back == f)) RC_FAIL("printed:\n" + text + "read back:\n" + print(*back));
    }
}

// A printed program with a few characters taken out, put in or moved is read or refused, never
// more.
RC_GTEST_PROP(TextProperty, DamagedTextIsReadOrRefused, ()) {
    const auto seed = *rc::gen::arbitrary<std::uint64_t>();
    const auto cuts =
        *rc::gen::container<std::vector<std::uint32_t>>(20, rc::gen::arbitrary<std::uint32_t>());
    Context ctx;
    const std::string text = print(RandomProgram(ctx, seed).function());
    for (const std::uint32_t cut : cuts) {
        const std::string wrong = neither_read_nor_refused(ctx, damaged(text, cut));
        if (!wrong.empty()) RC_FAIL(wrong);
    }
}

TEST(ProgramPrinter, PrintsEachProgramAsIfItWereTheFirst) {
    std::uint64_t state = 1;
    const auto below = [&](std::uint64_t n) {
        state = state * 6364136223846793005ULL + 1442695040888963407ULL;
        return (state >> 33) % n;
    };
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        Context ctx;
        Function f = RandomProgram(ctx, seed).function();
        const Function other = RandomProgram(ctx, seed + 500).function();
        ProgramPrinter printer;
        for (int k = 0; k < 12; ++k) {
            ASSERT_EQ(printer.print(f), print(f));
            const auto places = all_statements(f);
            const auto from = all_statements(below(3) == 0 ? f : other);
            f = replace_at(ctx, f, places[below(places.size())].first,
                           from[below(from.size())].second);
        }
    }
}

}  // namespace
}  // namespace proviso::ir
