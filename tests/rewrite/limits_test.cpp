// Limits of the schedule's primitives, each met by a program: what is done before it stays, and a
// note or a refusal says which limit it was.
#include <gtest/gtest.h>

#include "ir/text.h"
#include "rewrite/schedule/reader/reader.h"

namespace proviso::rewrite {
namespace {

using namespace ir;

class Limits : public testing::Test {
  protected:
    // The last call's note, or what its refusal says.
    std::string outcome(const std::string& program, const std::string& schedule) {
        const Result<Function> f = parse_function(ctx, "@T.prim_func\n" + program, "<test>");
        EXPECT_TRUE(f.ok()) << f.error().str();
        if (!f.ok()) return "";
        Result<Derivation> derivation = Derivation::start(ctx, *f);
        EXPECT_TRUE(derivation.ok()) << derivation.error().str();
        analysis::Prover prover(ctx, {});
        Proposer proposer(*derivation, prover);
        const auto report = run_schedule(proposer, schedule, "<schedule>");
        EXPECT_TRUE(report.ok()) << report.error().str();
        if (!report.ok()) return "";
        asked_z3 = prover.stats().z3;
        after = derivation->current();
        if (report->refusal) return report->refusal->diagnostic.message;
        return report->done.back().note;
    }

    std::size_t count(const std::function<bool(Stmt)>& wanted) const {
        std::size_t out = 0;
        for_each_stmt(after.body, [&](Stmt s) { out += wanted(s) ? 1 : 0; });
        return out;
    }

    // Stores to all of B, then to `parts` pieces of it.
    static std::string overwritten(int parts) {
        std::string out = R"(def f(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32")):
    for i in range(64):
        with T.block("all"):
            vi = T.axis.spatial(64, i)
            B[vi] = A[vi] // 3
)";
        for (int k = 0; k < parts; ++k) {
            const std::string p = "p" + std::to_string(k);
            out += "    for " + p + " in range(2):\n        B[" + p + " + " +
                   std::to_string(8 * k) + "] = " + std::to_string(k) + "\n";
        }
        return out;
    }

    // A loop with so many branches on parameters of their own.
    static std::string branches(int count, const std::string& loops) {
        std::string params;
        std::string body;
        for (int k = 0; k < count; ++k) {
            const std::string c = "c" + std::to_string(k);
            params += ", " + c + ": T.int32";
            body += "            if " + c + " > 0:\n                B[vi, " + std::to_string(k) +
                    "] = 1\n";
        }
        return "def f(B: T.Buffer((4, 8), \"int32\")" + params + "):\n    for i in range(4):\n" +
               loops + body;
    }

    Context ctx;
    Function after;
    std::uint64_t asked_z3 = 0;
};

const std::string kBlock =
    "        with T.block(\"all\"):\n            vi = T.axis.spatial(4, i)\n";

// Each step has all of them in its text: 5,000 took minutes.
TEST_F(Limits, Annotations) {
    const std::string program = R"(def f(A: T.Buffer((4,), "int32")):
    for i in range(4):
        with T.block("one"):
            vi = T.axis.spatial(4, i)
            A[vi] = 3
)";
    const std::string said = outcome(
        program,
        "b = sch.get_block(\"one\")\nfor k in range(1001):\n    sch.annotate(b, str(k), k)\n");
    EXPECT_EQ(said, "annotate refused: block one has 1000 annotations, which are the most");
    EXPECT_EQ(
        count([](Stmt s) { return s->is<Block>() && s->as<Block>()->annotations.size() == 1000; }),
        1U);
}

TEST_F(Limits, ThreeGuardsAStore) {
    const std::string call = "sch.remove_overcompute_through_branching(\"all\")\n";
    const auto branch = [](Stmt s) { return s->is<IfElse>(); };
    EXPECT_EQ(outcome(overwritten(3), call), "");
    EXPECT_EQ(count(branch), 3U);
    EXPECT_EQ(outcome(overwritten(4), call), "stopped at 3 guards a store");
    EXPECT_EQ(count(branch), 3U);
}

TEST_F(Limits, ThirtyTwoHoistedConditions) {
    const std::string call =
        "sch.hoist_expression(\"all\", conditionals=[\"IfElseStmt\"], let_bindings=[])\n";
    EXPECT_EQ(outcome(branches(4, kBlock), call), "");
    EXPECT_EQ(outcome(branches(6, kBlock), call), "stopped at 32 conditions");
}

TEST_F(Limits, AHundredStatementsMoreInAPartition) {
    std::string few = R"(def f(A: T.Buffer((64,), "int32")):
    for i in range(64):
        with T.block("all"):
            vi = T.axis.spatial(64, i)
)";
    std::string many = few;
    for (int k = 1; k <= 16; ++k) {
        const std::string branch = "            if vi < " + std::to_string(3 * k) +
                                   ":\n                A[vi] = A[vi] // 2\n";
        if (k <= 2) few += branch;
        many += branch;
    }
    const std::string call = "sch.loop_partition(block=\"all\")\n";
    EXPECT_EQ(outcome(few, call), "");
    EXPECT_EQ(outcome(many, call), "stopped: 100 statements more");
}

