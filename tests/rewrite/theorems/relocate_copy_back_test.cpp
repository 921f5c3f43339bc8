// Copies back after a statement: wrong ones are refused.
#include "tests/rewrite/theorems/staging.h"

namespace proviso::rewrite {
namespace {

using namespace ir;

using RelocateCopyBack = RelocateStaging;

const char* const kWrites = "    for i in range(16):\n        B[i] = A[i]\n";

StagingText back() {
    StagingText t;
    t.buffer = "B";
    t.back = true;
    t.writer = {"body/body", {{"i", "c"}}};
    return t;
}

TEST_F(RelocateCopyBack, ACopyBackIsAccepted) {
    EXPECT_EQ(outcome(kWrites, back()), "accepted");
    EXPECT_THAT(after_, testing::HasSubstr("for c in range(16):\n        B[c] = C[c]\n"));
    StagingText t = back();
    t.map = {"15 - x"};
    t.inverse = {"15 - c"};
    t.writer.at["i"] = "15 - c";
    EXPECT_EQ(outcome(kWrites, t), "accepted");
    t = back();  // a part
    t.extents = {"4"};
    t.map = {"x - i * 4"};
    t.inverse = {"i * 4 + c"};
    t.at = "body/body";
    t.writer = {"body/body/body", {{"i", "i"}, {"j", "c"}}};
    EXPECT_EQ(outcome("    for i in range(4):\n        for j in range(4):\n"
                      "            B[i * 4 + j] = j\n",
                      t),
              "accepted");
}

// Trap: a cell that the statement does not write would be overwritten with nothing.
TEST_F(RelocateCopyBack, WhatIsCopiedBackWasStored) {
    const std::string some = "    for i in range(15):\n        B[i] = A[i]\n";
    EXPECT_EQ(outcome(some, back()), "unproved: every cell of B is stored on every run");
    EXPECT_EQ(outcome_unless_owed("is stored on every run", some, back()), "accepted");
    // Where it stores depends on data.
    const std::string scattered = "    for i in range(16):\n        B[A[i]] = 1\n";
    EXPECT_EQ(outcome(scattered, back()), "unproved: every cell of B is stored on every run");
    const std::string shifting =
        "    for i in range(16):\n        B[D[i // 4, i % 4]] = 1\n"
        "        D[0, 0] = 3\n";
    StagingText t = back();
    t.writer.statement = "body/body/0";
    EXPECT_EQ(outcome(shifting, t), "refused: the witness depends on a value read from memory");
    t.writer.statement = "body/body/1";
    EXPECT_EQ(outcome(shifting, t), "refused: the witness does not store to B");
}

// Trap: a store beyond the part that is copied back; two cells in one; a cell in another's place.
TEST_F(RelocateCopyBack, WhatIsStoredIsCopiedBack) {
    StagingText t = back();
    t.extents = {"15"};
    EXPECT_THAT(outcome(kWrites, t),
                testing::HasSubstr("unproved: the tile covers every cell that is stored"));
    EXPECT_EQ(outcome_unless_owed("the tile covers", kWrites, t), "accepted");
    t = back();
    t.extents = {"8"};
    t.map = {"x // 2"};
    t.inverse = {"c * 2"};
    t.writer.at["i"] = "c * 2";
    EXPECT_THAT(outcome(kWrites, t),
                testing::HasSubstr("unproved: the tile covers every cell that is stored"));
    t = back();
    t.inverse = {"15 - c"};
    t.writer.at["i"] = "15 - c";
    EXPECT_EQ(outcome(kWrites, t), "unproved: each cell is written back from its own place");
    // Twice to one cell, the second time what nobody has written.
    t = back();
    t.extents = {"32"};
    t.inverse = {"c % 16"};
    t.writer.at["i"] = "c % 16";
    EXPECT_EQ(outcome(kWrites, t), "unproved: each cell is written back from its own place");
    EXPECT_EQ(outcome_unless_owed("from its own place", kWrites, t), "accepted");
}

// Trap: what the statement reads is from before it; or of another iteration; or nothing says so.
TEST_F(RelocateCopyBack, WhatIsReadWasStoredInside) {
    const std::string adds = "    for i in range(16):\n        B[i] = B[i] // 2\n";
    StagingText t = back();
    EXPECT_EQ(outcome(adds, t),
              "refused: nothing says that what is read at body/body/value/a0 was stored before by "
              "the same statement");
    t.reads = {{"body/body", {{"body/body", {{"i", "i"}}}}}};
    EXPECT_EQ(outcome(adds, t), "unproved: the cell of B was written before, at body/body");
    EXPECT_EQ(outcome_unless_owed("was written before", adds, t), "accepted");
    t.reads["body/body"].push_back({"body/body", {{"i", "i"}}});
    EXPECT_EQ(outcome(adds, t), "refused: there are more witnesses than loads at body/body");
    // The copy of an iteration is not there any more in the next one.
    const std::string carried =
        "    for k in range(1, 3):\n        for i in range(16):\n            B[i] = k\n"
        "            A[i] = B[i]\n";
    StagingText inner = back();
    inner.at = "body/body";
    inner.writer = {"body/body/body/0", {{"k", "k"}, {"i", "c"}}};
    inner.reads = {{"body/body/body/1", {{"body/body/body/0", {{"k", "k"}, {"i", "i"}}}}}};
    EXPECT_EQ(outcome(carried, inner), "accepted");
    const std::string before =
        "    for k in range(3):\n        for i in range(16):\n            A[i] = k\n"
        "            if 0 < k:\n                A[i] = B[i]\n            B[i] = k\n";
    inner.writer.statement = "body/body/body/2";
    inner.reads = {{"body/body/body/1/then", {{"body/body/body/2", {{"k", "k - 1"}, {"i", "i"}}}}}};
    EXPECT_EQ(outcome(before, inner),
              "refused: the witness body/body/body/2 is of another run of it");
    EXPECT_EQ(outcome_without("relocate:another-run", before, inner), "accepted");
    StagingText outside = back();
    outside.at = "body/1";
    outside.writer = {"body/0/body", {{"i", "c"}}};
    EXPECT_EQ(outcome("    for i in range(16):\n        B[i] = 1\n    B[0] = 2\n", outside),
              "refused: the witness body/0/body is outside the statement");
}

// Trap: the function stops before it has written back; in the statement, or beside it.
TEST_F(RelocateCopyBack, NothingStopsBeforeTheCopyBack) {
    const std::string stops =
        "    for i in range(16):\n        B[i] = A[i]\n        assert A[i] < 9, \"large\"\n";
    StagingText t = back();
    t.writer.statement = "body/body/0";
    EXPECT_EQ(outcome(stops, t), "refused: the statement contains an assert");
    EXPECT_EQ(outcome_without("relocate:stop-inside", stops, t), "accepted");
    const std::string beside =
        "    for k in T.parallel(4):\n        if k == 0:\n            for i in range(16):\n"
        "                B[i] = i\n        else:\n            assert A[k] < 9, \"large\"\n";
    t.at = "body/body/then";
    t.writer = {"body/body/then/body", {{"k", "k"}, {"i", "c"}}};
    EXPECT_EQ(outcome(beside, t), "refused: the concurrent loop k contains an assert");
    EXPECT_EQ(outcome_without("relocate:stop-beside", beside, t), "accepted");
    // A buffer of one iteration is gone by then.
    const std::string own =
        "    for k in T.parallel(4):\n        w = T.alloc_buffer((16,), \"int32\")\n"
        "        for i in range(16):\n            w[i] = i\n"
        "        assert A[k] < 9, \"large\"\n";
    t.buffer = "w";
    t.at = "body/body/body/0";
    t.writer = {"body/body/body/0/body", {{"k", "k"}, {"i", "c"}}};
    EXPECT_EQ(outcome(own, t), "accepted");
}

}  // namespace
}  // namespace proviso::rewrite
