// Rescheduling: allocations that the new text has more. They count as nothing where nobody mentions
// them and they fit in memory, whatever the values of sizes.
#include "tests/rewrite/theorems/reschedule.h"

namespace proviso::rewrite {
namespace {

using NewAllocations = HostileReschedule;

TEST_F(NewAllocations, AroundParts) {
    expect({
        {"of constant extents",
         {"    B[0] = 1\n",
          "    T0 = T.alloc_buffer((4,), \"float32\")\n    B[0] = 1\n",
          "body",
          {{"body/body", "body", {}, {}}}},
         "accepted"},
        {"of no cell",
         {"    B[0] = 1\n",
          "    T0 = T.alloc_buffer((0, 8), \"int8\", scope=\"local\")\n    B[0] = 1\n",
          "body",
          {{"body/body", "body", {}, {}}}},
         "accepted"},
        {"in each iteration",
         {"    for i in range(4):\n        B[i] = A[i]\n",
          "    for i in range(4):\n        T0 = T.alloc_buffer((2,), \"bool\")\n        B[i] = "
          "A[i]\n",
          "body",
          {{"body/body/body", "body/body", {{"i", "i"}}, {{"i", "i"}}}}},
         "accepted"},
        {"around nothing",
         {"    B[0] = 1\n",
          "    B[0] = 1\n    for i in range(4):\n        T0 = T.alloc_buffer((2,), \"int32\")\n"
          "        pass\n",
          "body",
          {{"body/0", "body", {}, {}}}},
         "accepted"},
        {"in parallel iterations",
         {"    for i in T.parallel(4):\n        B[i] = A[i]\n",
          "    for i in T.parallel(4):\n        T0 = T.alloc_buffer((2,), \"int32\")\n        B[i] "
          "= A[i]\n",
          "body",
          {{"body/body/body", "body/body", {{"i", "i"}}, {{"i", "i"}}}}},
         "accepted"},
    });
}

// What is stored to the new buffer has no origin, and what is read from it is another text.
TEST_F(NewAllocations, ThatAreMentioned) {
    expect({
        {"stored to beside",
         {"    B[0] = 1\n",
          "    T0 = T.alloc_buffer((4,), \"int32\")\n    T0[0] = 1\n    B[0] = 1\n",
          "body",
          {{"body/body/1", "body", {}, {}}}},
         "refused: an allocation stands around a part"},
        {"stored to under a guard that is false",
         {"    B[0] = 1\n",
          "    T0 = T.alloc_buffer((4,), \"int32\")\n    if False:\n        T0[0] = 1\n    B[0] = "
          "1\n",
          "body",
          {{"body/body/1", "body", {}, {}}}},
         "refused: an allocation stands around a part"},
        {"read by a guard",
         {"    B[0] = 1\n",
          "    T0 = T.alloc_buffer((4,), \"int32\")\n    if T0[0] == T0[0]:\n        B[0] = 1\n",
          "body",
          {{"body/body/then", "body", {}, {}}}},
         "refused: an allocation stands around a part"},
        {"read by a let",
         {"    B[0] = 1\n",
          "    T0 = T.alloc_buffer((4,), \"int32\")\n    w: T.int32 = T0[0]\n    B[0] = 1\n",
          "body",
          {{"body/body/body", "body", {}, {{"w", "0"}}}}},
         "refused: an allocation stands around a part"},
        {"claimed by a block",
         {"    B[0] = 1\n",
          "    T0 = T.alloc_buffer((4,), \"int32\")\n    with T.block(\"b\"):\n        "
          "T.reads(T0[0])\n        T.writes(B[0])\n        B[0] = 1\n",
          "body",
          {{"body/body/body", "body", {}, {}}}},
         "refused: an allocation stands around a part"},
        {"around nothing, and stored to",
         {"    B[0] = 1\n",
          "    B[0] = 1\n    T0 = T.alloc_buffer((4,), \"int32\")\n    T0[0] = 1\n",
          "body",
          {{"body/0", "body", {}, {}}}},
         "refused: the statement at body/1 is new"},
    });
}

// How large it is depends on nothing: a size would be known not to be negative, and to fit.
TEST_F(NewAllocations, OfSizes) {
    expect({
        {"of a size",
         {"    B[0] = 1\n",
          "    T0 = T.alloc_buffer((n,), \"int32\")\n    B[0] = 1\n",
          "body",
          {{"body/body", "body", {}, {}}}},
         "refused: an allocation stands around a part"},
        {"of a loop",
         {"    for i in range(4):\n        B[i] = A[i]\n",
          "    for i in range(4):\n        T0 = T.alloc_buffer((i,), \"int32\")\n        B[i] = "
          "A[i]\n",
          "body",
          {{"body/body/body", "body/body", {{"i", "i"}}, {{"i", "i"}}}}},
         "refused: an allocation stands around a part"},
        {"of a constant and a size",
         {"    B[0] = 1\n",
          "    T0 = T.alloc_buffer((4, n), \"int32\")\n    B[0] = 1\n",
          "body",
          {{"body/body", "body", {}, {}}}},
         "refused: an allocation stands around a part"},
        {"of a quotient",
         {"    B[0] = 1\n",
          "    T0 = T.alloc_buffer((12 // n,), \"int32\")\n    B[0] = 1\n",
          "body",
          {{"body/body", "body", {}, {}}}},
         "refused: an allocation stands around a part"},
    });
}

// An old allocation stays where it is, unless nobody mentions it.
TEST_F(NewAllocations, InThePlaceOfOldOnes) {
    expect({
        {"another type",
         {"    T0 = T.alloc_buffer((4,), \"int32\")\n    B[0] = 1\n",
          "    T0 = T.alloc_buffer((8,), \"float16\")\n    B[0] = 1\n",
          "body",
          {{"body/body", "body/body", {}, {}}}},
         "accepted"},
        {"of a buffer that is used",
         {"    T0 = T.alloc_buffer((4,), \"int32\")\n    T0[0] = 1\n    B[0] = T0[0]\n",
          "    T0 = T.alloc_buffer((8,), \"int32\")\n    T0[0] = 1\n    B[0] = T0[0]\n",
          "body",
          {{"body/body/0", "body/body/0", {}, {}}, {"body/body/1", "body/body/1", {}, {}}}},
         "refused: an allocation stands around a part"},
    });
}

}  // namespace
}  // namespace proviso::rewrite
