// Regions against enumeration: images of random index maps over guarded loops, at every small value
// of their parameter; operations on them; counts; boxes of cells. And figures worked out by hand.
#include "analysis/regions/region.h"

#include <gtest/gtest.h>

#include <set>

#include "analysis/regions/count.h"
#include "ir/domains/evaluate.h"
#include "ir/planted.h"
#include "ir/text.h"

namespace proviso::analysis {
namespace {

using ir::Expr;
using ir::Integer;

using Cell = std::vector<int>;
using Cells = std::set<Cell>;

class Regions : public testing::Test {
  protected:
    ir::Context ctx;
    ir::Chooser noise{11};
    std::map<std::string, Expr> vars;

    Regions() {
        for (const char* name : {"i", "j", "k", "n", "m", "y", "x", "f", "p0", "p1", "p2"}) {
            vars[name] = ctx.var(name, ir::kInt32);
        }
    }

    int below(int n) { return static_cast<int>(noise.next() % static_cast<unsigned>(n)); }
    Expr read(const std::string& text) {
        auto e = ir::parse_expr(ctx, text, {vars, {}});
        EXPECT_TRUE(e.ok()) << text << (e.ok() ? "" : e.error().str());
        return *e;
    }
    RegionScope scope(std::size_t dimensions, const std::vector<std::string>& facts = {}) {
        std::vector<Expr> coordinates;
        for (std::size_t k = 0; k < dimensions; ++k) {
            coordinates.push_back(vars.at("p" + std::to_string(k)));
        }
        std::vector<Expr> known;
        for (const std::string& f : facts) known.push_back(read(f));
        return {ctx, coordinates, known};
    }
    IndexedCells cells(const std::string& varying, const std::string& condition,
                       const std::vector<std::string>& indices) {
        IndexedCells out;
        for (const char c : varying) out.varying.push_back(vars.at(std::string(1, c)));
        out.condition = read(condition);
        for (const std::string& e : indices) out.indices.push_back(read(e));
        return out;
    }
    static int number(const ir::Value& v) { return static_cast<int>(*v.integer().to_int128()); }
    int value(Expr e, const std::map<Expr, int>& at) {
        ir::Environment env;
        for (const auto& [v, x] : at) env.vars[v] = ir::Value::of_int(Integer(x));
        const ir::Evaluation out = ir::evaluate(e, env);
        EXPECT_TRUE(out.ok()) << ir::print(e);
        return e->type.is_bool() ? (out.value.truth() ? 1 : 0) : number(out.value);
    }
    // All cells by running the loops, each variable from -1 to 12.
    Cells listed(const IndexedCells& c, const std::map<Expr, int>& parameters) {
        Cells out;
        std::map<Expr, int> at = parameters;
        const std::function<void(std::size_t)> loop = [&](std::size_t k) {
            if (k == c.varying.size()) {
                if (value(c.condition, at) == 0) return;
                Cell cell;
                for (Expr e : c.indices) cell.push_back(value(e, at));
                out.insert(cell);
                return;
            }
            for (int x = -1; x <= 12; ++x) {
                at[c.varying[k]] = x;
                loop(k + 1);
            }
        };
        loop(0);
        return out;
    }
    // The members among the cells of a cube around all that is asked for.
    Cells members(const RegionScope& s, const Region& r, const std::map<Expr, int>& parameters) {
        Cells out;
        std::map<Expr, int> at = parameters;
        std::vector<Expr> formulas;
        for (const Conjunction& part : r.parts) formulas.push_back(part.formula(ctx, ir::kInt32));
        Cell cell(s.coordinates().size());
        const std::function<void(std::size_t)> loop = [&](std::size_t k) {
            if (k == cell.size()) {
                for (Expr f : formulas) {
                    if (value(f, at) == 0) continue;
                    out.insert(cell);
                    return;
                }
                return;
            }
            for (int x = -16; x <= 40; ++x) {
                cell[k] = x;
                at[s.coordinates()[k]] = x;
                loop(k + 1);
            }
        };
        loop(0);
        return out;
    }
    ir::Substitution sizes(const std::map<Expr, int>& parameters) {
        ir::Substitution out;
        for (const auto& [v, x] : parameters) out[v] = ctx.i32(x);
        return out;
    }
    std::string text(const IndexedCells& c, const std::vector<std::string>& facts = {}) {
        RegionScope s = scope(c.indices.size(), facts);
        return region_text(s, s.image(c), "A");
    }
    std::string size(const IndexedCells& c, const std::vector<std::string>& facts = {}) {
        RegionScope s = scope(c.indices.size(), facts);
        const Region r = s.image(c);
        EXPECT_TRUE(r.exact);
        const auto n = count(s, r);
        return n ? n->str() : "?";
    }

