// Inferred bounds against the loops themselves: for each use of each buffer, at each level and in
// each iteration of the loops that are fixed there, the region holds the cells that are accessed,
// and where it is exact no other ones; its number of cells is theirs.
#include "analysis/bounds/bounds.h"

#include <gtest/gtest.h>

#include <set>

#include "ir/domains/evaluate.h"
#include "ir/text.h"

namespace proviso::analysis {
namespace {

using ir::Expr;
using ir::Integer;

using Cell = std::vector<int>;
using Cells = std::set<Cell>;
using Values = std::map<Expr, int>;

int value(Expr e, const Values& at) {
    ir::Environment env;
    for (const auto& [v, x] : at) env.vars[v] = ir::Value::of_int(Integer(x));
    const ir::Evaluation out = ir::evaluate(e, env);
    EXPECT_TRUE(out.ok()) << ir::print(e);
    if (e->type.is_bool()) return out.value.truth() ? 1 : 0;
    return static_cast<int>(*out.value.integer().to_int128());
}

class InferredBounds : public testing::Test {
  protected:
    ir::Context ctx;
    ir::Substitution lets;  // block iterators, over loops
    std::size_t compared = 0;
    std::size_t inexact = 0;

    // Calls `at` for each iteration of the loops, which are run one inside the other.
    void each(const std::vector<StageLoop>& loops, std::size_t from, std::size_t to, Values& values,
              const std::function<void()>& at) {
        if (from == to) return at();
        const ir::For& loop = *loops[from].loop;
        const int lo = value(ir::substitute(ctx, loop.lo, lets), values);
        const int hi = value(ir::substitute(ctx, loop.hi, lets), values);
        for (int x = lo; x < hi; ++x) {
            values[loop.var] = x;
            each(loops, from + 1, to, values, at);
        }
        values.erase(loop.var);
    }

    void agree(const std::string& text) {
        const auto f = ir::parse_function(ctx, text, "program.py");
        ASSERT_TRUE(f.ok()) << f.error().str();
        const Bounds bounds = infer_bounds(ctx, *f, {});
        for (const Access& a : bounds.map.accesses) lets.insert(a.lets.begin(), a.lets.end());
        for (const BufferBounds& b : bounds.buffers) {
            for (const BufferUse& use : b.consumers) compare(*f, bounds, b.buffer, use, false);
            for (const BufferUse& use : b.producers) compare(*f, bounds, b.buffer, use, true);
        }
    }

    void compare(const ir::Function& f, const Bounds& bounds, ir::Buffer buffer,
                 const BufferUse& use, bool stores) {
        const Stage& stage = bounds.map.stages[use.stage];
        for (const BoundsLevel& level : use.levels) {
            Integer least = 0;
            Integer most = 0;
            bool first = true;
            Values values;
            each(stage.loops, 0, level.fixed, values, [&] {
                Cells all;
                for (const std::size_t k : stores ? stage.stores : stage.loads) {
                    const Access& a = bounds.map.accesses[k];
                    if (a.buffer != buffer) continue;
                    const auto loops = loops_around(f, a.statement);
                    Values inside = values;
                    each(loops, level.fixed, loops.size(), inside, [&] {
                        if (value(a.may, inside) == 0) return;
                        Cell cell;
                        for (Expr e : a.indices) cell.push_back(value(e, inside));
                        all.insert(cell);
                    });
                }
                const std::string what = f.name + ", " + stage.name + " " +
                                         std::to_string(level.fixed) + ": " + level.region.text;
                const Cells found = members(level.region, buffer, values);
                for (const Cell& c : all) ASSERT_EQ(found.count(c), 1U) << what;
                if (level.region.region.exact) {
                    ASSERT_EQ(found.size(), all.size()) << what;
                }
                const Integer n = static_cast<ir::Int128>(found.size());
                least = first ? n : min(least, n);
                most = first ? n : max(most, n);
                first = false;
            });
            ++compared;
            inexact += level.region.region.exact ? 0 : 1;
            const CellCount& cells = level.region.cells;
            const bool conditional = cells.how == "one part, where its condition holds";
            if (first || !cells.most || conditional) continue;
            EXPECT_EQ(*cells.most, most) << f.name << " " << level.region.text;
            EXPECT_EQ(*cells.least, least) << f.name << " " << level.region.text;
        }
    }

