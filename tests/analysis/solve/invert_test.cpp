// Inverses of index maps: known answers, traps, and random maps against enumeration: the inverse
// takes every image back, and the padding predicate is the complement of the image, cell by cell.
#include <gtest/gtest.h>

#include <set>

#include "analysis/solve/invert.h"
#include "ir/children.h"
#include "ir/domains/value.h"
#include "ir/planted.h"
#include "ir/text.h"

namespace proviso::analysis::solve {
namespace {

using ir::Expr;
using ir::Int128;

class Maps : public testing::Test {
  protected:
    ir::Context ctx;
    Prover prover{ctx, options()};
    ir::Scope scope;

    Maps() {
        for (const char* name : {"i", "j", "k", "n", "m", "p0", "p1", "p2"}) {
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
    IndexMap map(const std::vector<std::pair<std::string, std::string>>& vars,
                 const std::vector<std::string>& results,
                 const std::vector<std::string>& facts = {}) {
        IndexMap out;
        for (const auto& [name, extent] : vars) {
            out.vars.push_back(scope.vars.at(name));
            out.extents.push_back(read(extent));
        }
        for (const std::string& r : results) out.results.push_back(read(r));
        for (const std::string& f : facts) out.facts.push_back(read(f));
        return out;
    }
    // "p0 * 4 + p1; inside: ..": or why there is none.
    std::string inverse(const IndexMap& m, const std::vector<std::string>& shape = {}) {
        std::vector<Expr> extents;
        for (const std::string& s : shape) extents.push_back(read(s));
        const Result<Inversion> r = invert(prover, m, extents);
        if (!r) return r.error().message;
        std::string out;
        for (Expr g : r->inverse) out += (out.empty() ? "" : ", ") + ir::print(g);
        if (!r->found()) return "none";
        EXPECT_TRUE(all_proved(r->checks));
        return out + "; padding: " + ir::print(r->padding);
    }
};

TEST_F(Maps, DigitsOffsetsAndPermutations) {
    EXPECT_EQ(inverse(map({{"i", "14"}}, {"i // 4", "i % 4"})),
              "p0 * 4 + p1; padding: 14 <= p0 * 4 + p1");
    EXPECT_EQ(inverse(map({{"i", "16"}}, {"i // 4", "i % 4"})), "p0 * 4 + p1; padding: False");
    EXPECT_EQ(inverse(map({{"i", "14"}}, {"(i + 2) // 8", "(i + 2) % 8"})),
              "p0 * 8 + p1 - 2; padding: p0 * 8 + p1 < 2");
    EXPECT_EQ(inverse(map({{"i", "14"}}, {"(i + 1) // 8", "(i + 1) % 8"})),
              "p0 * 8 + p1 - 1; padding: p0 * 8 + p1 < 1 or 15 <= p0 * 8 + p1");
    EXPECT_EQ(inverse(map({{"i", "4"}, {"j", "6"}}, {"j", "i"})), "p1, p0; padding: False");
    EXPECT_EQ(inverse(map({{"i", "5"}}, {"4 - i"})), "4 - p0; padding: False");
    EXPECT_EQ(inverse(map({{"i", "64"}}, {"i % 4", "i // 16", "i // 4 % 4"})),
              "p0 + p1 * 16 + p2 * 4; padding: False");
    EXPECT_EQ(inverse(map({{"i", "3"}, {"j", "5"}}, {"i * 5 + j"})),
              "p0 // 5, p0 % 5; padding: False");
    EXPECT_EQ(inverse(map({{"i", "3"}, {"j", "5"}}, {"i * 8 + j"})),
              "p0 // 8, p0 % 8; padding: 5 <= p0 % 8");
}

TEST_F(Maps, SymbolicExtents) {
    const std::vector<std::string> sizes = {"0 < n", "0 < m", "n < 10000", "m < 10000"};
    EXPECT_EQ(inverse(map({{"i", "n"}}, {"i // 8", "i % 8"}, sizes), {"(n + 7) // 8", "8"}),
              "p0 * 8 + p1; padding: n <= p0 * 8 + p1");
    EXPECT_EQ(inverse(map({{"i", "m"}, {"j", "n"}}, {"i * n + j"}, sizes), {"m * n"}),
              "p0 // n, p0 % n; padding: False");
    EXPECT_EQ(inverse(map({{"i", "n"}}, {"n - 1 - i"}, sizes)), "n - p0 - 1; padding: False");
}

TEST_F(Maps, SwizzlesAreBijections) {
    EXPECT_EQ(inverse(map({{"i", "8"}, {"j", "64"}}, {"i", "j ^ (i % 8)"})),
              "p0, p1 ^ p0 % 8; padding: False");
    EXPECT_EQ(inverse(map({{"i", "m"}, {"j", "n"}}, {"i", "j ^ (i % 8)"},
                          {"n % 8 == 0", "0 < n", "0 < m"}),
                      {"m", "n"}),
              "p0, p1 ^ p0 % 8; padding: False");
    EXPECT_EQ(inverse(map({{"i", "8"}, {"j", "8"}}, {"i", "(i + j) % 8"})),
              "p0, (p1 - p0) % 8; padding: False");
    EXPECT_EQ(inverse(map({{"i", "8"}}, {"i * 3 % 8"})), "p0 * 3 % 8; padding: False");
    for (const char* bits : {"j ^ (j >> 1)", "(j >> 3) | ((j & 7) << 3)", "j ^ (j >> 2) ^ 5"}) {
        const Inversion found = *invert(prover, map({{"j", "64"}}, {bits}));
        EXPECT_EQ(found.injective.verdict, Verdict::Proved) << bits;
        EXPECT_EQ(found.surjective.verdict, Verdict::Proved) << bits;
        EXPECT_TRUE(found.found()) << bits;
    }
}

TEST_F(Maps, CoprimeRemainders) {
    EXPECT_EQ(inverse(map({{"i", "12"}}, {"i % 3", "i % 4"})),
              "(p0 * 4 + p1 * 9) % 12; padding: False");
    const std::string part = inverse(map({{"i", "10"}}, {"i % 3", "i % 4"}));
    EXPECT_EQ(part, "(p0 * 4 + p1 * 9) % 12; padding: 10 <= (p0 * 4 + p1 * 9) % 12");
}

TEST_F(Maps, LinearSystems) {
    EXPECT_EQ(inverse(map({{"i", "4"}, {"j", "8"}}, {"i + j", "j"})),
              "p0 - p1, p1; padding: p0 < p1 or p1 + 4 <= p0");
    const std::string turned = inverse(map({{"i", "8"}, {"j", "8"}}, {"i + j", "i - j + 7"}));
    EXPECT_NE(turned.find("// 2"), std::string::npos) << turned;
}

// --- traps

TEST_F(Maps, InjectiveOnlyOnPartOfTheRegion) {
    // i % 8 is injective for i < 8; for i < 14, index 0 and index 8 meet.
    const Inversion small = *invert(prover, map({{"i", "8"}}, {"i % 8"}));
    EXPECT_EQ(small.injective.verdict, Verdict::Proved);
    const Inversion large = *invert(prover, map({{"i", "14"}}, {"i % 8"}));
    EXPECT_FALSE(large.found());
    ASSERT_EQ(large.injective.verdict, Verdict::Refuted);
    ASSERT_EQ(large.injective.example.size(), 2U);
    const int a = std::stoi(large.injective.example[0].second);
    const int b = std::stoi(large.injective.example[1].second);
    EXPECT_NE(a, b);
    EXPECT_EQ(a % 8, b % 8);
    // The same with a symbolic extent: two points from a model.
    const Inversion open = *invert(prover, map({{"i", "n"}}, {"i % 8"}, {"0 < n", "n < 100"}));
    EXPECT_FALSE(open.found());
    EXPECT_EQ(open.injective.verdict, Verdict::Refuted);
}

TEST_F(Maps, ARaggedXorIsNotOnto) {
    // j < 12 in rows of 12: 11 ^ 4 = 15 leaves the row.
    const IndexMap m = map({{"i", "8"}, {"j", "12"}}, {"i", "j ^ (i % 8)"});
    EXPECT_NE(inverse(m, {"8", "12"}).find("leaves its box"), std::string::npos);
    const Inversion wide = *invert(prover, m, {read("8"), read("16")});
    EXPECT_EQ(wide.injective.verdict, Verdict::Proved);
    EXPECT_EQ(wide.surjective.verdict, Verdict::Refuted);
    EXPECT_FALSE(wide.surjective.example.empty()) << "an unhit cell is shown";
}

TEST_F(Maps, AWrongOffsetIsNoInverse) {
    const IndexMap m = map({{"i", "14"}}, {"(i + 2) // 8", "(i + 2) % 8"});
    const std::vector<Expr> physical = {scope.vars["p0"], scope.vars["p1"]};
    for (const auto& [guess, right] :
         {std::pair("p0 * 8 + p1 - 2", true), std::pair("p0 * 8 + p1 - 3", false),
          std::pair("p0 * 8 + p1", false), std::pair("p0 * 4 + p1 - 2", false)}) {
        Expr back = m.at_image(ctx, read(guess), physical);
        const Checked c =
            check_on_box(prover, guess, {}, m.vars, m.extents, ctx.eq(back, scope.vars["i"]));
        EXPECT_EQ(c.answer.verdict, right ? Verdict::Proved : Verdict::Refuted) << guess;
    }
}

TEST_F(Maps, APredicateThatMissesCellsIsRefuted) {
    // The head of the padding alone; the tail is missed.
    const IndexMap m = map({{"i", "13"}}, {"(i + 2) // 8", "(i + 2) % 8"});
    const Inversion found = *invert(prover, m);
    EXPECT_EQ(ir::print(found.padding), "p0 * 8 + p1 < 2 or 15 <= p0 * 8 + p1");
    Expr not_padding = read("not (p0 * 8 + p1 < 2)");
    const Checked c =
        check_on_box(prover, "test", {not_padding}, found.physical, found.shape, found.inside);
    EXPECT_EQ(c.answer.verdict, Verdict::Refuted) << "cell (1, 7) is padding, too";
}

// A slip in the search for a short predicate: the lower end of the padding is forgotten. Its
// obligation fails, and so does the comparison with the image.
TEST_F(Maps, APlantedSlipInThePaddingIsSeen) {
    const IndexMap m = map({{"i", "13"}}, {"(i + 2) // 8", "(i + 2) % 8"});
    ir::planted_fault() = "solve:padding-below";
    const Inversion wrong = *invert(prover, m);
    ir::planted_fault().clear();
    EXPECT_FALSE(all_proved(wrong.checks)) << "a conjunct was left out without a proof";
    EXPECT_EQ(value_at(wrong.padding, wrong.physical, {0, 1}), std::optional<Int128>(0))
        << "cell (0, 1) is no image, and the wrong predicate misses it";
}

TEST_F(Maps, WhatIsNoIndexMapIsAnError) {
    EXPECT_FALSE(invert(prover, map({}, {})).ok());
    EXPECT_EQ(inverse(map({{"i", "4"}}, {"i - 2"})).substr(0, 13), "the index map");
    EXPECT_FALSE(invert(prover, map({{"i", "4"}}, {"i"}), {}, {"i"}).ok()) << "the name is taken";
}

// --- random maps

class RandomMaps : public Maps {
  protected:
    ir::Chooser noise{23};
    int below(int n) { return static_cast<int>(noise.next() % static_cast<unsigned>(n)); }

    struct Axis {
        Expr e;
        int extent;  // of the values: 0 <= e < extent
    };

    // A composition of what layouts are made of.
    IndexMap random_map() {
        IndexMap out;
        std::vector<Axis> axes;
        const char* names[] = {"i", "j"};
        const int dims = 1 + below(2);
        for (int d = 0; d < dims; ++d) {
            const int sizes[] = {3, 4, 5, 7, 8, 12, 16};
            Expr v = scope.vars[names[d]];
            axes.push_back({v, sizes[below(7)]});
            out.vars.push_back(v);
            out.extents.push_back(ctx.i32(axes.back().extent));
        }
        for (int step = 1 + below(3); step > 0; --step) change(axes);
        for (const Axis& a : axes) out.results.push_back(a.e);
        return out;
    }

    void change(std::vector<Axis>& axes) {
        const auto at = static_cast<std::size_t>(below(static_cast<int>(axes.size())));
        const Axis a = axes[at];
        const auto place = axes.begin() + static_cast<std::ptrdiff_t>(at);
        switch (below(7)) {
            case 0:
            case 1: {  // split, perhaps not evenly
                const int f = 2 + below(4);
                axes[at] = {ctx.floordiv(a.e, ctx.i32(f)), (a.extent + f - 1) / f};
                axes.insert(place + 1, {ctx.floormod(a.e, ctx.i32(f)), std::min(f, a.extent)});
                break;
            }
            case 2:  // offset
                axes[at] = {ctx.add(a.e, ctx.i32(2)), a.extent + 2};
                break;
            case 3:  // the other way round
                axes[at] = {ctx.sub(ctx.i32(a.extent - 1), a.e), a.extent};
                break;
            case 4:  // fuse with the first one, with a gap
                if (at == 0) break;
                axes[at] = {ctx.add(ctx.mul(axes[0].e, ctx.i32(a.extent + 1)), a.e),
                            axes[0].extent * (a.extent + 1)};
                axes.erase(axes.begin());
                break;
            case 5:  // swizzle
                if (at == 0 || (a.extent & (a.extent - 1)) != 0) break;
                axes[at].e =
                    ctx.make(ir::Op::BitXor, {a.e, ctx.floormod(axes[0].e, ctx.i32(a.extent))});
                break;
            default: std::swap(axes[0], axes[at]); break;
        }
    }

    struct Truth {
        std::set<Point> image;
        bool injective = true;
    };
    static Truth enumerate(const IndexMap& m) {
        Truth out;
        EXPECT_TRUE(each_point(m.extents, [&](const Point& x) {
            Point image;
            for (Expr f : m.results) image.push_back(*value_at(f, m.vars, x));
            out.injective = out.image.insert(image).second && out.injective;
            return true;
        }));
        return out;
    }
};

TEST_F(RandomMaps, InversesAndPaddingAgreeWithEnumeration) {
    constexpr int rounds = 120;
    int found = 0;
    for (int round = 0; round < rounds; ++round) {
        const IndexMap m = random_map();
        std::string text;
        for (Expr f : m.results) text += ir::print(f) + "; ";
        const Result<Inversion> r = invert(prover, m);
        ASSERT_TRUE(r.ok()) << text << r.error().str();
        const Truth truth = enumerate(m);
        ASSERT_EQ(r->injective.verdict, truth.injective ? Verdict::Proved : Verdict::Refuted)
            << text;
        if (!r->found()) continue;
        ++found;
        EXPECT_TRUE(all_proved(r->checks));
        each_point(m.extents, [&](const Point& x) {
            Point image;
            for (Expr f : m.results) image.push_back(*value_at(f, m.vars, x));
            for (std::size_t d = 0; d < x.size(); ++d) {
                EXPECT_EQ(value_at(r->inverse[d], r->physical, image), x[d]) << text;
            }
            return true;
        });
        bool onto = true;
        EXPECT_TRUE(each_point(r->shape, [&](const Point& p) {
            const bool padded = truth.image.count(p) == 0;
            onto = onto && !padded;
            EXPECT_EQ(value_at(r->padding, r->physical, p), std::optional<Int128>(padded))
                << text << ir::print(r->padding);
            return !HasFailure();
        }));
        EXPECT_EQ(r->surjective.verdict, onto ? Verdict::Proved : Verdict::Refuted) << text;
    }
    EXPECT_GT(found, rounds * 9 / 10);
}

TEST_F(RandomMaps, InjectivityAgreesWithEnumeration) {
    Expr i = scope.vars["i"];
    Expr j = scope.vars["j"];
    int collisions = 0;
    for (int round = 0; round < 150; ++round) {
        IndexMap m{{i, j}, {ctx.i32(2 + below(5)), ctx.i32(2 + below(5))}, {}, {}};
        Expr sum = ctx.add(ctx.mul(i, ctx.i32(1 + below(6))), ctx.mul(j, ctx.i32(1 + below(6))));
        m.results.push_back(ctx.floormod(sum, ctx.i32(3 + below(30))));
        if (below(2) == 0) m.results.push_back(ctx.floordiv(i, ctx.i32(1 + below(3))));
        const Result<Inversion> r = invert(prover, m);
        ASSERT_TRUE(r.ok()) << r.error().str();
        const Truth truth = enumerate(m);
        ASSERT_EQ(r->injective.verdict, truth.injective ? Verdict::Proved : Verdict::Refuted)
            << ir::print(m.results[0]);
        if (truth.injective) continue;
        ++collisions;
        std::map<std::string, Int128> at;
        for (const auto& [name, value] : r->injective.example) at[name] = std::stoi(value);
        const Point a = {at["i"], at["j"]};
        const Point b = {at["i'"], at["j'"]};
        EXPECT_NE(a, b);
        for (Expr f : m.results) EXPECT_EQ(value_at(f, m.vars, a), value_at(f, m.vars, b));
    }
    EXPECT_GT(collisions, 30);
}

}  // namespace
}  // namespace proviso::analysis::solve
