// Interfaces that are the same in other words: names, order, layouts, licences.
#include "verify/check/relation.h"

#include <gmock/gmock.h>

#include "tests/verify/tv/fixture.h"
#include "verify/check/check.h"

namespace proviso::verify {
namespace {

using namespace ir;
using testing::HasSubstr;

const char* const kParams =
    "A: T.Buffer((14, 6), \"float32\"), B: T.Buffer((14, 6), \"float32\"), n: T.int32";
const char* const kBody =
    "    for i, j in T.grid(14, 6):\n        B[i, j] = A[i, j] * T.float32(2)\n";

class CheckRelation : public TvPairs {
  protected:
    CheckRelation() : TvPairs(kParams) {}

    Result<RelatedPrograms> related(const std::string& before, const std::string& after,
                                    const std::string& params = "") {
        analysis::Prover prover(ctx, {});
        return relate(parse(before), parse(after, params), relation_, prover);
    }
    CheckVerdict verdict(const std::string& before, const std::string& after,
                         const std::string& params = "") {
        const auto programs = related(before, after, params);
        EXPECT_TRUE(programs.ok()) << programs.error().str();
        if (!programs) return CheckVerdict::Unknown;
        const auto report = verify::check(ctx, programs->before, programs->after, CheckOptions{});
        EXPECT_TRUE(report.ok()) << report.error().str();
        text_ = report.ok() ? report->text() : "";
        return report.ok() ? report->verdict : CheckVerdict::Unknown;
    }
    std::string mistake(const std::string& after, const std::string& params = "") {
        const auto programs = related(kBody, after, params);
        EXPECT_FALSE(programs.ok());
        return programs.ok() ? "" : programs.error().str();
    }

