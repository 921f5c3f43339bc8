// Rescheduling: what runs where nothing ran before.
#include "tests/rewrite/theorems/reschedule.h"

namespace proviso::rewrite {
namespace {

class Extra : public Reschedule {
  protected:
    // What stands under the guard runs always. `body` and `last` are stores.
    std::string always(const std::string& guard, const std::string& body, const std::string& last,
                       const std::string& reasons) {
        extra_ = nlohmann::json::parse(reasons);
        text_at_ = "body/0";
        return outcome("    if " + guard + ":\n        " + body + "\n    " + last + "\n",
                       "    " + body + "\n    " + last + "\n",
                       {{"body", "body/then", {}, {}, "", guard}}, {}, "body/0");
    }

    static constexpr const char* kDead =
        R"({"stores": {"body/0": {"mode": "dead",
                                  "writers": [{"statement": "body/1", "at": {}}]}}})";
};

TEST_F(Extra, GoesUnnoticedForAReason) {
    EXPECT_EQ(always("n < 3", "A[0] = 1", "A[0] = 2", kDead), "accepted");
    // Trap: no reason, one for another store, one that does not hold, one that nobody knows.
    EXPECT_EQ(always("n < 3", "A[0] = 1", "A[0] = 2", "{}"),
              "unproved: every iteration comes from somewhere");
    const std::string none =
        "refused: nothing says why the store at body/0 goes unnoticed where the guard is false";
    EXPECT_EQ(always("n < 3", "A[0] = 1", "A[0] = 2", R"({"stores": {}})"), none);
    EXPECT_EQ(always("n < 3", "A[0] = 1", "A[0] = 2",
                     R"({"stores": {"body/1": {"mode": "unreachable"}}})"),
              none);
    EXPECT_EQ(always("n < 3", "A[0] = 1", "A[0] = 2",
                     R"({"stores": {"body/0": {"mode": "unreachable"}}})"),
              "unproved: the store at body/0 does not run where the guard is false");
    EXPECT_EQ(
        always("n < 3", "A[0] = 1", "A[0] = 2", R"({"stores": {"body/0": {"mode": "unseen"}}})"),
        "refused: no mode 'unseen' for a store");
    EXPECT_EQ(always("n < 3", "A[0] = 1", "A[0] = 2", R"({"stores": [], "zzz": 1})"),
              "refused: argument 'zzz' is not read");
    EXPECT_THAT(always("n < 3", "A[0] = 1", "A[0] = A[0] + 2", kDead),
                testing::StartsWith("unproved: the cell is not read at"));
    EXPECT_THAT(always("n < 3", "A[0] = 1", "A[1] = 2", kDead),
                testing::StartsWith("unproved: the cell is overwritten later"));
}

TEST_F(Extra, OwesWhatItEvaluates) {
    EXPECT_THAT(always("n > 0", "A[0] = 8 // n", "A[0] = 2", kDead),
                testing::EndsWith("is safe to evaluate where the guard is false"));
    EXPECT_EQ(always("n > 0", "A[0] = 8 // T.max(n, 1)", "A[0] = 2", kDead), "accepted");
    EXPECT_EQ(always("n > 0", "assert n > 0, \"n\"", "A[0] = 2", R"({"stores": {}})"),
              "refused: the guarded statement contains an assert, at body/0");
    EXPECT_EQ(always("n > 0", "T.evaluate(T.call_extern(\"int32\", \"g\", n))", "A[0] = 2",
                     R"({"stores": {}})"),
              "refused: the guarded statement makes an opaque call");
}

