// The theorem of rescheduling under attack: right proposals are accepted, and each wrong one is
// refused by the check or the obligation that is there for it. Where a check refuses, a build
// without that check would accept (the faults of ir/planted.h).
#include "tests/rewrite/theorems/reschedule.h"

namespace proviso::rewrite {
namespace {

// Two statements that touch different cells change places; two that touch one do not.
TEST_F(Reschedule, StatementsChangePlacesWhereTheyDoNotMeet) {
    const std::vector<PartText> exchanged = {{"body/0", "body/1", {}, {}},
                                             {"body/1", "body/0", {}, {}}};
    EXPECT_EQ(outcome("    A[0] = 1\n    A[1] = 2\n", "    A[1] = 2\n    A[0] = 1\n", exchanged,
                      {{0, 1}}),
              "accepted");
    EXPECT_EQ(outcome("    A[0] = 1\n    A[n] = 2\n", "    A[n] = 2\n    A[0] = 1\n", exchanged,
                      {{0, 1}}),
              "unproved: iterations that touch one cell of A keep their order (body/1, body/0)");
    EXPECT_EQ(outcome("    A[0] = 1\n    A[1] = 2\n", "    A[1] = 2\n    A[0] = 1\n", exchanged),
              "unproved: iterations keep their order");
}

TEST_F(Reschedule, LoopsAreInterchanged) {
    const std::string before =
        "    for i in range(4):\n        for j in range(3):\n            A[i * 4 + j] = i\n";
    const std::string after =
        "    for j in range(3):\n        for i in range(4):\n            A[i * 4 + j] = i\n";
    const std::vector<PartText> same = {
        {"body/body/body", "body/body/body", {{"i", "i"}, {"j", "j"}}, {{"i", "i"}, {"j", "j"}}}};
    EXPECT_EQ(outcome(before, after, same, {{0, 0}}), "accepted");
    EXPECT_EQ(outcome(before, after, same), "unproved: iterations keep their order");
}

// Trap: an iteration that runs twice, or not at all, or elsewhere.
TEST_F(Reschedule, EveryInstanceRunsOnce) {
    const std::string before = "    for i in range(4):\n        A[i] = A[i] + 1\n";
    EXPECT_EQ(outcome(before, "    for k in range(8):\n        A[k // 2] = A[k // 2] + 1\n",
                      {{"body/body", "body/body", {{"i", "k // 2"}}, {{"k", "i * 2"}}}}, {{0, 0}}),
              "unproved: every iteration is visited once");
    EXPECT_EQ(outcome(before, "    for k in range(3):\n        A[k] = A[k] + 1\n",
                      {{"body/body", "body/body", {{"i", "k"}}, {{"k", "i"}}}}),
              "unproved: every iteration is visited");
    EXPECT_EQ(outcome(before, "    for k in range(5):\n        A[k] = A[k] + 1\n",
                      {{"body/body", "body/body", {{"i", "k"}}, {{"k", "i"}}}}),
              "unproved: no other iteration is visited");
    const std::string twice =
        "    for k in range(4):\n        A[k] = A[k] + 1\n"
        "    for q in range(4):\n        A[q] = A[q] + 1\n";
    EXPECT_EQ(outcome(before, twice,
                      {{"body/0/body", "body/body", {{"i", "k"}}, {{"k", "i"}}},
                       {"body/1/body", "body/body", {{"i", "q"}}, {{"q", "i"}}}},
                      {{0, 0}, {0, 1}, {1, 1}}),
              "unproved: no iteration goes to two places");
    const std::string gap =
        "    for k in range(2):\n        A[k] = A[k] + 1\n"
        "    for q in range(3, 4):\n        A[q] = A[q] + 1\n";
    EXPECT_EQ(outcome(before, gap,
                      {{"body/0/body", "body/body", {{"i", "k"}}, {{"k", "i"}}, "i < 2"},
                       {"body/1/body", "body/body", {{"i", "q"}}, {{"q", "i"}}, "3 <= i"}}),
              "unproved: every iteration goes somewhere");
}

// Trap: one statement now stands for two that had the same text.
TEST_F(Reschedule, AnInstanceIsOfOnePart) {
    const std::string before = "    A[0] = A[0] + 1\n    A[0] = A[0] + 1\n";
    const std::string after = "    if 0 < 1:\n        A[0] = A[0] + 1\n";
    const std::vector<PartText> parts = {{"body/then", "body/0", {}, {}},
                                         {"body/then", "body/1", {}, {}}};
    EXPECT_EQ(outcome(before, after, parts), "unproved: no iteration comes from two places");
}

// One statement stands for both arms of a branch: each of its instances is of one of them.
TEST_F(Reschedule, APlaceMayHaveTwoOrigins) {
    const std::string before =
        "    if n < 3:\n        A[0] = A[0] + 1\n    else:\n        A[0] = A[0] + 1\n";
    const std::string after = "    A[0] = A[0] + 1\n";
    const auto arms = [](const std::string& first, const std::string& second) {
        return std::vector<PartText>{{"body", "body/then", {}, {}, "", first},
                                     {"body", "body/else", {}, {}, "", second}};
    };
    EXPECT_EQ(outcome(before, after, arms("n < 3", "3 <= n")), "accepted");
    EXPECT_EQ(outcome(before, after, arms("n < 3", "2 <= n")),
              "unproved: no other iteration is visited");
    EXPECT_EQ(outcome(before, after, arms("n < 3", "4 <= n")),
              "unproved: every iteration is visited");
}

// What is evaluated before anything is stored is as it was at the start; later, or in a loop that
// stores, it need not be.
TEST_F(Reschedule, BoundsOfTheStartMayBeOverwritten) {
    const std::string before = "    for i in range(A[0]):\n        A[0] = i\n";
    const std::string after = "    for k in range(A[0]):\n        A[0] = k\n";
    EXPECT_EQ(outcome(before, after, {{"body/body", "body/body", {{"i", "k"}}, {{"k", "i"}}}}),
              "accepted");
    const std::string again =
        "    for i in range(8):\n        if i < A[0]:\n            A[0] = 0\n";
    EXPECT_EQ(
        outcome(again, again, {{"body/body/then", "body/body/then", {{"i", "i"}}, {{"i", "i"}}}}),
        "unproved: " + changes("A, body/body/then, body/body"));
    // Of another cell it is no harm.
    const std::string apart =
        "    for i in range(8):\n        if i < A[0]:\n            A[i + 1] = 0\n";
    EXPECT_EQ(
        outcome(apart, apart, {{"body/body/then", "body/body/then", {{"i", "i"}}, {{"i", "i"}}}}),
        "accepted");
    const std::string second = "    A[0] = 1\n    if 0 < A[0]:\n        B[0] = 1\n";
    EXPECT_EQ(outcome(second, second,
                      {{"body/0", "body/0", {}, {}}, {"body/1/then", "body/1/then", {}, {}}}),
              "unproved: " + changes("A, body/0, body/1"));
}

// Trap: a bound of a loop that does nothing is evaluated all the same.
TEST_F(Reschedule, BoundsAroundNothingAreEvaluated) {
    const std::string before = "    for i in range(4):\n        pass\n    A[0] = 1\n";
    const std::vector<PartText> parts = {{"body/1", "body/1", {}, {}}};
    const auto after = [](const std::string& control) {
        return "    " + control + ":\n        pass\n    A[0] = 1\n";
    };
    for (const char* control : {"for i in range(4 // n)", "if 4 // n > 1"}) {
        EXPECT_THAT(outcome(before, after(control), parts),
                    testing::EndsWith("is computed without a fault"));
        EXPECT_EQ(outcome_without("reschedule:around-nothing", before, after(control), parts),
                  "accepted");
    }
    EXPECT_EQ(outcome(before, after("for i in range(4 // T.max(n, 1))"), parts), "accepted");
    EXPECT_EQ(outcome("    pass\n", "    for i in range(4 // n):\n        pass\n", {}),
              "unproved: the end of i is computed without a fault");
}

// Trap: a part within another one would be done twice.
TEST_F(Reschedule, PartsAreApart) {
    const std::string before = "    for i in range(4):\n        A[i] = A[i] + 1\n";
    const std::vector<PartText> parts = {{"body", "body", {}, {}},
                                         {"body/body", "body/body", {{"i", "i"}}, {{"i", "i"}}}};
    EXPECT_EQ(outcome(before, before, parts).substr(0, 8), "refused:");
    EXPECT_EQ(outcome_without("reschedule:parts-in-parts", before, before, parts), "accepted");
}

// Trap: the new index names what the moved statement binds itself.
TEST_F(Reschedule, NamesAreNotCaptured) {
    const std::string before =
        "    for i in range(2):\n        for j in range(2):\n            A[i * 2 + j] = 1\n";
    const std::string after =
        "    for j in range(2):\n        for q in range(2):\n            A[q * 2 + q] = 1\n";
    const std::vector<PartText> parts = {{"body/body", "body/body", {{"i", "j"}}, {{"j", "i"}}}};
    EXPECT_EQ(outcome(before, after, parts), "refused: a part binds 'j', which is used now");
    EXPECT_EQ(outcome_without("reschedule:captured-names", before, after, parts), "accepted");
}

// Trap: a bound that the loop changes is read again in each iteration.
TEST_F(Reschedule, BoundsDoNotChange) {
    const std::string before = "    for i in range(T.min(B[0], 4)):\n        B[i] = 0\n";
    const std::string after =
        "    for i in range(4):\n        if i < T.min(B[0], 4):\n            B[i] = 0\n";
    const std::vector<PartText> parts = {
        {"body/body/then", "body/body", {{"i", "i"}}, {{"i", "i"}}}};
    EXPECT_EQ(outcome(before, after, parts),
              "unproved: " + changes("B, body/body/then, body/body"));
    EXPECT_EQ(outcome_without("reschedule:bounds-that-change", before, after, parts), "accepted");
}

TEST_F(Reschedule, APartIsItsOrigin) {
    const std::string before = "    for i in range(4):\n        A[i] = 1\n";
    const std::string after = "    for i in range(4):\n        A[i] = 2\n";
    const std::vector<PartText> parts = {{"body/body", "body/body", {{"i", "i"}}, {{"i", "i"}}}};
    EXPECT_EQ(outcome(before, after, parts).substr(0, 8), "refused:");
    EXPECT_EQ(outcome_without("reschedule:another-text", before, after, parts), "accepted");
}

// Trap: a guard that reads what another iteration of a parallel loop around is writing.
TEST_F(Reschedule, GuardsDoNotRace) {
    const std::string head = "    for p in T.parallel(4):\n";
    const std::string before = head +
                               "        for i in range(4):\n            A[p * 4 + i] = 1\n"
                               "        B[p] = 2\n";
    const std::string after =
        head +
        "        for i in range(4):\n"
        "            if B[3 - p] == B[3 - p]:\n                A[p * 4 + i] = 1\n"
        "        B[p] = 2\n";
    const std::vector<PartText> parts = {
        {"body/body/then", "body/body", {{"i", "i"}}, {{"i", "i"}}}};
    EXPECT_EQ(outcome(before, after, parts, {}, "body/body/0"),
              "unproved: the guard is computed without a fault");
    EXPECT_EQ(
        outcome_without("reschedule:reads-that-race", before, after, parts, {}, "body/body/0"),
        "accepted");
}

// A serial loop as a parallel one: only where no two iterations meet.
TEST_F(Reschedule, ConcurrentIterationsHaveNoConflict) {
    const std::vector<PartText> same = {{"body/body", "body/body", {{"i", "i"}}, {{"i", "i"}}}};
    const auto parallel = [&](const std::string& body) {
        return outcome("    for i in range(8):\n" + body, "    for i in T.parallel(8):\n" + body,
                       same, {{0, 0}});
    };
    EXPECT_EQ(parallel("        A[i] = B[i]\n"), "accepted");
    EXPECT_NE(parallel("        A[i] = A[7 - i]\n"), "accepted");
    EXPECT_NE(parallel("        A[i // 2] = 1\n"), "accepted");
    // The other way round nothing is owed: there are fewer interleavings.
    EXPECT_EQ(outcome("    for i in T.parallel(8):\n        A[i // 2] = 1\n",
                      "    for i in range(8):\n        A[i // 2] = 1\n", same),
              "accepted");
}

// Trap: additions to one cell may be done in any order, but not at the same time.
TEST_F(Reschedule, AdditionsDoNotRace) {
    const std::vector<PartText> same = {{"body/body", "body/body", {{"i", "i"}}, {{"i", "i"}}}};
    const std::string body = "        A[0] = T.max(A[0], B[i])\n";
    const std::string before = "    for i in range(8):\n" + body;
    const std::string after = "    for i in T.parallel(8):\n" + body;
    EXPECT_THAT(outcome(before, after, same, {{0, 0}}),
                testing::StartsWith("unproved: iterations that touch one cell of A"));
    EXPECT_EQ(outcome_without("reschedule:additions-that-race", before, after, same, {{0, 0}}),
              "accepted");
    const std::string head = "    for p in T.parallel(4):\n        for i in range(4):\n";
    EXPECT_EQ(outcome(head + "            A[p] = T.max(A[p], i)\n",
                      head + "            A[p] = T.max(A[p], 3 - i)\n",
                      {{"body/body/body",
                        "body/body/body",
                        {{"i", "3 - i"}, {"p", "p"}},
                        {{"i", "3 - i"}, {"p", "p"}}}},
                      {{0, 0}}),
              "accepted");
}

// Trap: what is known to be computed in one place is owed in another one.
TEST_F(Reschedule, WhatIsOwedOnceIsOwedForAnyPlace) {
    const std::string before =
        "    assert m < 3, \"small\"\n    if 8 // n < 100:\n        A[0] = 1\n";
    const std::string after =
        "    if 8 // n < 100:\n        assert m < 3, \"small\"\n    else:\n"
        "        assert m < 3, \"small\"\n    if 8 // n < 100:\n        A[0] = 1\n";
    EXPECT_EQ(outcome(before, after,
                      {{"body/1/then", "body/1/then", {}, {}},
                       {"body/0/then", "body/0", {}, {}, "8 // n < 100"},
                       {"body/0/else", "body/0", {}, {}, "not 8 // n < 100"}}),
              "unproved: the guard is computed without a fault");
    // Two parts with one place have guards of their own there.
    const std::string odd = "8 // n > 1 or 8 // n <= 1";
    EXPECT_EQ(outcome("    if m < 3:\n        if " + odd +
                          ":\n            A[0] = 1\n    else:\n        if T.bool(True):\n"
                          "            A[0] = 1\n",
                      "    if 0 < 1 and (" + odd + "):\n        A[0] = 1\n",
                      {{"body", "body/then", {}, {}, "", "m < 3"},
                       {"body", "body/else", {}, {}, "", "3 <= m"}}),
              "unproved: the guard is computed without a fault");
    // A guard does not vouch for its own reads.
    const std::string head = "    for p in T.parallel(4):\n";
    EXPECT_EQ(outcome(head + "        A[p] = 1\n        B[p] = 2\n",
                      head + "        if B[3 - p] == B[3 - p]:\n            A[p] = 1\n"
                             "        B[p] = 2\n",
                      {{"body/then", "body", {}, {}}}, {}, "body/body/0"),
              "unproved: the guard is computed without a fault");
}

// Trap: a list in a list is one list, so that a site may name less than the text, or what is
// beside.
TEST_F(Reschedule, PartsAreInTheText) {
    const std::string list = "    A[0] = 1\n    A[1] = 2\n    A[1] = 2\n";
    const std::string two = "    if 0 < 1:\n        A[0] = 1\n        A[1] = 2\n";
    const auto parts = [](const std::vector<std::pair<std::string, std::string>>& sites) {
        std::vector<PartText> out;
        for (const auto& [now, origin] : sites) out.push_back({now, origin, {}, {}});
        return out;
    };
    text_at_ = "body/then";
    EXPECT_EQ(outcome(list, two, parts({{"body", "body"}}), {}, "body/0"),
              "refused: there is no part at body or body");
    EXPECT_EQ(outcome(list, two, parts({{"body/then", "body"}}), {}, "body/0"),
              "refused: there is no part at body/then or body");
    count_ = 2;
    EXPECT_EQ(outcome(list, two, parts({{"body/0", "body/0"}, {"body/1", "body/1"}}), {}, "body/0"),
              "accepted");
    EXPECT_EQ(outcome(list, two, parts({{"body/0", "body"}}), {}, "body/0"),
              "refused: there is no part at body/0 or body");
    const std::string more = two + "        A[1] = 2\n";
    EXPECT_EQ(outcome(list, more,
                      parts({{"body/0", "body/0"}, {"body/1", "body/1"}, {"body/2", "body/2"}}), {},
                      "body/0"),
              "refused: there is no part at body/2 or body/2");
    count_ = 3;
    EXPECT_EQ(outcome(list, two,
                      parts({{"body/0", "body/0"}, {"body/1", "body/1"}, {"body/01", "body/2"}}),
                      {}, "body/0"),
              "refused: there is no part at body/01 or body/2");
}

// Trap: a name that stands nowhere is the second instance's of the order.
TEST_F(Reschedule, ValuesAreOverWhatStandsAround) {
    const std::string before =
        "    for i in range(2):\n        A[0] = A[0] + 1\n        A[0] = A[0] * 2\n";
    const std::string after =
        "    for k in range(2):\n        A[0] = A[0] + 1\n"
        "    for q in range(2):\n        A[0] = A[0] * 2\n";
    const std::vector<PartText> parts = {{"body/0/body", "body/body/0", {{"i", "k"}}, {{"k", "i"}}},
                                         {"body/1/body",
                                          "body/body/1",
                                          {{"i", "T.if_then_else(q_1 == 0, 1 - q, q)"}},
                                          {{"q", "T.if_then_else(q_1 == 0, 1 - i, i)"}}}};
    ghosts_ = {"q_1"};
    EXPECT_EQ(outcome(before, after, parts),
              "refused: a part speaks of `q_1`, which does not stand around it");
    EXPECT_EQ(outcome_without("reschedule:other-names", before, after, parts), "accepted");
    EXPECT_EQ(outcome("    A[0] = 1\n", "    A[0] = 1\n", {{"body", "body", {}, {}, "n"}}),
              "refused: a part's condition is no condition");
}

// Trap: of several statements only the first had lost its claims.
TEST_F(Reschedule, ClaimsAreDroppedInTheWholeText) {
    const auto block = [](const std::string& v) {
        return "with T.block(\"b\"):\n                    T.reads(A[" + v +
               "])\n                    A[" + v + "] = A[" + v + "] + 1\n";
    };
    text_at_ = "body/then";
    const std::string value = "k + (B[0] - B[0])";
    EXPECT_EQ(outcome("    if B[0] < 100:\n        for i in range(4):\n                " +
                          block("i") + "    A[9] = 1\n",
                      "    if 0 < 1:\n        if B[0] < 100:\n            pass\n"
                      "        if B[0] < 100:\n            for k in range(4):\n                " +
                          block(value),
                      {{"body/1/then/body", "body/then/body", {{"i", value}}, {{"k", "i"}}}}, {},
                      "body/0"),
              "accepted");
    EXPECT_THAT(after_, testing::Not(testing::HasSubstr("T.reads")));
    // One statement stands for all of a list.
    text_at_ = "body";
    count_ = 2;
    EXPECT_EQ(outcome("    A[0] = 1\n    A[1] = 2\n",
                      "    if B[0] == B[0]:\n        A[0] = 1\n        A[1] = 2\n",
                      {{"body/then/0", "body/0", {}, {}}, {"body/then/1", "body/1", {}, {}}}, {},
                      "body/0"),
              "accepted");
}

}  // namespace
}  // namespace proviso::rewrite