    std::string random_index(bool three) {
        const auto n = [&](int most) { return std::to_string(below(most)); };
        const std::vector<std::string> all = {"i",
                                              "j",
                                              "i + j",
                                              "i - j + " + n(4),
                                              "i + " + n(3),
                                              "j * " + n(4),
                                              "i * 2 + j",
                                              "i * " + n(5) + " + j * " + n(4) + " - " + n(3),
                                              "(i * 3 + j) // 4",
                                              "(i * 3 + j) % 4",
                                              "i % 3",
                                              "j // 2",
                                              "T.min(i, " + n(5) + ")",
                                              "T.max(i - j, 0)",
                                              "n - i",
                                              "n + j",
                                              "(i + n) // 3",
                                              three ? "i + k" : "i"};
        return all[static_cast<std::size_t>(below(static_cast<int>(all.size())))];
    }
    std::string random_guard() {
        const std::vector<std::string> all = {"True",
                                              "i < j",
                                              "i + j < 6",
                                              "i != 2",
                                              "i % 2 == 0",
                                              "j <= n",
                                              "i == j",
                                              "i < 2 or j > 3",
                                              "i * 2 < j + 3",
                                              "not (i < 1 and j < 2)",
                                              "i - j <= 1 and j - i <= 1"};
        return all[static_cast<std::size_t>(below(static_cast<int>(all.size())))];
    }
    IndexedCells random_cells(std::size_t dimensions) {
        const bool three = below(4) == 0;
        const auto end = [&]() {
            return below(3) == 0 ? std::string("n") : std::to_string(1 + below(6));
        };
        const std::string ranges = "0 <= i and i < " + end() + " and 0 <= j and j < " + end() +
                                   (three ? " and 0 <= k and k < 3" : "");
        std::vector<std::string> indices;
        for (std::size_t k = 0; k < dimensions; ++k) indices.push_back(random_index(three));
        return cells(three ? "ijk" : "ij", ranges + " and (" + random_guard() + ")", indices);
    }
};

TEST_F(Regions, ImagesAgreeWithEnumeration) {
    int exact = 0;
    int counted = 0;
    constexpr int kRounds = 400;
    for (int round = 0; round < kRounds; ++round) {
        const std::size_t dimensions = 1 + static_cast<std::size_t>(below(2));
        const IndexedCells c = random_cells(dimensions);
        RegionScope s = scope(dimensions, {"0 <= n"});
        const Region r = s.image(c);
        const auto symbolic = count(s, r);
        exact += r.exact ? 1 : 0;
        for (int n = 0; n <= 5; ++n) {
            const std::map<Expr, int> at = {{vars["n"], n}};
            std::string what = ir::print(c.condition) + " ->";
            for (Expr e : c.indices) what += " " + ir::print(e);
            what += " at n = " + std::to_string(n) + ": " + region_text(s, r, "A");
            const Cells all = listed(c, at);
            const Cells found = members(s, r, at);
            if (r.exact) {
                ASSERT_EQ(found, all) << what;
            } else {
                for (const Cell& cell : all) ASSERT_EQ(found.count(cell), 1U) << what;
            }
            const auto number = count_cells(s, with_values(s, r, sizes(at)));
            ASSERT_TRUE(number.has_value()) << what;
            ASSERT_EQ(*number, Integer(static_cast<int>(found.size()))) << what;
            if (!symbolic) continue;
            ++counted;
            ASSERT_EQ(*symbolic->at(ctx, sizes(at)), *number) << what << " " << symbolic->str();
        }
    }
    EXPECT_GT(exact, kRounds * 9 / 10);
    EXPECT_GT(counted, kRounds * 5 / 2);
}

TEST_F(Regions, OperationsAgreeWithEnumeration) {
    int subtracted = 0;
    for (int round = 0; round < 120; ++round) {
        const std::size_t dimensions = 1 + static_cast<std::size_t>(below(2));
        RegionScope s = scope(dimensions, {"0 <= n"});
        const Region a = s.image(random_cells(dimensions));
        const Region b = s.image(random_cells(dimensions));
        const Region sum = s.unite(a, b);
        const Region common = s.intersect(a, b);
        const auto rest = s.subtract(a, b);
        const bool within = s.within(a, {b.parts, true, false});
        subtracted += rest ? 1 : 0;
        for (const int n : {0, 1, 4}) {
            const std::map<Expr, int> at = {{vars["n"], n}};
            const Cells in_a = members(s, a, at);
            const Cells in_b = members(s, b, at);
            Cells expected = in_a;
            expected.insert(in_b.begin(), in_b.end());
            if (sum.hull) {
                for (const Cell& c : expected) ASSERT_EQ(members(s, sum, at).count(c), 1U);
            } else {
                ASSERT_EQ(members(s, sum, at), expected);
            }
            Cells both;
            Cells only;
            for (const Cell& c : in_a) (in_b.count(c) != 0 ? both : only).insert(c);
            if (!common.hull) {
                ASSERT_EQ(members(s, common, at), both);
            }
            if (rest) {
                ASSERT_EQ(members(s, *rest, at), only);
            }
            if (within) {
                ASSERT_TRUE(only.empty());
            }
            for (const Cell& c : expected) {
                ASSERT_EQ(members(s, s.bounding_box(sum), at).count(c), 1U);
            }
            const auto boxes = cell_boxes(s, with_values(s, sum, sizes(at)));
            ASSERT_TRUE(boxes.has_value()) << region_text(s, sum, "A");
            Cells boxed;
            std::size_t cells_of_boxes = 0;
            for (const CellBox& box : *boxes) {
                Cell cell(dimensions);
                const std::function<void(std::size_t)> loop = [&](std::size_t k) {
                    if (k == dimensions) {
                        boxed.insert(cell);
                        ++cells_of_boxes;
                        return;
                    }
                    for (Integer x = box.lo[k]; x < box.hi[k]; x = x + 1) {
                        cell[k] = static_cast<int>(*x.to_int128());
                        loop(k + 1);
                    }
                };
                loop(0);
            }
            ASSERT_EQ(boxed, members(s, sum, at));
            ASSERT_EQ(boxed.size(), cells_of_boxes);  // none twice
        }
    }
    EXPECT_GT(subtracted, 90);
}

// 2 * x == y for an odd x: y is 2 more than a multiple of 4, not only even.
TEST_F(Regions, EliminationKeepsCongruences) {
    Expr x = vars["x"];
    Expr y = vars["y"];
    Conjunction c;
    c.equal(Affine::term(x, 2) - Affine::term(y)).congruent(Affine::term(x) - Affine(1), 2);
    const Elimination out = eliminated(c, x);
    EXPECT_TRUE(out.exact);
    EXPECT_FALSE(out.rest.mentions(x));
    Expr member = out.rest.formula(ctx, ir::kInt32);
    for (int at = -8; at <= 8; ++at) {
        EXPECT_EQ(value(member, {{y, at}}) == 1, at == -6 || at == -2 || at == 2 || at == 6) << at;
    }
}

TEST_F(Regions, AreWhatHandsWorkOut) {
    EXPECT_EQ(text(cells("i", "0 <= i and i < n", {"i", "i + 1"})),
              "A[p0, p0 + 1] where 0 <= p0 and p0 < n");
    EXPECT_EQ(size(cells("i", "0 <= i and i < n", {"i", "i + 1"}), {"0 <= n"}), "n");
    EXPECT_EQ(text(cells("j", "0 <= j and j < 3", {"i + 5 * j"})), "A[i:i + 11:5]");
    EXPECT_EQ(size(cells("j", "0 <= j and j < 3", {"i + 5 * j"})), "3");
    EXPECT_EQ(size(cells("ij", "0 <= i and i < n and 0 <= j and j <= i", {"i", "j"}), {"0 <= n"}),
              "(n * n + n) // 2");
    // A band: three cells a row.
    EXPECT_EQ(
        size(cells("ij", "0 <= i and i < n and 0 <= j and j < 3", {"i", "i + j"}), {"0 <= n"}),
        "3 * n");
    // The rows of a fused loop, at one of its outer iterations.
    EXPECT_EQ(size(cells("i", "9 * k <= i and i < 9 * k + 9", {"i // 6", "i % 6"})), "?");
    EXPECT_EQ(text(cells("i", "9 * k <= i and i < 9 * k + 9", {"i // 6", "i % 6"})),
              "A[p0, p1] where k * 9 <= p0 * 6 + p1 and p0 * 6 + p1 <= k * 9 + 8 and 0 <= p1 and "
              "p1 <= 5");
}

}  // namespace
}  // namespace proviso::analysis