TEST_F(Limits, SixtyFourIterationsUnrolled) {
    const auto loop = [](int n) {
        const std::string size = std::to_string(n);
        return "def f(A: T.Buffer((" + size + ",), \"int32\")):\n    for i in range(" + size +
               "):\n        with T.block(\"all\"):\n            vi = T.axis.spatial(" + size +
               ", i)\n            A[vi] = 1\n";
    };
    const std::string call = "l, = sch.get_loops(\"all\")\nsch.unroll(l, copies=True)\n";
    EXPECT_EQ(outcome(loop(64), call), "");
    EXPECT_EQ(count([](Stmt s) { return s->is<Store>(); }), 64U);
    EXPECT_EQ(outcome(loop(65), call), "unroll refused: loop i has more than 64 iterations");
}

std::string copy(const std::string& shape, const std::string& loops, const std::string& iters) {
    return "def f(A: T.Buffer(" + shape + ", \"int8\"), B: T.Buffer(" + shape +
           ", \"int8\")):\n    for i, j in T.grid" + loops +
           ":\n        with T.block(\"copy\"):\n            vi, vj = T.axis.remap(\"" + iters +
           "\", [i, j])\n            B[vi, vj] = A[vi, vj]\n";
}

// Cells are not enumerated beyond a million: the plan is made from the map's digits.
TEST_F(Limits, AMillionCellsEnumerated) {
    const std::string call =
        "sch.transform_layout(\"copy\", \"B\", lambda i, j: [i, j // 16, j % 16], "
        "pad_value=0, plan=\"after\")\n";
    const auto branch = [](Stmt s) { return s->is<IfElse>(); };
    EXPECT_EQ(outcome(copy("(1000, 1001)", "(1000, 1001)", "SS"), call),
              "B: padding written after");
    EXPECT_EQ(count(branch), 0U) << "boxes of padding";
    EXPECT_EQ(outcome(copy("(1100, 1001)", "(1100, 1001)", "SS"), call),
              "B: padding written after");
    EXPECT_EQ(count(branch), 1U) << "one guarded nest over all cells";
    EXPECT_EQ(outcome(copy("(8, 8)", "(8, 8)", "SS"),
                      "sch.transform_layout(\"copy\", \"B\", lambda i, j: [i * 4000000 + j])\n"),
              "transform_layout refused: the index map leaves the buffer's range at index 1");
}

// Padding in more than 64 boxes is found by a guard.
TEST_F(Limits, SixtyFourBoxesOfPadding) {
    const auto branch = [](Stmt s) { return s->is<IfElse>(); };
    const auto call = [](int columns) {
        return "sch.transform_layout(\"copy\", \"B\", lambda i, j: [i, j + (i * 5) % " +
               std::to_string(columns) + "], pad_value=0, plan=\"after\")\n";
    };
    EXPECT_EQ(outcome(copy("(8, 3)", "(8, 3)", "SS"), call(8)), "B: padding written after");
    EXPECT_EQ(count(branch), 0U);
    EXPECT_EQ(outcome(copy("(64, 3)", "(64, 3)", "SS"), call(64)), "B: padding written after");
    EXPECT_EQ(count(branch), 1U);
}

// Which store gave a cell its value is asked without what is known of floats: solvers took most of
// a minute over it, in seventeen questions.
TEST_F(Limits, FloatsHaveNoSayInWhichStoreWasLast) {
    outcome(R"(def q(A: T.Buffer((10, 9), "float32"), Z: T.Buffer((5, 4), "float32")):
    B0 = T.alloc_buffer((8, 7), "float32")
    B1 = T.alloc_buffer((7, 6), "float32")
    for i, j in T.grid(8, 7):
        with T.block("s0"):
            vi, vj = T.axis.remap("SS", [i, j])
            B0[vi, vj] = A[vi + 2, vj] + T.if_then_else(1 <= vi and vj < 3, A[vi, vj + 1], T.float32(1))
    for i, j in T.grid(7, 6):
        with T.block("s1"):
            vi, vj = T.axis.remap("SS", [i, j])
            B1[vi, vj] = T.max(B0[vi, vj + 1], B0[vi + 1, vj])
    for i, j in T.grid(7, 6):
        with T.block("g1"):
            vi, vj = T.axis.remap("SS", [i, j])
            T.where(j <= i)
            B1[vi, vj] = B0[vi // 2 + 1, vj]
    for i, j in T.grid(5, 4):
        with T.block("s2"):
            vi, vj = T.axis.remap("SS", [i, j])
            Z[vi, vj] = T.max(T.max(B1[vi, vj + 2], T.if_then_else(1 <= vi and vj < 3, B1[vi, vj + 1], T.float32(4))), B1[vi // 2, vj + 2])
)",
            "sch.loop_partition()");
    EXPECT_LE(asked_z3, 8U);
}

}  // namespace
}  // namespace proviso::rewrite
