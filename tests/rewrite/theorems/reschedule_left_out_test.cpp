// Rescheduling: instances that are left out, and what may stop.
#include "tests/rewrite/theorems/reschedule.h"

namespace proviso::rewrite {
namespace {

// Instances without a place have no effect; what decides which they are is not written by them.
TEST_F(Reschedule, WhatIsLeftOutDoesNothing) {
    const auto left_out = [&](const std::string& body, const std::string& when) {
        return outcome("    for i in range(8):\n" + body, "    for i in range(5):\n" + body,
                       {{"body/body", "body/body", {{"i", "i"}}, {{"i", "i"}}, when}}, {}, "body",
                       {"body/body"});
    };
    const std::string guarded = "        if i < 5:\n            A[i] = 1\n";
    EXPECT_EQ(left_out(guarded, "i < 5"), "accepted");
    EXPECT_EQ(left_out(guarded, ""), "unproved: every iteration is visited");
    EXPECT_EQ(left_out("        A[i] = 1\n", "i < 5"),
              "unproved: what is left out does nothing (body/body)");
    EXPECT_EQ(left_out("        assert i < 5, \"small\"\n", "i < 5"),
              "unproved: what is left out does nothing (body/body)");
    EXPECT_EQ(left_out("        T.evaluate(T.call_extern(\"int32\", \"g\", i))\n", "i < 5"),
              "refused: what is left out makes an opaque call");
    // Trap: the condition on which something is left out is of the start, and changes before.
    const auto decided = [&](const std::string& cell) {
        const std::string c = "A[" + cell + "] < 9";
        return outcome("    A[0] = 1\n    if " + c + ":\n        B[0] = 1\n",
                       "    if " + c + ":\n        A[0] = 1\n        if " + c +
                           ":\n            B[0] = 1\n    else:\n        A[0] = 1\n",
                       {{"body/then/0", "body/0", {}, {}, c},
                        {"body/then/1", "body/1", {}, {}, c},
                        {"body/else", "body/0", {}, {}, "not " + c}},
                       {}, "body", {"body/1"});
    };
    EXPECT_EQ(decided("1"), "accepted");
    EXPECT_EQ(decided("0"), "unproved: " + changes("A, body/0, body/1"));
    // Listed or not, two places are one too many.
    EXPECT_EQ(outcome("    for i in range(8):\n" + guarded,
                      "    for i in range(5):\n" + guarded + "    for j in range(5):\n" +
                          "        if j < 5:\n            A[j] = 1\n",
                      {{"body/0/body", "body/body", {{"i", "i"}}, {{"i", "i"}}, "i < 5"},
                       {"body/1/body", "body/body", {{"i", "j"}}, {{"j", "i"}}, "i < 5"}},
                      {{0, 1}}, "body", {"body/body"}),
              "unproved: no iteration goes to two places");
}

// What is left out may store what nobody sees, for a reason that holds.
TEST_F(Reschedule, WhatIsLeftOutIsUnseen) {
    // The first of two stores is left out, for one reason or another.
    const auto without_first = [&](const std::string& first, const std::string& second,
                                   const std::string& how, std::size_t others = 1) {
        unseen_ = {{"stores", {{"body/0", nlohmann::json::parse(how)}}}};
        count_ = 1 + others;
        std::vector<PartText> parts;
        for (std::size_t k = 0; k < others; ++k) {
            const std::string now = others == 1 ? "body" : "body/" + std::to_string(k);
            parts.push_back({now, "body/" + std::to_string(k + 1), {}, {}});
        }
        text_at_ = "body";
        return outcome(first + second, second, parts, {}, "body/0", {"body/0"});
    };
    const std::string one = "    B[0] = 1\n";
    const std::string dead = R"({"mode": "dead", "writers": [{"statement": "body/1", "at": {}}]})";
    EXPECT_EQ(without_first(one, "    B[0] = 2\n", dead), "accepted");
    EXPECT_THAT(without_first(one, "    B[1] = 2\n", dead),
                testing::StartsWith("unproved: the cell is overwritten later"));
    EXPECT_THAT(without_first(one, "    B[0] = B[0] + 1\n", dead),
                testing::StartsWith("unproved: the cell is not read"));
    EXPECT_THAT(without_first(one, "    B[0] = 2\n", R"({"mode": "same"})"),
                testing::StartsWith("unproved: the cell already holds"));
    EXPECT_EQ(without_first("    B[0] = B[0]\n", "    B[0] = 2\n", R"({"mode": "same"})"),
              "accepted");
    EXPECT_EQ(without_first(one, "    B[0] = 2\n", R"({"mode": "indet"})"),
              "refused: the value stored at body/0 is not T.undef() but 1");
    EXPECT_EQ(without_first(one, "    B[0] = 2\n", R"({"mode": "luck"})"),
              "refused: no mode 'luck' for a store");
    // Trap: what overwrites the cell goes as well.
    EXPECT_EQ(without_first(one, "    B[0] = 2\n",
                            R"({"mode": "dead", "writers": [{"statement": "body/0", "at": {}}]})"),
              "refused: the store at body/0 that overwrites the cell is left out as well");
    // Trap: a new condition reads a cell in which the runs differ.
    const std::string loop = "    for i in range(4):\n        B[0] = i\n";
    const auto guarded = [&](const std::string& condition) {
        unseen_ = {{"stores", {{"body/body", {{"mode", "same"}}}}}};
        count_ = 1;
        text_at_.clear();
        return outcome(
            loop, "    for i in range(4):\n        if " + condition + ":\n            B[0] = i\n",
            {{"body/body/then", "body/body", {{"i", "i"}}, {{"i", "i"}}, condition}}, {}, "body",
            {"body/body"});
    };
    EXPECT_THAT(guarded("i < 3"), testing::StartsWith("unproved: the cell already holds"));
    EXPECT_EQ(guarded("B[1] < 3"),
              "refused: a condition reads B, to which is stored in what is left out");
    EXPECT_THAT(guarded("A[0] < 3"), testing::StartsWith("unproved: the cell already holds"));
}

// Trap: the source stops before it evaluates what now stands around the stop.
TEST_F(Reschedule, BoundsAfterAStopAreNoFacts) {
    const std::string before =
        "    assert m < 3, \"small\"\n    for i in range(8 // n):\n        A[i] = 1\n";
    const std::string after =
        "    if 8 // n < 100:\n        assert m < 3, \"small\"\n        for i in range(8 // n):\n"
        "            A[i] = 1\n    else:\n        assert m < 3, \"small\"\n"
        "        for j in range(8 // n):\n            A[j] = 1\n";
    const PartText first{
        "body/then/1/body", "body/1/body", {{"i", "i"}}, {{"i", "i"}}, "8 // n < 100"};
    const PartText second{
        "body/else/1/body", "body/1/body", {{"i", "j"}}, {{"j", "i"}}, "not 8 // n < 100"};
    const PartText stop{"body/then/0", "body/0", {}, {}, "8 // n < 100"};
    const PartText other{"body/else/0", "body/0", {}, {}, "not 8 // n < 100"};
    EXPECT_EQ(outcome(before, after, {first, second, stop, other}),
              "unproved: the guard is computed without a fault");
    EXPECT_EQ(outcome_without("reschedule:facts-after-a-stop", before, after,
                              {first, second, stop, other}),
              "accepted");
}

// Trap: a bound that was computed only where the check before it passes.
TEST_F(Reschedule, WhatComesAfterACheckIsNotKnownBefore) {
    const std::string before =
        "    assert m != 0, \"m\"\n    for i in range(T.min(4, n // m)):\n        A[i] = 1\n";
    const std::string after =
        "    if T.min(4, n // m) < 8:\n        assert m != 0, \"m\"\n"
        "        for i in range(T.min(4, n // m)):\n            A[i] = 1\n";
    const std::vector<PartText> parts = {
        {"body/then/0", "body/0", {}, {}},
        {"body/then/1/body", "body/1/body", {{"i", "i"}}, {{"i", "i"}}}};
    EXPECT_EQ(outcome(before, after, parts), "unproved: the guard is computed without a fault");
}

TEST_F(Reschedule, NoStatementIsLeftOut) {
    const std::string before = "    A[0] = 1\n    A[1] = 2\n";
    const std::string after = "    if 0 < 1:\n        A[0] = 1\n";
    const std::vector<PartText> parts = {{"body/then", "body/0", {}, {}}};
    EXPECT_EQ(outcome(before, after, parts), "refused: the statement at body/1 is left out");
    EXPECT_EQ(outcome_without("reschedule:left-out", before, after, parts), "accepted");
    EXPECT_EQ(
        outcome("    A[0] = 1\n", "    A[0] = 1\n    A[1] = 2\n", {{"body/0", "body", {}, {}}}),
        "refused: the statement at body/1 is new");
}

// Trap: a store that the caller saw only if the check had passed.
TEST_F(Reschedule, ChecksKeepTheirPlace) {
    const std::string before = "    assert n == 1, \"n\"\n    A[0] = 1\n";
    const std::string after = "    A[0] = 1\n    assert n == 1, \"n\"\n";
    const std::vector<PartText> parts = {{"body/0", "body/1", {}, {}},
                                         {"body/1", "body/0", {}, {}}};
    EXPECT_EQ(outcome(before, after, parts, {{0, 1}}),
              "refused: a part that may change places contains an assert");
    EXPECT_EQ(outcome_without("reschedule:stops-change-places", before, after, parts, {{0, 1}}),
              "accepted");
}

// Trap: another iteration may stop the function between two stores.
TEST_F(Reschedule, NothingChangesPlacesBesideAStop) {
    const auto text = [](const std::string& first, const std::string& second) {
        return "    for p in T.parallel(2):\n        " + first + "[p] = 1\n        " + second +
               "[p] = 1\n        assert p < 1, \"small\"\n";
    };
    const std::map<std::string, std::string> p = {{"p", "p"}};
    const std::vector<PartText> parts = {{"body/body/0", "body/body/1", p, p},
                                         {"body/body/1", "body/body/0", p, p},
                                         {"body/body/2", "body/body/2", p, p}};
    EXPECT_EQ(outcome(text("A", "B"), text("B", "A"), parts, {{0, 1}}),
              "refused: a part that may change places runs beside an assert");
    EXPECT_EQ(
        outcome_without("reschedule:stops-beside", text("A", "B"), text("B", "A"), parts, {{0, 1}}),
        "accepted");
}

// Trap: a part of which no instance runs; what stands around it is evaluated before the stop.
TEST_F(Reschedule, WhatAStopHidesIsNoFactAroundAnotherPart) {
    const std::string stop = "    assert m < 3, \"small\"\n";
    const std::string store = "    if 8 // n < 100:\n        A[0] = 1\n";
    const std::string after =
        "    if 8 // n < 100:\n        if 1 < 0:\n            A[0] = 1\n" + stop + store;
    const std::vector<PartText> parts = {{"body/0/then/then", "body/1/then", {}, {}, "1 < 0"},
                                         {"body/1", "body/0", {}, {}},
                                         {"body/2/then", "body/1/then", {}, {}, "0 < 1"}};
    EXPECT_EQ(outcome(stop + store, after, parts),
              "unproved: the guard is computed without a fault");
    EXPECT_EQ(outcome_without("reschedule:facts-after-a-stop", stop + store, after, parts),
              "accepted");
    // After the stop it is one, in whatever list.
    EXPECT_EQ(outcome(stop + store, stop + store,
                      {{"body/1/then", "body/1/then", {}, {}}, {"body/0", "body/0", {}, {}}}),
              "accepted");
}

}  // namespace
}  // namespace proviso::rewrite
