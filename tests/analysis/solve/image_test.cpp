// Images of index expressions: known answers with constant and symbolic ends, and random
// expressions against enumeration. An exact set has every value and nothing else, at every size;
// the others have every value and say that they may have more.
#include <gtest/gtest.h>

#include <set>

#include "analysis/sets/index_set.h"
#include "analysis/solve/image.h"
#include "ir/children.h"
#include "ir/domains/value.h"
#include "ir/planted.h"
#include "ir/text.h"

namespace proviso::analysis::solve {
namespace {

using ir::Expr;
using ir::Int128;

class ImageSets : public testing::Test {
  protected:
    ir::Context ctx;
    Prover prover{ctx, options()};
    ir::Scope scope;

    ImageSets() {
        for (const char* name : {"i", "j", "k", "n", "m", "s"}) {
            scope.vars[name] = ctx.var(name, ir::kInt32);
        }
    }
    static ProverOptions options() {
        ProverOptions out;
        out.use_cvc5 = false;
        out.rlimit = 400'000;
        return out;
    }
    Expr read(const std::string& text) {
        const auto out = ir::parse_expr(ctx, text, scope);
        EXPECT_TRUE(out.ok()) << text;
        return *out;
    }
    IndexMap map(const std::vector<std::string>& results,
                 const std::vector<std::pair<std::string, std::string>>& extents,
                 const std::vector<std::string>& facts = {}) {
        IndexMap out;
        for (const auto& [name, extent] : extents) {
            out.vars.push_back(scope.vars.at(name));
            out.extents.push_back(read(extent));
        }
        for (const std::string& r : results) out.results.push_back(read(r));
        for (const std::string& f : facts) out.facts.push_back(read(f));
        return out;
    }
    static std::string text(const Image& image) {
        EXPECT_TRUE(all_proved(image.checks));
        EXPECT_FALSE(image.checks.empty());
        return image.kind() + ": " + image.str();
    }
    std::string set(const std::string& e,
                    const std::vector<std::pair<std::string, std::string>>& extents,
                    const std::vector<std::string>& facts = {}) {
        const Result<Images> found = images(prover, map({e}, extents, facts), {"v"});
        return found ? text(found->each.at(0)) : found.error().message;
    }
};

struct Example {
    const char* expression;
    std::vector<std::pair<std::string, std::string>> extents;
    std::vector<std::string> facts;
    const char* answer;
};

TEST_F(ImageSets, OfConstantDomains) {
    const std::vector<Example> examples = {
        {"i * 4", {{"i", "4"}}, {}, "exact: {0..12 step 4}"},
        {"i * 8 + j", {{"i", "2"}, {"j", "6"}}, {}, "exact: {0..5} ∪ {8..13}"},
        {"(i + 6) % 8", {{"i", "6"}}, {}, "exact: {0..3} ∪ {6..7}"},
        {"i ^ 4", {{"i", "6"}}, {}, "exact: {0..1} ∪ {4..7}"},
        {"T.Select(i < 4, i * 4, i + 16)", {{"i", "8"}}, {}, "exact: {0..12 step 4} ∪ {20..23}"},
        {"i - i", {{"i", "6"}}, {}, "exact: {0}"},
        {"i", {{"i", "0"}}, {}, "exact: {}"},
        {"i", {{"i", "9"}}, {"i % 3 == 1", "i != 4"}, "exact: {1} ∪ {7}"},
        {"i * i", {{"i", "20"}}, {}, "hull (of more than 16 ranges): {0..361}"},
    };
    for (const Example& e : examples) {
        EXPECT_EQ(set(e.expression, e.extents, e.facts), e.answer) << e.expression;
    }
}

TEST_F(ImageSets, OfSymbolicDomains) {
    const std::vector<Example> examples = {
        {"i", {{"i", "n"}}, {}, "exact: {0..n - 1}"},
        {"i * 4 + 1", {{"i", "n"}}, {}, "exact: {1..n * 4 - 3 step 4}"},
        {"n - 1 - i", {{"i", "n"}}, {}, "exact: {0..n - 1}"},
        {"i // 4", {{"i", "n"}}, {}, "exact: {0..(n + 3) // 4 - 1}"},
        {"i * 8 + j", {{"i", "n"}, {"j", "8"}}, {}, "exact: {0..n * 8 - 1}"},
        {"i + j", {{"i", "n"}, {"j", "m"}}, {"n > 0", "m > 0"}, "exact: {0..n + m - 2}"},
        {"T.min(i, 7)", {{"i", "n"}}, {"n >= 9"}, "exact: {0..7}"},
        {"i % 8", {{"i", "n"}}, {"n >= 8"}, "exact: {0..7}"},
        {"i", {{"i", "n"}}, {"i % 4 == 1"}, "exact: {1..n - 1 step 4}"},
        {"i + m", {{"i", "n"}}, {}, "exact: {m..n + m - 1}"},
        {"i + j",
         {{"i", "n"}, {"j", "m"}},
         {},
         "exact where the domain is not empty: {0..n + m - 2}"},
        {"T.max(i - 3, 0)", {{"i", "n"}}, {}, "over: {0..T.max(n - 4, 0)}"},
    };
    for (const Example& e : examples) {
        EXPECT_EQ(set(e.expression, e.extents, e.facts), e.answer) << e.expression;
    }
}

TEST_F(ImageSets, StridesMayBeSizes) {
    EXPECT_EQ(set("i * s", {{"i", "n"}}, {"s > 0"}), "exact: {0..n * s - s step s}");
    EXPECT_EQ(set("i * s + m", {{"i", "4"}}, {"s > 0"}), "exact: {m..m + s * 3 step s}");
}

TEST_F(ImageSets, OfAnAccessWithSeveralIndices) {
    const Images box = *images(prover, map({"i", "j * 2"}, {{"i", "n"}, {"j", "m"}}), {"v0", "v1"});
    EXPECT_EQ(box.together, Direction::Exact);
    EXPECT_TRUE(box.each[0].if_not_empty) << "m may be 0: then no i is reached, and it is said";
    EXPECT_FALSE(box.if_not_empty) << "then the box is empty, too";
    const Images rows = *images(prover, map({"i", "j"}, {{"i", "n"}, {"j", "4"}}), {"v0", "v1"});
    EXPECT_EQ(rows.together, Direction::Exact);
    EXPECT_FALSE(rows.if_not_empty);
    const Images diagonal =
        *images(prover, map({"i", "i"}, {{"i", "n"}}, {"n > 4"}), {"v0", "v1"}, true);
    EXPECT_EQ(text(diagonal.each[0]), "exact: {0..n - 1}");
    EXPECT_EQ(diagonal.together, Direction::Over) << "(0, 1) is no access";
    const Images small = *images(prover, map({"i", "i"}, {{"i", "4"}}), {"v0", "v1"}, true);
    EXPECT_EQ(small.together, Direction::Over);
    // But the conditions between the values are exact.
    for (const Images* one : {&diagonal, &small}) {
        ASSERT_TRUE(one->joint.has_value());
        EXPECT_TRUE(one->exact());
        EXPECT_EQ(one->joint->parts.size(), 1U);
        EXPECT_EQ(one->joint->str().rfind("v0 == v1 and 0 <= v0 and v0 ", 0), 0U)
            << one->joint->str();
    }
}

// Traps: what is not reached must not be called a value.
TEST_F(ImageSets, GapsAreNoValues) {
    // j < 6 in rows of 8: 6 and 7 are no values.
    const std::string gaps = set("i * 8 + j", {{"i", "n"}, {"j", "6"}});
    EXPECT_EQ(gaps.find("exact: {0..n * 8 - 8 step 8} ∪ {1..n * 8 - 7 step 8} ∪"), 0U) << gaps;
    EXPECT_EQ(gaps.find("{6"), std::string::npos) << gaps;
    // n may be 1, and then 1 is no value of i % 8.
    EXPECT_EQ(set("i % 8", {{"i", "n"}}), "exact: {0..T.min(n - 1, 7)}");
    // A triangle: all of them together are no box.
    const Images triangle =
        *images(prover, map({"i", "j"}, {{"i", "n"}, {"j", "n"}}, {"j <= i"}), {"v0", "v1"});
    EXPECT_EQ(triangle.together, Direction::Over);
}

// A slip in the sets: sums with gaps pass as sums without. The witness is not found.
TEST_F(ImageSets, APlantedSlipInTheSetsIsSeen) {
    ir::planted_fault() = "sets:gaps-are-filled";
    const std::string wrong = set("i * 8 + j", {{"i", "n"}, {"j", "6"}});
    ir::planted_fault().clear();
    EXPECT_EQ(wrong.substr(0, 5), "over:") << wrong;
}

TEST_F(ImageSets, ATakenNameIsAnError) {
    EXPECT_FALSE(images(prover, map({"i"}, {{"i", "4"}}), {"i"}).ok());
}

// --- random expressions

class RandomImages : public ImageSets {
  protected:
    ir::Chooser noise{29};
    int below(int n) { return static_cast<int>(noise.next() % static_cast<unsigned>(n)); }
    Expr number(int lo, int hi) { return ctx.i32(lo + below(hi - lo + 1)); }
    Expr expression(int depth) {
        if (depth == 0) {
            const int k = below(5);
            return k == 0 ? number(-9, 9) : scope.vars[k < 3 ? "i" : "j"];
        }
        Expr a = expression(depth - 1);
        switch (below(9)) {
            case 0:
            case 1: return ctx.mul(a, number(-4, 8));
            case 2: return ctx.floordiv(a, number(1, 7));
            case 3: return ctx.floormod(a, number(1, 9));
            case 4: return ctx.min(a, number(-5, 20));
            case 5: return ctx.sub(a, expression(depth - 1));
            case 6: return ctx.make(ir::Op::BitXor, {a, number(0, 7)});
            default: return ctx.add(a, expression(depth - 1));
        }
    }
    // The values at one size of n, and the members of the set there, within a window around them.
    void compare(const IndexMap& m, const Image& image, Expr value, int n) {
        std::set<Int128> real;
        std::vector<Expr> vars = m.vars;
        vars.push_back(scope.vars["n"]);
        for (int i = 0; i < 16; ++i) {
            for (int j = 0; j < 7; ++j) {
                const Point at = {i, j, n};
                bool inside = true;
                for (Expr e : m.domain(ctx)) inside = inside && *value_at(e, vars, at) != 0;
                if (inside) real.insert(*value_at(m.results[0], vars, at));
            }
        }
        for (int v = -400; v <= 400; ++v) {
            const bool member = *value_at(image.member, {value, scope.vars["n"]}, {v, n}) != 0;
            const bool there = real.count(v) != 0;
            EXPECT_LE(there, member) << v << " at n = " << n;
            if (image.direction == Direction::Exact && !(image.if_not_empty && n <= 0)) {
                EXPECT_LE(member, there) << v << " at n = " << n;
            }
        }
    }
};

TEST_F(RandomImages, OfConstantDomainsAgreeWithEnumeration) {
    int exact = 0;
    for (int round = 0; round < 60 && !HasFailure(); ++round) {
        IndexMap m =
            map({}, {{"i", std::to_string(below(7))}, {"j", std::to_string(1 + below(6))}});
        m.results = {expression(1 + below(3))};
        const Images found = *images(prover, m, {"v"});
        EXPECT_EQ(found.each[0].direction == Direction::Exact, !found.each[0].hull);
        exact += found.each[0].hull ? 0 : 1;
        SCOPED_TRACE(ir::print(m.results[0]) + " in " + text(found.each[0]));
        compare(m, found.each[0], found.values[0], 0);
    }
    EXPECT_GT(exact, 45);
}

TEST_F(RandomImages, OfSymbolicDomainsAgreeWithEnumerationAtEverySize) {
    int exact = 0;
    int answered = 0;
    for (int round = 0; round < 25 && !HasFailure(); ++round) {
        IndexMap m = map({}, {{"i", "n"}, {"j", std::to_string(1 + below(6))}},
                         {"n >= " + std::to_string(below(9))});
        m.results = {expression(1 + below(2))};
        const Result<Images> found = images(prover, m, {"v"});
        if (!found) continue;
        ++answered;
        exact += found->each[0].direction == Direction::Exact ? 1 : 0;
        SCOPED_TRACE(ir::print(m.results[0]) + " in " + text(found->each[0]) + " given " +
                     ir::print(m.facts[0]));
        for (int n = 0; n < 14; ++n) {
            if (*value_at(m.facts[0], {scope.vars["n"]}, {n}) == 0) continue;
            compare(m, found->each[0], found->values[0], n);
        }
    }
    EXPECT_GT(answered, 15);
    EXPECT_GT(exact, answered / 3) << "of " << answered;
}

}  // namespace
}  // namespace proviso::analysis::solve
