// T.sblock_alloc_buffer of memory of threads: allocated inside of the loops over threads around all
// of its uses.
#include "tests/ir/text/results.h"

namespace proviso::ir {
namespace {

using testing::HasSubstr;

struct TextPlacement : TextResults {
    static std::string over(const std::string& body) {
        return function("A: T.Buffer((8,), \"int32\"), C: T.Buffer((8,), \"int32\")", body);
    }
    static std::string exchange(const std::string& before, const std::string& inside) {
        return over(before + "for bx in T.thread_binding(2, thread=\"blockIdx.x\"):\n" + inside +
                    "    for tx in T.thread_binding(4, thread=\"threadIdx.x\"):\n"
                    "        X[tx] = A[bx * 4 + tx]\n"
                    "    for tx_1 in T.thread_binding(4, thread=\"threadIdx.x\"):\n"
                    "        C[bx * 4 + tx_1] = X[3 - tx_1]\n");
    }
};

// The trap: as one buffer for all blocks, two blocks write one cell.
TEST_F(TextPlacement, SharedMemoryIsOfABlock) {
    const std::string shared = "X = T.sblock_alloc_buffer((4,), \"int32\", scope=\"shared\")\n";
    const std::string plain = "X = T.alloc_buffer((4,), \"int32\", scope=\"shared\")\n";
    reads_as(exchange(shared, ""), exchange("", "    " + plain));
    const Inputs inputs = {{"A", counted({8})}, {"C", counted({8})}};
    EXPECT_EQ(result(exchange(shared, ""), inputs, "C"), "3 2 1 0 7 6 5 4");
    EXPECT_THAT(result(exchange(plain, ""), inputs, "C"), HasSubstr("data race"));
    // Other spellings and other scopes say where the memory is.
    reads_as(exchange(plain, ""), exchange(plain, ""));
    const std::string global = "X = T.sblock_alloc_buffer((4,), \"int32\")\n";
    reads_as(exchange(global, ""), exchange("X = T.alloc_buffer((4,), \"int32\")\n", ""));
}

TEST_F(TextPlacement, LocalMemoryIsOfAThread) {
    const auto sum = [](const std::string& before, const std::string& inside) {
        return over(before +
                    "for bx in T.thread_binding(2, thread=\"blockIdx.x\"):\n"
                    "    for tx in T.thread_binding(4, thread=\"threadIdx.x\"):\n" +
                    inside +
                    "        for k in range(2):\n"
                    "            R[0] = A[bx * 4 + tx] + k\n"
                    "        C[bx * 4 + tx] = R[0]\n");
    };
    const std::string plain = "R = T.alloc_buffer((1,), \"int32\", scope=\"local\")\n";
    const std::string block = "R = T.sblock_alloc_buffer((1,), \"int32\", scope=\"local\")\n";
    reads_as(sum(block, ""), sum("", "        " + plain));
    // Two loops over the threads use it: it stays outside of both, inside of the blocks.
    std::string two = exchange("X = T.sblock_alloc_buffer((4,), \"int32\", scope=\"local\")\n", "");
    reads_as(two, exchange("", "    X = T.alloc_buffer((4,), \"int32\", scope=\"local\")\n"));
}

// A use beside the loop, in its bounds, or in a claim around it keeps the memory where it is.
TEST_F(TextPlacement, AllUsesAreInside) {
    const std::string head = "X = T.sblock_alloc_buffer((4,), \"int32\", scope=\"shared\")\n";
    const std::string plain = "X = T.alloc_buffer((4,), \"int32\", scope=\"shared\")\n";
    const std::string loop =
        "for bx in T.thread_binding(2, thread=\"blockIdx.x\"):\n    X[bx] = A[bx]\n";
    reads_as(over(head + loop + "C[0] = X[0]"), over(plain + loop + "C[0] = X[0]"));
    const std::string bound =
        "X[0] = 1\nfor i in range(X[0]):\n    for bx in "
        "T.thread_binding(2, thread=\"blockIdx.x\"):\n        C[bx] = 0\n";
    reads_as(over(head + bound), over(plain + bound));
    const std::string claimed =
        "with T.block(\"b\"):\n    T.writes(X[0:4])\n"
        "    for bx in T.thread_binding(2, thread=\"blockIdx.x\"):\n        X[bx] = 0\n";
    reads_as(over(head + claimed), over(plain + claimed));
    // Nothing uses it.
    reads_as(over(head + "C[0] = 1"), over(plain + "C[0] = 1"));
}

}  // namespace
}  // namespace proviso::ir
