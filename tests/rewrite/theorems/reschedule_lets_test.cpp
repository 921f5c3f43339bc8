// Rescheduling: lets and blocks around parts.
#include "tests/rewrite/theorems/reschedule.h"

namespace proviso::rewrite {
namespace {

// A let goes in front of a loop, where its value is the same; what it reads may be stored by nobody
// before, and is definite.
TEST_F(Reschedule, LetsStandAroundParts) {
    const std::string loop =
        "    for i in range(16):\n"
        "        w: T.int32 = n * 2\n"
        "        B[i] = w\n";
    const std::string hoisted =
        "    w: T.int32 = n * 2\n"
        "    for i in range(16):\n"
        "        B[i] = w\n";
    const PartText store{
        "body/body/body", "body/body/body", {{"i", "i"}, {"w", "w"}}, {{"i", "i"}, {"w", "w"}}};
    EXPECT_EQ(outcome("    assert n < 9 and n > 0, \"small\"\n" + loop,
                      "    assert n < 9 and n > 0, \"small\"\n" + hoisted, {store}, {}, "body/1"),
              "accepted");
    // The new let is evaluated where no iteration was known to be.
    EXPECT_EQ(outcome("    for j in range(m):\n        for i in range(m, n):\n"
                      "            w: T.int32 = 12 // n\n            B[i] = w\n",
                      "    for j in range(m):\n        w: T.int32 = 12 // n\n"
                      "        for i in range(m, n):\n            B[i] = w\n",
                      {store}, {}, "body/body"),
              "unproved: the value of w is computed without a fault");
    // It is where one of the loop's iterations runs.
    EXPECT_EQ(
        outcome("    for i in range(16):\n        w: T.int32 = 12 // n\n        B[i] = w\n",
                "    w: T.int32 = 12 // n\n    for i in range(16):\n        B[i] = w\n", {store}),
        "accepted");
}

// The value of a let is part of what says which instance it is: another value is another instance.
TEST_F(Reschedule, ALetHasItsValue) {
    const std::string before = "    w: T.int32 = A[0]\n    B[0] = w\n";
    const std::string other = "    w: T.int32 = A[1]\n    B[0] = w\n";
    const PartText store{"body/body", "body/body", {{"w", "w"}}, {{"w", "w"}}};
    EXPECT_EQ(outcome(before, before, {store}), "accepted");
    EXPECT_EQ(outcome(before, other, {store}), "unproved: every iteration is visited");
    // Also where that is not a number, which equals nothing.
    const std::string nan =
        "    w: T.float32 = T.float32(0.0) / T.float32(0.0)\n"
        "    B[0] = T.Select(w != w, 1, 0)\n";
    const std::string nowhere =
        "    w: T.float32 = T.float32(0.0) / T.float32(0.0)\n"
        "    if n > 0:\n"
        "        B[0] = T.Select(w != w, 1, 0)\n";
    EXPECT_EQ(outcome(nan, nan, {store}), "accepted");
    EXPECT_EQ(outcome(nan, nowhere, {{"body/body/then", "body/body", {{"w", "w"}}, {{"w", "w"}}}}),
              "unproved: every iteration is visited");
}

// A let of an undefined value is any value: nothing is known of it, so nothing moves in it.
TEST_F(Reschedule, LetsAreDefinite) {
    const std::string before =
        "    C = T.alloc_buffer((1,), \"int32\", scope=\"local\")\n"
        "    if n > 0:\n"
        "        C[0] = 3\n"
        "    w: T.int32 = C[0]\n"
        "    B[0] = w\n";
    const PartText store{"body/body", "body/body", {{"w", "w"}}, {{"w", "w"}}};
    const std::string at = "body/body/1";
    EXPECT_EQ(outcome(before, before, {store}, {}, at), "unproved: the value of w is definite");
    // Two names of one undefined cell are two values.
    const std::string without =
        "    C = T.alloc_buffer((1,), \"int32\", scope=\"local\")\n"
        "    if n > 0:\n"
        "        C[0] = 3\n"
        "    B[0] = 0\n";
    const std::string compares =
        "    C = T.alloc_buffer((1,), \"int32\", scope=\"local\")\n"
        "    if n > 0:\n"
        "        C[0] = 3\n"
        "    w: T.int32 = C[0]\n"
        "    u: T.int32 = C[0]\n"
        "    if w == u:\n"
        "        B[0] = 0\n";
    const PartText zero{"body", "body/body/body/then", {{"w", "C[0]"}, {"u", "C[0]"}}, {}};
    EXPECT_EQ(outcome(compares, without, {zero}, {}, at), "unproved: the value of w is definite");
    planted_fault() = "reschedule:frozen";
    EXPECT_EQ(outcome(compares, without, {zero}, {}, at), "accepted");
    planted_fault().clear();
}

// A name for a value that nothing changes is as good as the value; in an assumption it is not, and
// not where the value changes.
TEST_F(Reschedule, ANameIsAsGoodAsItsValue) {
    const std::string plain = "    for i in range(16):\n        B[i] = A[i] + n * m\n";
    const std::string named =
        "    p: T.int32 = n * m\n    for i in range(16):\n        B[i] = A[i] + p\n";
    const std::string small = "    assert n > 0 and n < 9 and m > 0 and m < 9, \"small\"\n";
    const PartText all{"body/body", "body", {}, {{"p", "n * m"}}};
    EXPECT_EQ(outcome(small + plain, small + named, {all}, {}, "body/1"), "accepted");
    EXPECT_EQ(outcome(plain, named, {all}), "unproved: the value of p is computed without a fault");
    const std::string changes = "    for i in range(16):\n        A[0] = A[0] + 1\n";
    const std::string frozen =
        "    p: T.int32 = A[0]\n    for i in range(16):\n        A[0] = p + 1\n";
    EXPECT_EQ(outcome(changes, frozen, {{"body/body", "body", {}, {{"p", "A[0]"}}}}),
              "refused: the part at body/body is not the one at body");
    const std::string assumes = "    T.assume(A[0] > 3)\n";
    const std::string speaks = "    p: T.int32 = A[0]\n    T.assume(p > 3)\n";
    const PartText assumption{"body/body", "body", {}, {{"p", "A[0]"}}};
    EXPECT_EQ(outcome(assumes, speaks, {assumption}), "refused: an assumption speaks of p");
    EXPECT_EQ(outcome_without("reschedule:assumed-names", assumes, speaks, {assumption}),
              "accepted");
}

// Two iterations have lets of their own: what stores in one says nothing of the let in another.
TEST_F(Reschedule, LetsAreOfTheirIteration) {
    // A[1] is stored where w is 1, which is before the bound of the second iteration is read.
    const std::string before =
        "    for i in range(2):\n"
        "        w: T.int32 = i\n"
        "        for j in range(A[w]):\n"
        "            B[j] = 0\n"
        "            A[1 - w] = 5\n";
    const PartText clear{"body/body/body/body/0",
                         "body/body/body/body/0",
                         {{"i", "i"}, {"w", "w"}, {"j", "j"}},
                         {{"i", "i"}, {"w", "w"}, {"j", "j"}}};
    const PartText store{"body/body/body/body/1",
                         "body/body/body/body/1",
                         {{"i", "i"}, {"w", "w"}, {"j", "j"}},
                         {{"i", "i"}, {"w", "w"}, {"j", "j"}}};
    const std::string reason = changes("A, body/body/body/body/1, body/body/body");
    EXPECT_EQ(outcome(before, before, {clear, store}), "unproved: " + reason);
    planted_fault() = "reschedule:names-of-another";
    EXPECT_NE(outcome(before, before, {clear, store}), "unproved: " + reason);
    planted_fault().clear();
}

// A block is its expansion: its predicate, its iterators, its initialisation where reductions
// start.
TEST_F(Reschedule, BlocksStandAroundParts) {
    const std::string block =
        "    for i in range(8):\n"
        "        for k in range(4):\n"
        "            with T.block(\"b\"):\n"
        "                vi = T.axis.spatial(8, i)\n"
        "                vk = T.axis.reduce(4, k)\n"
        "                T.where(i < n)\n"
        "                with T.init():\n"
        "                    B[vi] = 0\n"
        "                B[vi] = B[vi] + A[vk]\n";
    const std::string expanded =
        "    for i in range(8):\n"
        "        for k in range(4):\n"
        "            if i < n:\n"
        "                if k == 0:\n"
        "                    B[i] = 0\n"
        "                B[i] = B[i] + A[k]\n";
    const PartText init{"body/then/0/then", "body/init", {{"vi", "i"}, {"vk", "k"}}, {}};
    const PartText body{"body/then/1", "body/body", {{"vi", "i"}, {"vk", "k"}}, {}};
    EXPECT_EQ(outcome(block, expanded, {init, body}, {}, "body/body/body"), "accepted");
    // Initialised in each iteration.
    const std::string each =
        "    for i in range(8):\n"
        "        for k in range(4):\n"
        "            if i < n:\n"
        "                B[i] = 0\n"
        "                B[i] = B[i] + A[k]\n";
    const PartText always{"body/then/0", "body/init", {{"vi", "i"}, {"vk", "k"}}, {}};
    EXPECT_EQ(outcome(block, each, {always, body}, {}, "body/body/body"),
              "unproved: no other iteration is visited");
    planted_fault() = "reschedule:any-start";
    EXPECT_EQ(outcome(block, each, {always, body}, {}, "body/body/body"), "accepted");
    planted_fault().clear();
    // Without the predicate; and with the initialisation after the body.
    const std::string unguarded =
        "    for i in range(8):\n"
        "        for k in range(4):\n"
        "            if k == 0:\n"
        "                B[i] = 0\n"
        "            B[i] = B[i] + A[k]\n";
    const PartText bare_init{"body/0/then", "body/init", {{"vi", "i"}, {"vk", "k"}}, {}};
    const PartText bare_body{"body/1", "body/body", {{"vi", "i"}, {"vk", "k"}}, {}};
    EXPECT_EQ(outcome(block, unguarded, {bare_init, bare_body}, {}, "body/body/body"),
              "unproved: no other iteration is visited");
    const std::string late =
        "    for i in range(8):\n"
        "        for k in range(4):\n"
        "            if i < n:\n"
        "                B[i] = B[i] + A[k]\n"
        "                if k == 0:\n"
        "                    B[i] = 0\n";
    const PartText late_init{"body/then/1/then", "body/init", {{"vi", "i"}, {"vk", "k"}}, {}};
    const PartText early_body{"body/then/0", "body/body", {{"vi", "i"}, {"vk", "k"}}, {}};
    EXPECT_EQ(outcome(block, late, {late_init, early_body}, {}, "body/body/body"),
              "unproved: iterations keep their order");
}

// A block around a part keeps what its iterators claim, and claims no region.
TEST_F(Reschedule, IteratorsStayInTheirDomains) {
    const std::string before = "    for i in range(9):\n        if i < 8:\n            B[i] = i\n";
    const auto block = [](const std::string& extent, const std::string& guard) {
        return "    for i in range(9):\n        with T.block(\"b\"):\n"
               "            vi = T.axis.spatial(" +
               extent + ", i)\n" + guard + "            if i < 8:\n                B[vi] = vi\n";
    };
    const PartText store{"body/body/then", "body/then", {}, {{"vi", "i"}}};
    const auto made = [&](const std::string& after) {
        return outcome(before, after, {{"body/body/then", "body/then", {}, {{"vi", "i"}}}}, {},
                       "body/body");
    };
    // (The stored values are over the iterator.)
    EXPECT_EQ(made(block("9", "")),
              "refused: the part at body/body/then is not the one at body/then");
    const std::string over_iterators =
        "    for i in range(9):\n        with T.block(\"a\"):\n"
        "            ui = T.axis.spatial(9, i)\n"
        "            if i < 8:\n                B[ui] = ui\n";
    const PartText renamed{"body/body/then", "body/body/then", {{"ui", "vi"}}, {{"vi", "ui"}}};
    EXPECT_EQ(outcome(over_iterators, block("9", ""), {renamed}, {}, "body/body"), "accepted");
    EXPECT_EQ(outcome(over_iterators, block("8", ""), {renamed}, {}, "body/body"),
              "unproved: iterator vi stays in its domain");
    planted_fault() = "reschedule:out-of-domain";
    EXPECT_EQ(outcome(over_iterators, block("8", ""), {renamed}, {}, "body/body"), "accepted");
    planted_fault().clear();
    EXPECT_EQ(
        outcome(over_iterators, block("9", "            T.reads()\n"), {renamed}, {}, "body/body"),
        "refused: a block around a part claims a region");
}

// A load that an arm makes is no load that is always made.
TEST_F(Reschedule, LoadsOfAnArmAreMadeWhereItIsChosen) {
    const std::string before = "    B[0] = T.if_then_else(n < 16 and n >= 0, A[n], 0)\n";
    const std::string after =
        "    v: T.int32 = T.if_then_else(n < 16 and n >= 0, A[n], 0)\n    B[0] = v\n";
    const PartText store{
        "body/body", "body", {}, {{"v", "T.if_then_else(n < 16 and n >= 0, A[n], 0)"}}};
    EXPECT_EQ(outcome(before, after, {store}), "accepted");
}

}  // namespace
}  // namespace proviso::rewrite
