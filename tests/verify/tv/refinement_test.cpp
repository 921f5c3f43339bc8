// What `check` calls a proof is a derivation that ends in the second program, and nothing else.
#include "verify/check/map/refinement.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <type_traits>

#include "ir/text.h"

namespace proviso::verify {
namespace {

static_assert(!std::is_constructible_v<ProvedRefinement, rewrite::Derivation>,
              "only ProvedRefinement::of makes one");
static_assert(!std::is_default_constructible_v<ProvedRefinement>);

class RefinementOf : public testing::Test {
  protected:
    ir::Function parse(const std::string& body, const std::string& attrs = "") {
        const std::string head =
            "@T.prim_func\ndef f(A: T.Buffer((n,), \"float32\"), B: T.Buffer((n,), \"float32\"), "
            "n: T.int32):\n";
        const std::string with = attrs.empty() ? "" : "    T.func_attr({" + attrs + "})\n";
        const Result<ir::Function> f = ir::parse_function(ctx, head + with + body, "<test>");
        EXPECT_TRUE(f.ok()) << f.error().str();
        return f.ok() ? *f : ir::Function{};
    }
    // The reason why a derivation without a step is no proof of `after`; empty: it is one.
    std::string why_not(const ir::Function& before, const ir::Function& after) {
        const Result<rewrite::Derivation> none = rewrite::Derivation::start(ctx, before);
        EXPECT_TRUE(none.ok());
        std::string why;
        const bool made = none.ok() && ProvedRefinement::of(*none, after, why).has_value();
        EXPECT_EQ(made, why.empty()) << why;
        return why;
    }

    ir::Context ctx;
    const std::string copy_ = "    for i in range(n):\n        B[i] = A[i]\n";
    const std::string twice_ = "    for i in range(n):\n        B[i] = A[i] + A[i]\n";
    const std::string licence_ = "\"proviso.licences\": [\"reassociate\"]";
    const std::string bound_ = "\"tir_var_upper_bound\": {\"n\": 9}";
};

TEST_F(RefinementOf, ADerivationThatEndsElsewhereIsNone) {
    EXPECT_EQ(why_not(parse(copy_), parse(copy_)), "");
    EXPECT_EQ(why_not(parse(copy_), parse(twice_)),
              "the derivation ends in another text: B[i] = A[i], and not B[i] = A[i] + A[i]");
    const std::string named = "    for j in range(n):\n        B[j] = A[j]\n";
    EXPECT_NE(why_not(parse(copy_), parse(named)), "") << "names count as well";
}

// With a licence more, the second program may do what the first one does not.
TEST_F(RefinementOf, TrapALicenceThatTheFirstProgramDoesNotGrant) {
    EXPECT_EQ(why_not(parse(copy_), parse(copy_, licence_)),
              "the first program does not grant reassociate");
    EXPECT_EQ(why_not(parse(copy_, licence_), parse(copy_)), "");
}

TEST_F(RefinementOf, BoundsAreTheCallersAndOtherAttributesCount) {
    EXPECT_EQ(why_not(parse(copy_, bound_), parse(copy_)), "");
    EXPECT_EQ(why_not(parse(copy_, "\"proviso.indet\": [\"A\"]"), parse(copy_)),
              "the attributes differ");
    EXPECT_EQ(why_not(parse(copy_), parse(copy_, "\"proviso.indet\": [\"A\"]")),
              "the attributes differ");
}

// The search and its wrong twins: whatever is guessed, only what the kernel takes is found.
TEST_F(RefinementOf, TheSearchSaysWhatBlockedIt) {
    analysis::ProverOptions options;
    options.use_cvc5 = false;
    analysis::Prover prover(ctx, options);
    const ir::Function before = parse(copy_);
    const RefinementSearch right = find_refinement(
        before, parse("    for i in range(n):\n        B[n - 1 - i] = A[n - 1 - i]\n"), prover);
    ASSERT_TRUE(right.found.has_value());
    EXPECT_GT(right.found->steps(), 0U);
    const RefinementSearch wrong =
        find_refinement(before, parse("    for i in range(n - 1):\n        B[i] = A[i]\n"), prover);
    EXPECT_FALSE(wrong.found.has_value());
    ASSERT_FALSE(wrong.tried.empty());
    EXPECT_NE(wrong.tried[0].find("the second program does not run"), std::string::npos)
        << wrong.tried[0];
}

// The same programs give the same derivation, step for step.
TEST_F(RefinementOf, TheSearchIsAFunctionOfThePrograms) {
    const auto steps = [&] {
        ir::Context own;
        const std::string head =
            "@T.prim_func\ndef f(A: T.Buffer((n,), \"float32\"), B: T.Buffer((n,), \"float32\"), "
            "n: T.int32):\n";
        const auto before = ir::parse_function(own, head + twice_, "<test>");
        const auto after = ir::parse_function(
            own,
            head +
                "    t = T.alloc_buffer((n,), \"float32\")\n    for i in range(n):\n"
                "        t[i] = A[i]\n    for i in range(n):\n        B[i] = t[i] + A[i]\n",
            "<test>");
        analysis::ProverOptions options;
        options.use_cvc5 = false;
        analysis::Prover prover(own, options);
        const RefinementSearch out = find_refinement(*before, *after, prover);
        std::string text;
        if (!out.found) return text;
        for (const rewrite::Step& s : out.found->derivation().steps()) {
            text += s.rule + " " + s.site.str() + " " + s.args + "\n";
        }
        return text;
    };
    const std::string once = steps();
    EXPECT_NE(once, "");
    EXPECT_EQ(once, steps());
}

}  // namespace
}  // namespace proviso::verify