    InterfaceRelation relation_;
    std::string text_;
};

TEST_F(CheckRelation, NamesInAnyOrder) {
    const std::string params =
        "n: T.int32, out: T.Buffer((14, 6), \"float32\"), X: T.Buffer((14, 6), \"float32\")";
    const std::string body =
        "    for i, j in T.grid(14, 6):\n        out[i, j] = X[i, j] * T.float32(2)\n";
    relation_.names = {{"B", "out"}, {"A", "X"}};
    EXPECT_EQ(verdict(kBody, body, params), CheckVerdict::Proved) << text_;
    // The trap: names that are exchanged.
    relation_.names = {{"A", "out"}, {"B", "X"}};
    EXPECT_EQ(verdict(kBody, body, params), CheckVerdict::Refuted) << text_;
}

TEST_F(CheckRelation, NamesByPosition) {
    relation_.by_position = true;
    EXPECT_EQ(verdict(kBody,
                      "    for i, j in T.grid(14, 6):\n        A[i, j] = B[i, j] * "
                      "T.float32(2)\n",
                      "B: T.Buffer((14, 6), \"float32\"), A: T.Buffer((14, 6), \"float32\"), "
                      "m: T.int32"),
              CheckVerdict::Proved)
        << text_;
    EXPECT_THAT(mistake(kBody,
                        "A: T.Buffer((14, 6), \"float32\"), B: T.Buffer((14, 6), "
                        "\"float32\")"),
                HasSubstr("before has 3 parameters and after has 2"));
}

TEST_F(CheckRelation, SizesAreRenamedInShapesAndBounds) {
    relation_.names = {{"n", "m"}};
    const std::string own = "A: T.Buffer((n,), \"float32\"), n: T.int32";
    const std::string other = "A: T.Buffer((m,), \"float32\"), m: T.int32";
    const auto loop = [](const std::string& size) {
        return "    T.func_attr({\"tir_var_upper_bound\": {\"" + size +
               "\": 100}})\n    t = T.alloc_buffer((" + size +
               ",), \"float32\")\n    for i in range(" + size +
               "):\n        t[i] = A[i]\n    for j in range(" + size +
               "):\n        A[j] = t[j] + T.float32(1)\n";
    };
    analysis::Prover prover(ctx, {});
    const auto out = relate(parse(loop("n"), own), parse(loop("m"), other), relation_, prover);
    ASSERT_TRUE(out.ok()) << out.error().str();
    EXPECT_EQ(out->after.params, out->before.params);
    EXPECT_EQ(out->after.attrs, out->before.attrs);
    EXPECT_EQ(out->after.body, out->before.body);
}

// Trap: sizes that are exchanged were so in the body only, or twice in shapes.
TEST_F(CheckRelation, SizesThatAreExchanged) {
    relation_.names = {{"n", "m"}, {"m", "n"}};
    const auto with = [&](const std::string& shape, const std::string& grid) {
        const std::string params =
            "A: T.Buffer((" + shape + "), \"int32\"), n: T.int32, m: T.int32";
        return parse("    for i, j in T.grid(" + grid + "):\n        A[i, j] = i\n", params);
    };
    analysis::Prover prover(ctx, {});
    const Function before = with("n, m", "n, m");
    const auto wrong = relate(before, with("n, m", "m, n"), relation_, prover);
    ASSERT_TRUE(wrong.ok());
    EXPECT_FALSE(verify::check(ctx, wrong->before, wrong->after, CheckOptions{}).ok());
    const auto right = relate(before, with("m, n", "m, n"), relation_, prover);
    ASSERT_TRUE(right.ok());
    const auto report = verify::check(ctx, right->before, right->after, CheckOptions{});
    ASSERT_TRUE(report.ok()) << report.error().str();
    EXPECT_EQ(report->verdict, CheckVerdict::Proved);
    // A chain of names.
    relation_.names = {{"n", "m"}, {"m", "k"}};
    const auto chain = relate(before,
                              parse("    for i, j in T.grid(m, k):\n        A[i, j] = i\n",
                                    "A: T.Buffer((m, k), \"int32\"), m: T.int32, k: T.int32"),
                              relation_, prover);
    ASSERT_TRUE(chain.ok()) << chain.error().str();
    EXPECT_EQ(chain->after.body, before.body);
    EXPECT_EQ(chain->after.params, before.params);
}

// Trap: padding behind the box of the map was never looked at.
TEST_F(CheckRelation, PaddingBehindTheLastCell) {
    const std::string params =
        "A: T.Buffer((14, 6), \"float32\"), B: T.Buffer((16, 6), \"float32\"), n: T.int32";
    relation_.layouts = {{"B", "lambda i, j: [i, j], pad_value=0.0"}};
    EXPECT_EQ(verdict(kBody, kBody, params), CheckVerdict::Refuted) << text_;
    const std::string zeros =
        "    for k, l in T.grid(2, 6):\n        B[k + 14, l] = T.float32(0)\n";
    EXPECT_EQ(verdict(kBody, std::string(kBody) + zeros, params), CheckVerdict::Proved) << text_;
    relation_.layouts = {{"B", "lambda i, j: [i, j]"}};
    EXPECT_EQ(verdict(kBody, kBody, params), CheckVerdict::Proved) << text_;
    relation_.layouts = {{"B", "lambda i, j: [i + 3, j]"}};
    EXPECT_THAT(mistake(kBody, params),
                HasSubstr("the layout needs (17, 6), the parameter of after is (16, 6)"));
}

// Trap: sums in any order, or no NaN, as AFTER says of itself.
TEST_F(CheckRelation, AfterHasNoLicenceOfItsOwn) {
    const std::string sum = "    B[0, 0] = A[0, 0] + A[0, 1] + A[0, 2]\n";
    for (const std::string licence : {"reassociate", "no_signed_zero", "finite(A)"}) {
        const std::string attr = "    T.func_attr({\"proviso.licences\": [\"" + licence + "\"]})\n";
        const auto out = verify::check(ctx, parse(sum), parse(attr + sum), CheckOptions{});
        ASSERT_FALSE(out.ok());
        EXPECT_THAT(out.error().str(), HasSubstr("a licence that before has not: " + licence));
        EXPECT_TRUE(verify::check(ctx, parse(attr + sum), parse(sum), CheckOptions{}).ok());
    }
}

TEST_F(CheckRelation, FlatBuffers) {
    const std::string params =
        "A: T.Buffer((84,), \"float32\"), B: T.Buffer((84,), \"float32\"), n: T.int32";
    const std::string body = "    for i in range(84):\n        B[i] = A[i] * T.float32(2)\n";
    relation_.flat = true;
    EXPECT_EQ(verdict(kBody, body, params), CheckVerdict::Proved) << text_;
    EXPECT_EQ(
        verdict(kBody, "    for i in range(83):\n        B[i] = A[i] * T.float32(2)\n", params),
        CheckVerdict::Refuted)
        << text_;
    EXPECT_THAT(mistake(kBody), HasSubstr("no buffer has one dimension after"));
}

TEST_F(CheckRelation, Layouts) {
    const std::string params =
        "A: T.Buffer((4, 6, 4), \"float32\"), B: T.Buffer((4, 6, 4), \"float32\"), n: T.int32";
    const std::string body =
        "    for io, j, ii in T.grid(4, 6, 4):\n"
        "        B[io, j, ii] = A[io, j, ii] * T.float32(2)\n";
    const std::string map = "lambda i, j: [i // 4, j, i % 4]";
    const auto with = [&](const std::string& of_a, const std::string& of_b) {
        relation_.layouts = {{"A", map + of_a}, {"B", map + of_b}};
        return verdict(kBody, body, params);
    };
    EXPECT_EQ(with(", pad_value=0.0, exact=True", ", pad_value=0.0"), CheckVerdict::Proved)
        << text_;
    EXPECT_EQ(with("", ""), CheckVerdict::Proved) << text_;
    EXPECT_EQ(with(", pad_value=1.0", ", pad_value=2.0"), CheckVerdict::Proved) << text_;
    // The traps: a zero of the other sign, another value.
    EXPECT_EQ(with(", pad_value=0.0", ", pad_value=0.0"), CheckVerdict::Refuted) << text_;
    EXPECT_EQ(with(", pad_value=1.0", ", pad_value=0.0"), CheckVerdict::Refuted) << text_;
    EXPECT_EQ(with("", ", pad_value=0.0"), CheckVerdict::Refuted) << text_;
}

TEST_F(CheckRelation, MistakesInLayouts) {
    const auto told = [&](const std::string& layout) {
        relation_.layouts = {{"A", layout}};
        return mistake(kBody);
    };
    EXPECT_THAT(told("i, j: [i, j]"), HasSubstr("not a lambda"));
    EXPECT_THAT(told("lambda i, j: i"), HasSubstr("no list"));
    EXPECT_THAT(told("lambda i: [i]"), HasSubstr("1 parameters, the buffer has 2 dimensions"));
    EXPECT_THAT(told("lambda i, j: [i, j, k]"), HasSubstr("`k` is not defined"));
    EXPECT_THAT(told("lambda i, j: [i, 0]"), HasSubstr("no inverse"));
    EXPECT_THAT(told("lambda i, j: [i, j], pad=1"), HasSubstr("unknown: 'pad=1'"));
    EXPECT_THAT(told("lambda i, j: [i // 2, j, i % 2]"),
                HasSubstr("the layout has 3 dimensions, the parameter of after 2"));
    relation_.layouts = {{"A", "lambda i, j: [i, j]"}, {"A", "lambda i, j: [j, i]"}};
    EXPECT_THAT(mistake(kBody), HasSubstr("two layouts of A"));
    relation_.layouts = {{"Q", "lambda i, j: [i, j]"}};
    EXPECT_THAT(mistake(kBody), HasSubstr("before has no parameter 'Q'"));
}

TEST_F(CheckRelation, Licences) {
    const std::string sum = "    for i in range(14):\n        B[0, 0] = B[0, 0] + A[i, 0]\n";
    const std::string back = "    for i in range(14):\n        B[0, 0] = B[0, 0] + A[13 - i, 0]\n";
    EXPECT_EQ(verdict(sum, back), CheckVerdict::Refuted) << text_;
    relation_.licences = {"reassociate"};
    EXPECT_EQ(verdict(sum, back), CheckVerdict::Proved) << text_;
    relation_.licences = {"contract"};
    EXPECT_THAT(mistake(kBody), HasSubstr("'contract' is no licence"));
    relation_.licences = {"finite(C)"};
    EXPECT_THAT(mistake(kBody), HasSubstr("no parameter 'C'"));
}

// A tile too many for the largest sizes: the number of tiles is out of range there.
TEST_F(CheckRelation, SizesAreAtMost) {
    const std::string params = "A: T.Buffer((n,), \"float32\"), n: T.int32";
    const std::string tiles =
        "    for i in range((n + 15) // 16):\n        for j in range(16):\n"
        "            if i * 16 + j < n:\n                A[i * 16 + j] = T.float32(1)\n";
    const std::string plain = "    for i in range(n):\n        A[i] = T.float32(1)\n";
    const auto under = [&](std::optional<std::int64_t> most) {
        relation_.at_most = most;
        analysis::Prover prover(ctx, {});
        const auto programs = relate(parse(plain, params), parse(tiles, params), relation_, prover);
        EXPECT_TRUE(programs.ok());
        const auto out = verify::check(ctx, programs->before, programs->after, CheckOptions{});
        EXPECT_TRUE(out.ok());
        text_ = out->text();
        return out->verdict;
    };
    EXPECT_EQ(under(1'000'000), CheckVerdict::Proved) << text_;
    EXPECT_NE(under({}), CheckVerdict::Proved);
    EXPECT_NE(under(2'147'483'647), CheckVerdict::Proved);
}

TEST_F(CheckRelation, NamesThatDoNotFit) {
    relation_.names = {{"Q", "A"}};
    EXPECT_THAT(mistake(kBody), HasSubstr("before has no parameter 'Q'"));
    relation_.names = {{"A", "Q"}};
    EXPECT_THAT(mistake(kBody), HasSubstr("after has no parameter 'Q'"));
    relation_.names = {{"A", "B"}, {"B", "B"}};
    EXPECT_THAT(mistake(kBody), HasSubstr("'B' of after is named twice"));
    relation_.names = {{"A", "B"}};
    EXPECT_THAT(mistake(kBody), HasSubstr("two parameters would be called 'A'"));
    relation_.names = {{"n", "m"}};
    EXPECT_THAT(mistake("    for n in range(3):\n        B[n, 0] = A[n, 0]\n",
                        "A: T.Buffer((14, 6), \"float32\"), B: T.Buffer((14, 6), \"float32\"), "
                        "m: T.int32"),
                HasSubstr("the program has something of that name"));
}

}  // namespace
}  // namespace proviso::verify