    // Of all cells of the buffer.
    Cells members(const KnownRegion& r, ir::Buffer buffer, const Values& fixed) {
        Values at = fixed;
        Cells out;
        std::vector<Expr> formulas;
        for (const Conjunction& part : r.region.parts) {
            formulas.push_back(part.formula(ctx, ir::kInt32));
        }
        Cell cell(buffer->rank());
        const std::function<void(std::size_t)> loop = [&](std::size_t k) {
            if (k == cell.size()) {
                for (Expr formula : formulas) {
                    if (value(formula, at) == 0) continue;
                    out.insert(cell);
                    return;
                }
                return;
            }
            for (int x = 0; x < static_cast<int>(buffer->shape[k]->int_value()); ++x) {
                cell[k] = x;
                at[r.scope->coordinates()[k]] = x;
                loop(k + 1);
            }
        };
        loop(0);
        return out;
    }
};

TEST_F(InferredBounds, AgreeWithTheLoops) {
    agree(R"(
@T.prim_func
def tiles(A: T.Buffer((7, 6), "int32"), C: T.Buffer((7, 6), "int32")):
    for io, jo, i, j in T.grid(2, 2, 4, 4):
        with T.block("tile"):
            T.where(io * 4 + i < 7 and jo * 4 + j < 6)
            y = T.axis.spatial(7, io * 4 + i)
            x = T.axis.spatial(6, jo * 4 + j)
            C[y, x] = A[6 - y, x] + A[y, T.max(x - 1, 0)] + A[y, T.min(x + 1, 5)]
)");
    agree(R"(
@T.prim_func
def fused(A: T.Buffer((5, 4), "int32"), B: T.Buffer((4, 5), "int32")):
    for fo, fi in T.grid(4, 5):
        with T.block("turn"):
            y = T.axis.spatial(5, (fo * 5 + fi) // 4)
            x = T.axis.spatial(4, (fo * 5 + fi) % 4)
            B[x, y] = A[y, x]
)");
    agree(R"(
@T.prim_func
def triangle(A: T.Buffer((6, 6), "int32"), B: T.Buffer((6,), "int32")):
    for i in range(6):
        with T.block("rows"):
            v = T.axis.spatial(6, i)
            B[v] = 0
            for j in range(v, 6):
                if (v + j) % 2 == 0:
                    B[v] = B[v] + A[j, v] + A[v, j]
)");
    agree(R"(
@T.prim_func
def pads(A: T.Buffer((6, 6), "int32"), C: T.Buffer((6, 6), "int32")):
    P = T.alloc_buffer((8, 8), "int32")
    for i, j in T.grid(8, 8):
        with T.block("pad"):
            y, x = T.axis.remap("SS", [i, j])
            P[y, x] = T.if_then_else(1 <= y and y < 7 and 1 <= x and x < 7, A[y - 1, x - 1], 0)
    for i, j, k, l in T.grid(6, 6, 3, 3):
        with T.block("sum"):
            y, x, p, q = T.axis.remap("SSRR", [i, j, k, l])
            with T.init():
                C[y, x] = 0
            if p + q != 2:
                C[y, x] = C[y, x] + P[y + p, x + q]
)");
    agree(R"(
@T.prim_func
def strides(A: T.Buffer((30,), "int32"), C: T.Buffer((3, 4), "int32")):
    for i, j in T.grid(3, 4):
        C[i, j] = A[i * 9 + j * 2] + A[j * 7 + 1] + A[(i + j) * 3 // 2]
)");
    EXPECT_GT(compared, 40U);
    EXPECT_EQ(inexact, 0U);
}

}  // namespace
}  // namespace proviso::analysis
