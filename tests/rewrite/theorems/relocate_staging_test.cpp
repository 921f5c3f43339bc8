// Copies in front of a statement: wrong ones are refused.
#include "tests/rewrite/theorems/staging.h"

namespace proviso::rewrite {
namespace {

using namespace ir;

TEST_F(RelocateStaging, ACopyInFrontIsAccepted) {
    EXPECT_EQ(outcome(kReads, {}), "accepted");
    EXPECT_EQ(owed_, 0U);  // every cell has its own indices
    EXPECT_THAT(after_, testing::HasSubstr("for c in range(16):\n        C[c] = A[c]\n"));
    StagingText t;
    t.block = "load";
    EXPECT_EQ(outcome(kReads, t), "accepted");
    t = {};
    t.extents = {"17"};  // one cell more, which holds nothing
    t.map = {"16 - x"};
    t.inverse = {"16 - c"};
    t.guard = "0 < c";
    EXPECT_EQ(outcome(kReads, t), "accepted");
    t = {};  // another number of dimensions
    t.extents = {"4", "4"};
    t.loops = {"c", "d"};
    t.map = {"x // 4", "x % 4"};
    t.inverse = {"c * 4 + d"};
    EXPECT_EQ(outcome(kReads, t), "accepted");
}

// Trap: a copy that misses a cell, because it is too short, or by its guard.
TEST_F(RelocateStaging, EveryCellThatIsReadIsCopied) {
    StagingText t;
    t.extents = {"15"};
    EXPECT_EQ(outcome(kReads, t),
              "unproved: the tile covers every cell that is read (A[i] at "
              "body/body/value)");
    EXPECT_EQ(outcome_unless_owed("the tile covers", kReads, t), "accepted");
    t = {};
    t.guard = "c != 3";
    EXPECT_THAT(outcome(kReads, t), testing::HasSubstr("unproved: the tile covers"));
    EXPECT_EQ(outcome_unless_owed("the tile covers", kReads, t), "accepted");
}

// Trap: two cells of the buffer have one in the copy; or each has one, and another is copied there.
TEST_F(RelocateStaging, EachCellHasItsPlace) {
    StagingText t;
    t.map = {"x // 2"};
    t.inverse = {"T.min(c * 2, 15)"};
    EXPECT_THAT(outcome(kReads, t), testing::HasSubstr("unproved: the tile covers"));
    t = {};
    t.inverse = {"15 - c"};
    EXPECT_THAT(outcome(kReads, t), testing::HasSubstr("unproved: the tile covers"));
    EXPECT_EQ(outcome_unless_owed("the tile covers", kReads, t), "accepted");
    t.map = {"15 - x"};
    EXPECT_EQ(outcome(kReads, t), "accepted");
}

// Trap: the copy reads beyond the buffer.
TEST_F(RelocateStaging, WhatIsCopiedIsInBounds) {
    StagingText t;
    t.extents = {"17"};
    EXPECT_EQ(outcome(kReads, t), "unproved: every cell of A that is copied may be read");
    EXPECT_EQ(outcome_unless_owed("may be read", kReads, t), "accepted");
    t.guard = "c < 16";
    EXPECT_EQ(outcome(kReads, t), "accepted");
}

// Trap: the copy, or the index of an access, divides by zero.
TEST_F(RelocateStaging, NothingNewFaults) {
    const std::string guarded =
        "    if n != 0:\n        for i in range(16):\n            B[i] = A[i]\n";
    StagingText t;
    t.guard = "0 * (1 // n) == 0";
    EXPECT_EQ(outcome(kReads, t), "unproved: the condition of the copy");
    EXPECT_EQ(outcome_unless_owed("the condition of", kReads, t), "accepted");
    t.at = "body/then";
    EXPECT_EQ(outcome(guarded, t), "accepted");
    t = {};
    t.inverse = {"c + 0 * (1 // n)"};
    EXPECT_EQ(outcome(kReads, t), "unproved: the cell that is copied is computed without a fault");
    EXPECT_EQ(outcome_unless_owed("is computed without", kReads, t), "accepted");
    t = {};
    t.map = {"x + 0 * (1 // n)"};
    EXPECT_THAT(outcome(kReads, t), testing::HasSubstr("unproved: the tile covers"));
    t.at = "body/then";
    EXPECT_EQ(outcome(guarded, t), "accepted");
}

// Trap: the statement writes what it reads; or the function does, at the same time.
TEST_F(RelocateStaging, WhatIsCopiedStaysAsItIs) {
    const std::string writes = "    for i in range(15):\n        A[i + 1] = A[i]\n";
    EXPECT_EQ(outcome(writes, {}), "refused: the statement stores to A");
    EXPECT_EQ(outcome_without("relocate:stale-copy", writes, {}), "accepted");
    const std::string race =
        "    for i in T.parallel(8):\n        B[i] = A[i]\n        A[i + 8] = 1\n";
    StagingText t;
    t.at = "body/body/0";
    EXPECT_EQ(outcome(race, t), "refused: A is written beside the statement, by other iterations");
    EXPECT_EQ(outcome_without("relocate:racing-copy", race, t), "accepted");
    // What stands after the concurrent loop comes after all of it.
    t.at = "body/0/body";
    EXPECT_EQ(outcome("    for i in T.parallel(8):\n        B[i] = A[i]\n    A[0] = 1\n", t),
              "accepted");
}

// Trap: where a cell is depends on what memory holds, now and later.
TEST_F(RelocateStaging, PlacesDoNotDependOnMemory) {
    const std::string moves =
        "    for i in range(16):\n        D[0, 0] = 1\n        if D[0, 0] == 1:\n"
        "            B[i] = A[i]\n";
    StagingText t;
    t.map = {"T.Select(D[0, 0] == 1, x, 15 - x)"};
    t.inverse = {"T.Select(D[0, 0] == 1, c, 15 - c)"};
    EXPECT_THAT(outcome(moves, t), testing::HasSubstr("is no function of the indices"));
    EXPECT_EQ(outcome_without("relocate:map-of-memory", moves, t), "accepted");
}

// Trap: a guard that makes an opaque call.
TEST_F(RelocateStaging, GuardsMakeNoCalls) {
    StagingText t;
    t.extents = {"17"};
    t.inverse = {"T.min(c, 15)"};
    t.guard = "c < 16 or T.call_extern(\"int32\", \"g\", c) == 1";
    EXPECT_EQ(outcome(kReads, t),
              "refused: 'c < 16 or T.call_extern(\"int32\", \"g\", c) == 1' is no function of the "
              "indices");
    EXPECT_EQ(outcome_without("relocate:guard-that-calls", kReads, t), "accepted");
}

// Trap: two dimensions that are told apart nowhere.
TEST_F(RelocateStaging, IndicesAreVariablesOfTheirOwn) {
    const std::string square = "    for i in range(4):\n        B[i] = D[i, i]\n";
    StagingText t{"D", {"4", "4"}, {"x", "x"}, {"c", "d"}};
    t.vars = {"x", "x"};
    t.loops = {"c", "d"};
    EXPECT_EQ(outcome(square, t),
              "refused: the indices of D are no variables of its extents' types");
    t.vars = {"x", "y"};
    t.loops = {"c", "c"};
    t.inverse = {"c", "c"};
    EXPECT_EQ(outcome(square, t),
              "refused: the indices of C are no variables of its extents' types");
    t.vars = {"x"};
    EXPECT_EQ(outcome(square, t), "refused: D has 2 dimensions");
}

// Trap: extents that are negative, or that speak of a loop inside.
TEST_F(RelocateStaging, ExtentsAreKnown) {
    StagingText t;
    t.extents = {"n"};
    t.guard = "c < 16";
    const std::string some = "    for i in range(T.min(n, 16)):\n        B[i] = A[i]\n";
    EXPECT_EQ(outcome(some, t), "refused: the extents of C are not known to be computed");
    EXPECT_EQ(outcome_without("relocate:any-extents", some, t), "accepted");
}

// Trap: a copy with one extent of the buffer and another one that is larger does not fit.
TEST_F(RelocateStaging, ACopyIsNoLarger) {
    const std::string rows =
        "    t = T.alloc_buffer((4, n), \"int32\")\n    for i, j in T.grid(4, n):\n"
        "        t[i, j] = i\n    for j in range(n):\n        B[0] = t[0, j]\n";
    StagingText t{"t", {"4", "n"}, {"x", "y"}, {"c", "d"}};
    t.vars = {"x", "y"};
    t.loops = {"c", "d"};
    t.at = "body/body/1";
    t.extents = {"2", "n"};
    EXPECT_EQ(outcome(rows, t), "accepted");
    t.extents = {"5", "n"};
    t.guard = "c < 4";
    EXPECT_EQ(outcome(rows, t), "unproved: the copy is no larger than t");
    EXPECT_EQ(outcome_without("relocate:larger-copy", rows, t), "accepted");
    t.extents = {"n", "4"};
    EXPECT_EQ(outcome(rows, t), "refused: the extents of C are not known to be computed");
}

// --- a copy that is computed again

const std::string kOwn = "    t = T.alloc_buffer((16,), \"int32\")\n";
const std::string kFills = "    for i in range(16):\n        t[i] = A[i]\n";

// Of t, by the first statement of the list around.
StagingText again(const std::string& at, const std::string& extent = "16",
                  const std::string& map = "x", const std::string& inverse = "c") {
    StagingText t{"t", {extent}, {map}, {inverse}};
    t.at = at;
    t.again = "body/body/0";
    return t;
}

TEST_F(RelocateStaging, ACopyIsComputedAgain) {
    const std::string window =
        kOwn + kFills + "    for j in range(14):\n        B[j] = t[j] + t[j + 2]\n";
    EXPECT_EQ(outcome(window, again("body/body/1/body", "3", "x - j", "c + j")), "accepted");
    EXPECT_THAT(after_, testing::HasSubstr("        for i_1 in range(16):\n"
                                           "            if 0 <= i_1 - j and i_1 - j < 3:\n"
                                           "                C[i_1 - j] = A[i_1]\n"
                                           "        B[j] = C[j - j] + C[j + 2 - j]\n"));
    // A sum, from its initialisation on; beside what it does not read.
    const std::string sum =
        kOwn +
        "    for i, k in T.grid(4, 4):\n        with T.block(\"s\"):\n"
        "            vi, vk = T.axis.remap(\"SR\", [i, k])\n            with T.init():\n"
        "                t[vi] = 0\n            t[vi] = t[vi] + D[vi, vk]\n"
        "    A[0] = 3\n    for j in T.parallel(4):\n        B[j] = t[j]\n";
    EXPECT_EQ(outcome(sum, again("body/body/2/body", "1", "x - j", "c + j")), "accepted");
}

// Trap: what is computed again comes later, or has run several times, or is not all of it.
TEST_F(RelocateStaging, WhatIsComputedAgainIsAllOfIt) {
    const std::string part = kOwn +
                             "    for k in range(2):\n        for i in range(8):\n"
                             "            t[k * 8 + i] = A[i]\n        B[k] = t[0]\n";
    StagingText t = again("body/body/body/1");
    t.again = "body/body/body/0";
    EXPECT_EQ(outcome(part, t), "refused: t may hold something before it is computed");
    EXPECT_EQ(outcome_without("relocate:computed-in-a-loop", part, t), "accepted");
    const std::string two = kOwn + kFills + "    t[0] = 7\n    B[0] = t[0]\n";
    EXPECT_EQ(outcome(two, again("body/body/2")), "refused: t is stored to at body/body/1 as well");
    EXPECT_EQ(outcome_without("relocate:computed-elsewhere", two, again("body/body/2")),
              "accepted");
    t = again("body/body/0");
    t.again = "body/body/1";
    const std::string late = kOwn + "    B[0] = 1\n" + kFills;
    EXPECT_EQ(outcome(late, t), "refused: what is computed again comes later");
    EXPECT_EQ(outcome_without("relocate:computed-later", late, t), "accepted");
    t = again("body/body/1");
    t.again = "body/body/0/body";
    EXPECT_EQ(outcome(kOwn + kFills + "    B[0] = t[0]\n", t),
              "refused: it stands in no list with what is computed again");
}

// Trap: what it reads has been overwritten since; or is, by another iteration.
TEST_F(RelocateStaging, WhatIsComputedAgainReadsTheSame) {
    const std::string since = kOwn + kFills + "    A[0] = 7\n    B[0] = t[0]\n";
    EXPECT_THAT(outcome(since, again("body/body/2")),
                testing::HasSubstr("refused: A, of which t is computed, is stored to"));
    EXPECT_EQ(outcome_without("relocate:computed-from-something-else", since, again("body/body/2")),
              "accepted");
    const std::string next =
        kOwn + kFills + "    for j in range(16):\n        B[j] = t[j]\n        A[j] = 0\n";
    EXPECT_THAT(outcome(next, again("body/body/1/body/0")),
                testing::HasSubstr("refused: A, of which t is computed, is stored to"));
    const std::string beside =
        "    for p in T.parallel(2):\n        t = T.alloc_buffer((16,), \"int32\")\n"
        "        for i in range(16):\n            t[i] = A[i]\n        B[p] = t[p]\n"
        "        A[p] = 0\n";
    StagingText t = again("body/body/body/1");
    t.again = "body/body/body/0";
    EXPECT_THAT(outcome(beside, t),
                testing::HasSubstr("refused: A, of which t is computed, is stored to"));
    // After it, and before the next time.
    const std::string after = kOwn + kFills + "    B[0] = t[0]\n    A[0] = 7\n";
    EXPECT_EQ(outcome(after, again("body/body/1")), "accepted");
}

// Trap: it does something else as well, or chooses; or its control depends on the buffer.
TEST_F(RelocateStaging, WhatIsComputedAgainDoesNothingElse) {
    const std::string more =
        kOwn + "    for i in range(16):\n        D[0, 0] = i\n        t[i] = i\n    B[0] = t[0]\n";
    EXPECT_EQ(outcome(more, again("body/body/1")),
              "refused: what is computed again stores to D as well");
    EXPECT_EQ(outcome_without("relocate:computes-more", more, again("body/body/1")), "accepted");
    const std::string named = kOwn +
                              "    for i in range(16):\n        v: T.int32 = A[i]\n"
                              "        t[i] = v\n    B[0] = t[0]\n";
    EXPECT_EQ(outcome(named, again("body/body/1")),
              "refused: what is computed again binds a name to what it reads");
    EXPECT_EQ(outcome_without("relocate:computed-from-a-choice", named, again("body/body/1")),
              "accepted");
    const std::string control = kOwn +
                                "    for i in range(16):\n        t[i] = A[i]\n"
                                "        if t[i] < 0:\n            t[i] = 0\n    B[0] = t[0]\n";
    EXPECT_EQ(outcome(control, again("body/body/1")),
              "refused: t is read where it is computed, at body/body/0/body/1/cond/a0");
    EXPECT_EQ(outcome_without("relocate:computed-from-itself", control, again("body/body/1")),
              "accepted");
    const std::string stops = kOwn +
                              "    for i in range(16):\n        assert A[i] < 9, \"large\"\n"
                              "        t[i] = A[i]\n    B[0] = t[0]\n";
    EXPECT_EQ(outcome(stops, again("body/body/1")),
              "refused: what is computed again has more than serial loops and stores");
    const std::string threads =
        kOwn + "    for i in T.parallel(16):\n        t[i] = A[i]\n    B[0] = t[0]\n";
    EXPECT_EQ(outcome(threads, again("body/body/1")),
              "refused: what is computed again has more than serial loops and stores");
    StagingText t = again("body/body/1");
    t.guard = "c < 9";
    EXPECT_EQ(outcome(kOwn + kFills + "    B[0] = t[0]\n", t),
              "refused: what is computed again is copied nowhere");
}

// Trap: two cells have one place; or what a cell is computed from has none.
TEST_F(RelocateStaging, WhatIsComputedAgainHasPlaces) {
    const std::string pairs = kOwn + kFills + "    for j in range(8):\n        B[j] = t[j * 2]\n";
    const StagingText half = again("body/body/1", "8", "x // 2", "c * 2");
    EXPECT_THAT(outcome(pairs, half),
                testing::HasSubstr("unproved: each cell that is computed again "
                                   "has a place of its own (t[i]"));
    EXPECT_EQ(outcome_unless_owed("computed again has", pairs, half), "accepted");
    const std::string carried =
        kOwn +
        "    for i in range(16):\n        t[i] = T.if_then_else(i < 1, A[0], "
        "t[T.max(i - 1, 0)] // 2)\n    B[0] = t[4]\n";
    EXPECT_THAT(outcome(carried, again("body/body/1", "4", "x - 4", "c + 4")),
                testing::HasSubstr("unproved: each cell that is computed again has a place of its "
                                   "own (t[T.max(i - 1, 0)]"));
    EXPECT_EQ(outcome(carried, again("body/body/1", "5", "x", "c")), "accepted");
    EXPECT_THAT(outcome(pairs, again("body/body/1", "7", "x", "c")),
                testing::HasSubstr("unproved: the tile covers every cell that is read"));
}

// Trap: permission to read a cell of the buffer that has no place in the copy.
TEST_F(RelocateStaging, PermissionIsOfCellsThatHaveAPlace) {
    const std::string permits =
        "    for i in range(16):\n        T.assume(i < 4 or A[i] == T.undef(\"int32\"))\n"
        "        B[i] = A[0]\n";
    StagingText t;
    t.extents = {"4"};
    EXPECT_EQ(outcome(permits, t), "refused: the statement contains permission to read A");
    EXPECT_EQ(outcome_without("stage-read:permission", permits, t), "accepted");
    EXPECT_EQ(outcome(permits, {}), "accepted");
}

// Trap: a claim of a block reads the buffer, where nobody looks.
TEST_F(RelocateStaging, ClaimsThatReadTheBuffer) {
    const std::string domain =
        "    for i in range(16):\n        with T.block(\"b\"):\n"
        "            v = T.axis.spatial((0, T.max(A[9], 16)), i)\n            B[v] = A[0]\n";
    StagingText t;
    t.extents = {"4"};
    EXPECT_EQ(outcome(domain, t), "refused: a claim of the block at body/body reads A");
    EXPECT_EQ(outcome(domain, {}), "accepted");
}

// Trap: an index is evaluated twice, and calls or chooses each time; or is of another type.
TEST_F(RelocateStaging, IndicesAreTheSameEachTime) {
    StagingText t;
    t.extents = {"4", "4"};
    t.loops = {"c", "d"};
    t.map = {"x // 4", "x % 4"};
    t.inverse = {"c * 4 + d"};
    EXPECT_EQ(outcome("    B[0] = A[T.call_extern(\"int32\", \"g\", n)]\n", t),
              "refused: an index makes an opaque call");
    EXPECT_EQ(outcome("    B[0] = A[T.int64(3)]\n", t),
              "refused: A has an index of another integer type: int64");
    EXPECT_EQ(outcome("    B[0] = A[T.int64(3)]\n", {}), "accepted");
}

// Trap: names that mean something else already.
TEST_F(RelocateStaging, NamesAreNew) {
    StagingText t;
    t.name = "A";
    t.extents = {"16"};
    EXPECT_EQ(outcome(kReads, t), "refused: not well-formed");
    t = {};
    t.loops = {"i"};
    t.inverse = {"i"};
    EXPECT_EQ(outcome(kReads, t), "refused: not well-formed");
    t = {};
    t.map = {"x + ghost"};
    ghosts_ = {"ghost"};
    EXPECT_EQ(outcome(kReads, t),
              "refused: 'x + ghost' speaks of ghost, which means nothing there");
    // A loop inside: the map means another cell at each of its iterations.
    t.map = {"x + i - i"};
    ghosts_ = {"i"};
    EXPECT_EQ(outcome(kReads, t), "refused: 'x + i - i' speaks of i, which means nothing there");
    EXPECT_EQ(outcome_without("relocate:bound-inside", kReads, t), "accepted");
}

// Trap: a block around claims to read less than the copy reads.
TEST_F(RelocateStaging, ClaimsAroundGo) {
    const std::string claims =
        "    for i in range(4):\n        with T.block(\"b\"):\n"
        "            v = T.axis.spatial(4, i)\n            T.reads(A[v])\n            "
        "T.writes(B[v])\n            B[v] = A[v]\n";
    StagingText t;
    t.at = "body/body/body";
    t.keeps_claims = true;  // of a copy back only
    EXPECT_EQ(outcome(claims, t), "accepted");
    EXPECT_THAT(after_, testing::Not(testing::HasSubstr("T.reads")));
}

}  // namespace
}  // namespace proviso::rewrite
