// Which unrolled loops code generation unrolls.
#include "backend/unrolling.h"

#include <gtest/gtest.h>

#include "ir/children.h"
#include "ir/text.h"

namespace proviso::backend {
namespace {

using namespace ir;
using Way = Unrolling::Way;

class UnrollingTest : public testing::Test {
  protected:
    // How the loops are unrolled, in the order of the text: f, s, n.
    std::string ways(const std::string& body) {
        const auto f = parse_function(ctx,
                                      "@T.prim_func\ndef f(A: T.Buffer((64,), \"int32\"), n: "
                                      "T.int32):\n" +
                                          body,
                                      "f.py");
        EXPECT_TRUE(f.ok()) << (f.ok() ? "" : f.error().str());
        if (!f.ok()) return "";
        Unrolling unrolling;
        std::string out;
        within(f->body, unrolling, out);
        return out;
    }

    static void within(Stmt s, Unrolling& unrolling, std::string& out) {
        const For* loop = s->as<For>();
        const bool marked = loop != nullptr && loop->kind == ForKind::Unrolled;
        const Way way = marked ? unrolling.enter(*loop) : Way::No;
        if (marked) out += way == Way::Full ? 'f' : way == Way::IfSmall ? 's' : 'n';
        for (const Child& child : children(s)) {
            if (child.stmt != nullptr) within(child.stmt, unrolling, out);
        }
        unrolling.leave(way);
    }

    Context ctx;
};

TEST_F(UnrollingTest, SmallLoopsAreUnrolled) {
    EXPECT_EQ(ways("    for i in T.unroll(64):\n        A[i] = i\n"), "f");
    EXPECT_EQ(ways("    for i in T.unroll(16):\n        for j in T.unroll(16):\n"
                   "            A[i] = A[i] + A[j]\n"),
              "ff");
}

// Trap: LLVM makes the copies whatever they take, minutes and gigabytes.
TEST_F(UnrollingTest, LargeOnesStayLoops) {
    EXPECT_EQ(ways("    for i in T.unroll(1000000):\n        A[i % 64] = i\n"), "n");
    EXPECT_EQ(ways("    for i in T.unroll(-2147483648, 2147483647):\n        A[0] = i\n"), "n");
    // The copies of loops inside each other multiply: the innermost ones are unrolled.
    EXPECT_EQ(ways("    for i in T.unroll(64):\n        for j in T.unroll(16):\n"
                   "            for k in T.unroll(16):\n                A[i] = A[j] + A[k]\n"),
              "nff");
    // So do copies that stand behind each other add up.
    const std::string half = "    for i in T.unroll(1500):\n        A[i % 64] = A[0]\n";
    EXPECT_EQ(ways(half + half), "fn");
}

TEST_F(UnrollingTest, OfUnknownLengthIfSmall) {
    EXPECT_EQ(ways("    for i in T.unroll(n):\n        A[0] = i\n"), "s");
    EXPECT_EQ(ways("    for i in T.unroll(n, n + 4):\n        for j in T.unroll(4):\n"
                   "            A[j] = i\n"),
              "sf");
}

}  // namespace
}  // namespace proviso::backend
