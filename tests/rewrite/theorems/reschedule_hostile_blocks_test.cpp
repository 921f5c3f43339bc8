// Rescheduling: hostile proposals with blocks around parts, and with instances left out.
#include "tests/rewrite/theorems/reschedule.h"

namespace proviso::rewrite {
namespace {

using HostileBlocks = HostileReschedule;

// A predicate, iterators and an initialisation have their order and their memory.
TEST_F(HostileBlocks, BlocksAreTheirExpansion) {
    expect({
        {"false predicate binding",
         {"    with T.block(\"b\"):\n        v = T.axis.spatial(4, 12 // n)\n        T.where(m > "
          "0)\n        B[v] = 1\n",
          "    u: T.int32 = 12 // n\n    if m > 0:\n        B[u] = 1\n",
          "body",
          {{"body/body/then", "body/body", {{"v", "u"}}, {{"u", "12 // n"}}}}},
         "unproved: the value of u is computed without a fault"},
        {"true predicate binding",
         {"    with T.block(\"b\"):\n        v = T.axis.spatial(4, 12 // n)\n        B[v] = 1\n",
          "    u: T.int32 = 12 // n\n    B[u] = 1\n",
          "body",
          {{"body/body", "body/body", {{"v", "u"}}, {{"u", "v"}}}}},
         "accepted"},
        {"domain memory changed",
         {"    with T.block(\"b\"):\n        v = T.axis.spatial(4, A[0])\n        A[0] = 7\n       "
          " B[v] = 1\n",
          "    A[0] = 7\n    with T.block(\"b\"):\n        v = T.axis.spatial(4, A[0])\n        "
          "B[v] = 1\n",
          "body",
          {{"body/0", "body/body/0", {{"v", "A[0]"}}, {}},
           {"body/1/body", "body/body/1", {{"v", "v"}}, {{"v", "v"}}}}},
         "refused: a bound or guard reads A, which the body writes"},
        {"reduce nonzero start",
         {"    for k in range(1, 4):\n        with T.block(\"b\"):\n            vk = "
          "T.axis.reduce((1, 4), k)\n            with T.init():\n                B[0] = 0\n        "
          "    B[0] = T.max(B[0], A[vk])\n",
          "    for k in range(1, 4):\n        if k == 0:\n            B[0] = 0\n        B[0] = "
          "T.max(B[0], A[k])\n",
          "body/body",
          {{"body/0/then", "body/init", {{"vk", "k"}}, {}},
           {"body/1", "body/body", {{"vk", "k"}}, {}}}},
         "unproved: every iteration is visited"},
        {"reduce start memory",
         {"    for k in range(2):\n        with T.block(\"b\"):\n            vk = "
          "T.axis.reduce((A[0], 4), k + A[0])\n            with T.init():\n                A[0] = "
          "1\n            B[0] = T.max(B[0], vk)\n",
          "    for k in range(2):\n        u: T.int32 = k + A[0]\n        if u == A[0]:\n          "
          "  A[0] = 1\n        B[0] = T.max(B[0], u)\n",
          "body",
          {{"body/body/body/0/then",
            "body/body/init",
            {{"k", "k"}, {"vk", "u"}},
            {{"k", "k"}, {"u", "vk"}}},
           {"body/body/body/1",
            "body/body/body",
            {{"k", "k"}, {"vk", "u"}},
            {{"k", "k"}, {"u", "vk"}}}}},
         "unproved: nothing stores to what a bound or guard reads (A, body/body/body/0/then, "
         "body/body)"},
        {"reduce start memory unchanged",
         {"    for k in range(2):\n        with T.block(\"b\"):\n            vk = "
          "T.axis.reduce((A[0], 4), k + A[0])\n            with T.init():\n                B[0] = "
          "1\n            B[0] = T.max(B[0], vk)\n",
          "    for k in range(2):\n        u: T.int32 = k + A[0]\n        if k == 0:\n            "
          "B[0] = 1\n        B[0] = T.max(B[0], u)\n",
          "body",
          {{"body/body/body/0/then",
            "body/body/init",
            {{"k", "k"}, {"vk", "u"}},
            {{"k", "k"}, {"u", "vk"}}},
           {"body/body/body/1",
            "body/body/body",
            {{"k", "k"}, {"vk", "u"}},
            {{"k", "k"}, {"u", "vk"}}}}},
         "accepted"},
        {"init changes predicate",
         {"    for k in range(2):\n        with T.block(\"b\"):\n            vk = T.axis.reduce(2, "
          "k)\n            T.where(B[0] > 0)\n            with T.init():\n                B[0] = "
          "0\n            A[0] = vk\n",
          "    for k in range(2):\n        if B[0] > 0:\n            if k == 0:\n                "
          "B[0] = 0\n        if B[0] > 0:\n            A[0] = k\n",
          "body",
          {{"body/body/0/then/then", "body/body/init", {{"k", "k"}, {"vk", "k"}}, {{"k", "k"}}},
           {"body/body/1/then", "body/body/body", {{"k", "k"}, {"vk", "k"}}, {{"k", "k"}}}}},
         "unproved: nothing stores to what a bound or guard reads (B, body/body/0/then/then, "
         "body/body/0)"},
        {"init order in new block",
         {"    for k in range(2):\n        B[0] = B[0] // 2 + k\n        if k == 0:\n            "
          "B[0] = 0\n",
          "    for k in range(2):\n        with T.block(\"b\"):\n            vk = T.axis.reduce(2, "
          "k)\n            with T.init():\n                B[0] = 0\n            B[0] = B[0] // 2 "
          "+ vk\n",
          "body",
          {{"body/body/init", "body/body/1/then", {{"k", "k"}}, {{"k", "k"}, {"vk", "k"}}},
           {"body/body/body", "body/body/0", {{"k", "vk"}}, {{"k", "k"}, {"vk", "k"}}}}},
         "unproved: iterations keep their order"},
        {"init spatial new",
         {"    for k in range(2):\n        if k == 0:\n            B[0] = 0\n        B[0] = B[0] "
          "// 2 + k\n",
          "    for k in range(2):\n        with T.block(\"b\"):\n            vk = "
          "T.axis.spatial(2, k)\n            with T.init():\n                B[0] = 0\n            "
          "B[0] = B[0] // 2 + vk\n",
          "body",
          {{"body/body/init", "body/body/0/then", {{"k", "vk"}}, {{"k", "k"}, {"vk", "k"}}},
           {"body/body/body", "body/body/1", {{"k", "vk"}}, {{"k", "k"}, {"vk", "k"}}}}},
         "unproved: no other iteration is visited"},
        {"guard into claims",
         {"    with T.block(\"o\"):\n        T.reads(A[0:4])\n        T.writes(B[0:4])\n        "
          "for i in range(4):\n            if A[i] > 0:\n                with T.block(\"b\"):\n    "
          "                T.reads()\n                    T.writes(B[i])\n                    B[i] "
          "= 1\n",
          "    with T.block(\"o\"):\n        T.reads(A[0:4])\n        T.writes(B[0:4])\n        "
          "for i in range(4):\n            with T.block(\"b\"):\n                T.where(A[i] > "
          "0)\n                T.reads()\n                T.writes(B[i])\n                B[i] = "
          "1\n",
          "body/body/body",
          {{"body", "body/then", {}, {}}}},
         "accepted"},
    });
}

// Which instances go where is decided by values of the start.
TEST_F(HostileBlocks, WhichInstances) {
    expect({
        {"drop through let",
         {"    for i in range(4):\n        w: T.int32 = A[i]\n        if w > 0:\n            B[i] "
          "= w\n",
          "    for i in range(2):\n        w: T.int32 = A[i]\n        if w > 0:\n            B[i] "
          "= w\n",
          "body",
          {{"body/body/body",
            "body/body/body",
            {{"i", "i"}, {"w", "w"}},
            {{"i", "i"}, {"w", "w"}},
            "i < 2"}},
          {},
          {"body/body/body"}},
         "unproved: what is left out does nothing (body/body/body/then)"},
        {"drop when changes",
         {"    for i in range(4):\n        w: T.int32 = A[i]\n        if w > 0:\n            A[0] "
          "= w\n",
          "    for i in range(4):\n        w: T.int32 = A[i]\n        if A[i] > 0:\n            if "
          "w > 0:\n                A[0] = w\n",
          "body",
          {{"body/body/body/then",
            "body/body/body",
            {{"i", "i"}, {"w", "w"}},
            {{"i", "i"}, {"w", "w"}},
            "A[i] > 0"}},
          {},
          {"body/body/body"}},
         "unproved: what is left out does nothing (body/body/body/then)"},
        {"where of let",
         {"    for i in range(4):\n        w: T.int32 = A[i]\n        if w > 0:\n            B[i] "
          "= 1\n        else:\n            B[i] = 1\n",
          "    for i in range(4):\n        w: T.int32 = A[i]\n        B[i] = 1\n",
          "body",
          {{"body/body/body",
            "body/body/body/then",
            {{"i", "i"}, {"w", "w"}},
            {{"i", "i"}, {"w", "w"}},
            "",
            "w > 0"},
           {"body/body/body",
            "body/body/body/else",
            {{"i", "i"}, {"w", "w"}},
            {{"i", "i"}, {"w", "w"}},
            "",
            "w <= 0"}}},
         "accepted"},
        {"where overlaps",
         {"    for i in range(4):\n        w: T.int32 = A[i]\n        if w > 0:\n            B[i] "
          "= 1\n        else:\n            B[i] = 1\n",
          "    for i in range(4):\n        w: T.int32 = A[i]\n        B[i] = 1\n",
          "body",
          {{"body/body/body",
            "body/body/body/then",
            {{"i", "i"}, {"w", "w"}},
            {{"i", "i"}, {"w", "w"}},
            "",
            "w >= 0"},
           {"body/body/body",
            "body/body/body/else",
            {{"i", "i"}, {"w", "w"}},
            {{"i", "i"}, {"w", "w"}},
            "",
            "w <= 0"}}},
         "unproved: no other iteration is visited"},
        {"thread in part",
         {"    for i in range(2):\n        w: T.int32 = A[i]\n        for tx in "
          "T.thread_binding(2, thread=\"threadIdx.x\"):\n            B[tx] = w\n",
          "    for i in T.parallel(2):\n        w: T.int32 = A[i]\n        for tx in "
          "T.thread_binding(2, thread=\"threadIdx.x\"):\n            B[tx] = w\n",
          "body",
          {{"body/body/body",
            "body/body/body",
            {{"i", "i"}, {"w", "w"}},
            {{"i", "i"}, {"w", "w"}}}},
          {{0, 0}}},
         "refused: a part that may change places stands around threads"},
    });
}

// Blocks around need not claim to read the accumulator of a block with an initialisation; without
// that block they would.
TEST_F(HostileBlocks, ClaimsAroundABlockThatAccumulates) {
    const std::string around =
        "    with T.block(\"o\"):\n        T.reads(A[0:4])\n        T.writes(B[0])\n        for k "
        "in range(4):\n";
    const std::string block = around +
                              "            with T.block(\"b\"):\n"
                              "                vk = T.axis.reduce(4, k)\n"
                              "                T.reads(A[vk])\n                T.writes(B[0])\n"
                              "                with T.init():\n                    B[0] = 0\n"
                              "                B[0] = T.max(B[0], A[vk])\n";
    const std::string expanded = around +
                                 "            if k == 0:\n                B[0] = 0\n"
                                 "            B[0] = T.max(B[0], A[k])\n";
    const std::vector<PartText> parts = {{"body/0/then", "body/init", {{"vk", "k"}}, {}},
                                         {"body/1", "body/body", {{"vk", "k"}}, {}}};
    EXPECT_EQ(outcome(block, expanded, parts, {}, "body/body/body"), "accepted");
    EXPECT_THAT(after_, testing::Not(testing::HasSubstr("T.reads")));
    EXPECT_EQ(outcome_without("reschedule:accumulators-around", block, expanded, parts, {},
                              "body/body/body"),
              "accepted");
    EXPECT_THAT(after_, testing::HasSubstr("T.reads"));
}

// A part stays, so what is around it is not left out.
TEST_F(HostileBlocks, LeftOutAroundAPart) {
    const auto dead = [](const char* writer) {
        return nlohmann::json{
            {"mode", "dead"},
            {"writers", {{{"statement", writer}, {"at", nlohmann::json::object()}}}}};
    };
    unseen_ = {{"stores", {{"body/0/body/0", dead("body/1")}, {"body/0/body/1", dead("body/2")}}}};
    const std::string later = "    A[0] = 5\n    B[0] = 0\n";
    const std::string before =
        "    for t in range(1):\n        A[0] = 1\n        B[0] = 12 // A[0]\n" + later;
    const std::string after = "    for t in range(1):\n        B[0] = 12 // A[0]\n" + later;
    const std::vector<PartText> parts = {{"body/body", "body/body/1", {{"t", "t"}}, {{"t", "t"}}}};
    EXPECT_EQ(outcome(before, after, parts, {}, "body/0", {"body"}),
              "refused: the part at body/body is in what is left out");
    planted_fault() = "reschedule:parts-in-parts";
    EXPECT_EQ(outcome(before, after, parts, {}, "body/0", {"body"}), "accepted");
    planted_fault().clear();
}

}  // namespace
}  // namespace proviso::rewrite