// Trap: a guard that is another one when its iterations run.
TEST_F(Extra, ItsGuardIsThatOfTheStart) {
    EXPECT_EQ(always("B[0] < 3", "A[0] = 1", "A[0] = 2", kDead),
              "refused: the guard reads memory, so which iterations are extra is not known");
    EXPECT_EQ(always("A[0] < 3", "A[0] = 1", "A[0] = 2", kDead),
              "refused: a bound or guard reads A, which the body writes");
    // Another iteration of a loop around writes what the guard reads, and the source reads it no
    // more than a branch of its own does.
    params_ = "A: T.Buffer((4,), \"int32\"), B: T.Buffer((4,), \"int32\")";
    extra_ = {{"stores", {{"body/body/0/then", {{"mode", "unreachable"}}}}}};
    const auto beside = [&](const std::string& guard) {
        return outcome("    for p in T.parallel(4):\n        if 1 < 0:\n            if " + guard +
                           ":\n                A[p] = 1\n        B[p] = 1\n",
                       "    for p in T.parallel(4):\n        if 1 < 0:\n            A[p] = 1\n"
                       "        B[p] = 1\n",
                       {{"body/then", "body/then/then", {}, {}, "", guard}}, {}, "body/body/0");
    };
    text_at_ = "body/body/0";
    EXPECT_EQ(beside("p < 3"), "accepted");
    EXPECT_EQ(beside("B[3] < 3"), "refused: the guard reads B, which another iteration may write");
}

// Two places with more than before: of one guard, and of two.
TEST_F(Extra, HasOneGuard) {
    extra_ = {
        {"stores", {{"body/0", {{"mode", "unreachable"}}}, {"body/1", {{"mode", "unreachable"}}}}}};
    const std::string after = "    A[0] = 1\n    B[0] = 1\n";
    const std::string one = "    if 1 < 0:\n        A[0] = 1\n        B[0] = 1\n";
    EXPECT_EQ(outcome(one, after,
                      {{"body/0", "body/then/0", {}, {}, "", "1 < 0"},
                       {"body/1", "body/then/1", {}, {}, "", "1 < 0"}}),
              "unproved: the store at body/0 does not run where the guard is false");
    const std::string two = "    if n < 0:\n        A[0] = 1\n    if m < 0:\n        B[0] = 1\n";
    EXPECT_EQ(outcome(two, after,
                      {{"body/0", "body/0/then", {}, {}, "", "n < 0"},
                       {"body/1", "body/1/then", {}, {}, "", "m < 0"}}),
              "refused: what is extra differs by places");
    // Nothing is extra: then nothing is explained.
    EXPECT_EQ(outcome(after, after, {{"body/0", "body/0", {}, {}}, {"body/1", "body/1", {}, {}}}),
              "refused: argument 'body/0' is not read");
}

// A block around is a guard, and its domains are what the new text says.
TEST_F(Extra, StandsInABlock) {
    const auto block = [](const std::string& predicate, const std::string& domain) {
        return "    for i in range(8):\n        with T.block(\"b\"):\n" +
               (predicate.empty() ? "" : "            T.where(" + predicate + ")\n") +
               "            v = T.axis.spatial(" + domain + ", i)\n            A[v] = 1\n";
    };
    const std::string last = "    for j in range(16):\n        A[j] = 2\n";
    const auto becomes = [&](const std::string& domain) {
        extra_ = {{"stores",
                   {{"body/0/body/body",
                     {{"mode", "dead"},
                      {"writers", {{{"statement", "body/1/body"}, {"at", {{"j", "i"}}}}}}}}}}};
        text_at_ = "body/0/body";
        return outcome(block("i < 4", "4") + last, block("", domain) + last,
                       {{"body/body", "body/body", {{"v", "v"}}, {{"v", "v"}}, "", "i < 4"}}, {},
                       "body/0/body");
    };
    EXPECT_EQ(becomes("8"), "accepted");
    EXPECT_EQ(becomes("n"), "unproved: iterator v stays in its domain");
    EXPECT_EQ(becomes("4"), "unproved: iterator v stays in its domain");
    EXPECT_EQ(becomes("8 // n"), "unproved: iterator v is computed without a fault");
}

}  // namespace
}  // namespace proviso::rewrite
