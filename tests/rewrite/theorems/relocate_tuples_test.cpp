// What a step computes in cells of several buffers, computed in parts first: wrong ones are
// refused.
#include <map>

#include "tests/rewrite/theorems/relocate.h"

namespace proviso::rewrite {
namespace {

using namespace ir;

class RelocateTuples : public Relocate {
  protected:
    std::string outcome(const std::string& before, const PartialsText& t) {
        Context ctx;
        const Function f = parsed(ctx, before);
        ProposalReader reader(ctx);
        const Partials p = reader.read(f, t);
        PROVISO_CHECK(reader.wrong().empty(), reader.wrong());
        return verdict(ctx, combine_in_parts(ctx, f, *Site::parse(t.at), p));
    }
    std::string outcome_without(const std::string& check, const std::string& before,
                                const PartialsText& t) {
        planted_fault() = check;
        const std::string out = outcome(before, t);
        planted_fault().clear();
        return out;
    }
    std::string outcome_unless_owed(const std::string& words, const std::string& before,
                                    const PartialsText& t) {
        omit_ = words;
        const std::string out = outcome(before, t);
        omit_.clear();
        return out;
    }

    // Largest values of rows of D go to B, their indices to A.
    static std::string largest(const std::string& keeps, const std::string& index = "k",
                               const std::string& start = "-2147483648") {
        return "    for j in range(16):\n        A[j] = -1\n        B[j] = " + start +
               "\n    for i in range(4):\n        for k in range(4):\n"
               "            u: T.int32 = T.Select(" +
               keeps + ", A[i], " + index + ")\n            v: T.int32 = T.Select(" + keeps +
               ", B[i], D[i, k])\n            A[i] = u\n            B[i] = v\n";
    }
    static PartialsText of_pairs(const std::string& keeps, const std::string& place = "k") {
        PartialsText t;
        t.buffer = "A";
        t.extents = {"4", "16"};
        t.map = {place, "x"};
        t.start = "-1";
        t.writer = {"body/0/body/0", {{"j", "d"}}};
        t.also = {{"B", "Q", "-2147483648", {"body/0/body/1", {{"j", "d"}}}, 0}};
        t.step.at = "body/1/body/body";
        t.step.combine = {"T.Select(" + keeps + ", a0, b0)", "T.Select(" + keeps + ", a1, b1)"};
        return t;
    }
    static std::string by_index() {
        return largest("B[i] > D[i, k] or B[i] == D[i, k] and A[i] < k");
    }
    static PartialsText pairs_by_index(const std::string& place = "k") {
        return of_pairs("a1 > b1 or a1 == b1 and a0 < b0", place);
    }

    // One buffer, and a step that no operator is.
    static std::string rows(const std::string& step, const std::string& start = "0") {
        return "    for j in range(16):\n        B[j] = " + start +
               "\n    for i in range(4):\n        for k in range(4):\n            " + step + "\n";
    }
    static PartialsText of_one(const std::string& combine, const std::string& place = "k") {
        PartialsText t;
        t.extents = {"4", "16"};
        t.map = {place, "x"};
        t.step.at = "body/1/body/body";
        t.step.combine = {combine};
        return t;
    }
};

TEST_F(RelocateTuples, PairsAreCombined) {
    EXPECT_EQ(outcome(by_index(), pairs_by_index()), "accepted");
    EXPECT_THAT(after_, testing::HasSubstr("            P[c, d] = -1\n            Q[c, d] = "));
    EXPECT_THAT(after_, testing::HasSubstr("P[k, i] = u\n"));
    EXPECT_THAT(after_, testing::HasSubstr("A[d_1] = v_A\n            B[d_1] = v_B\n"));
    EXPECT_EQ(outcome(by_index(), pairs_by_index("3 - k")), "accepted");
    EXPECT_EQ(outcome(by_index(), pairs_by_index("k % 2")), "accepted");
}

// Trap: of equal values the first one wins, and is another one in another order.
TEST_F(RelocateTuples, TiesAreBrokenByOrder) {
    const std::string first = largest("B[i] >= D[i, k]");
    const PartialsText lanes = of_pairs("a1 >= b1", "k % 2");
    EXPECT_EQ(outcome(first, lanes),
              "unproved: steps on one cell that change places give the same");
    EXPECT_EQ(outcome_unless_owed("change places", first, lanes), "accepted");
    // Parts of neighbours keep it, and do not if they stand in another order.
    EXPECT_EQ(outcome(first, of_pairs("a1 >= b1", "k // 2")), "accepted");
    EXPECT_EQ(outcome(first, of_pairs("a1 >= b1", "3 - k // 2")),
              "unproved: steps on one cell that change places give the same");
    // What is combined has the last one win.
    EXPECT_EQ(outcome(first, of_pairs("a1 > b1", "k // 2")),
              "unproved: a step on a combined result is one on its last part, combined");
}

// Trap: two results are combined by another condition than the step has.
TEST_F(RelocateTuples, PartsAreCombinedAsTheStepDoes) {
    const std::string words = "a step on a combined result is one on its last part, combined";
    for (const std::string keeps : {"a1 >= b1", "a1 > b1 or a1 == b1 and a0 > b0", "a1 > b1"}) {
        EXPECT_EQ(outcome(by_index(), of_pairs(keeps)), "unproved: " + words) << keeps;
    }
    PartialsText mixed = pairs_by_index();
    mixed.step.combine[0] = "T.Select(a1 >= b1, a0, b0)";
    EXPECT_EQ(outcome(by_index(), mixed), "unproved: " + words);
    EXPECT_EQ(outcome(rows("B[i] = T.max(B[i], D[i, k])"), of_one("T.Select(b0 == 0, a0, b0)")),
              "unproved: " + words);
}

// Trap: the start is a value that parts find better than a term, or that is not kept.
TEST_F(RelocateTuples, TheStartAddsNothing) {
    const std::string maxima = rows("B[i] = T.max(B[i], D[i, k])");
    EXPECT_EQ(outcome(maxima, of_one("T.max(a0, b0)")), "accepted");
    EXPECT_EQ(outcome(maxima, of_one("T.Select(a0 == 0, 1, T.max(a0, b0))")),
              "unproved: the start combined with itself is the start");
    EXPECT_EQ(outcome(maxima, of_one("b0", "k // 2")),
              "unproved: the start combined with what the step computes adds nothing");
    PartialsText high = of_one("T.max(a0, b0)");
    high.start = "5";
    EXPECT_EQ(outcome(rows("B[i] = T.max(B[i], D[i, k])", "5"), high), "accepted");
    EXPECT_EQ(outcome(maxima, high), "unproved: every cell of B with a partial result holds 5");
    const std::string last = rows("B[i] = T.min(D[i, k], 3)", "5");
    PartialsText smallest = of_one("T.min(a0, b0)", "k // 2");
    smallest.start = "5";
    EXPECT_EQ(outcome(last, smallest),
              "unproved: a step on a combined result is one on its last part, combined");
}

// Trap: a partial result meets a fault that the result does not; sums of int32 leave their range.
TEST_F(RelocateTuples, NothingFaults) {
    EXPECT_EQ(
        outcome(rows("B[i] = T.max(B[i], 1) + 0 * (1 // (B[i] + T.if_then_else(k == 3, 0, 1)))"),
                of_one("T.max(a0, b0)")),
        "unproved: the step computes definite values without a fault from any cells");
    EXPECT_EQ(outcome(rows("B[i] = B[i] + T.min(T.max(D[i, k], 0), 1)"), of_one("a0 + b0")),
              "unproved: the step computes definite values without a fault from any cells");
    EXPECT_EQ(
        outcome(rows("B[i] = T.max(B[i], D[i, k])"), of_one("T.max(a0, b0) + 0 * (1 // (b0 - 3))")),
        "unproved: partial results are combined without a fault");
    EXPECT_EQ(outcome(rows("B[i] = T.max(B[i], A[B[i]])"), of_one("T.max(a0, b0)")),
              "unproved: the step computes definite values without a fault from any cells");
}

// Trap: the step is no function of its cells: it reads what changes, or other cells of the buffers.
TEST_F(RelocateTuples, StepsAreFunctions) {
    PartialsText t = of_one("T.Select(b0 == 0, a0, b0)", "3 - k");
    t.step.at = "body/1/body/body/0";
    const std::string stored = rows("B[i] = A[0] % 5 + 1\n            A[0] = D[i, k]");
    EXPECT_EQ(outcome(stored, t), "refused: the step reads A, which is stored to");
    EXPECT_EQ(outcome_without("partial:step-reads-stored", stored, t), "accepted");
    const PartialsText max = of_one("T.max(a0, b0)");
    const std::string cells = rows("B[i] = T.max(B[0], D[i, k])");
    EXPECT_EQ(outcome(cells, max), "refused: the step works on several cells");
    EXPECT_EQ(outcome_without("partial:step-cells", cells, max), "accepted");
    for (const auto& [step, why] : std::map<std::string, std::string>{
             {"B[i] = T.max(B[i], T.call_extern(\"int32\", \"g\", k))",
              "what the step evaluates is no function: "
              "T.max(B[i], T.call_extern(\"int32\", \"g\", k))"},
             {"if D[i, k] > B[i]:\n                B[i] = D[i, k]",
              "a step consists of lets and stores"},
             {"B[D[0, 0] % 16] = T.max(B[D[0, 0] % 16], D[i, k])",
              "'D[0, 0] % 16' is no function of the indices"},
             {"B[i] = T.max(B[i], D[i, k])\n            A[i] = k", "the step stores to A too"},
             {"B[i] = T.max(B[i], D[i, k])\n            B[k] = 3",
              "the step works on several cells"}}) {
        EXPECT_EQ(outcome(rows(step), max), "refused: " + why);
    }
}

// Trap: something else in the statement sees the cells, or a buffer is no part of the step.
TEST_F(RelocateTuples, OnlyTheStepSeesTheCells) {
    PartialsText t = of_one("T.max(a0, b0)");
    t.step.at = "body/1/body/body/0";
    const std::string seen = rows("B[i] = T.max(B[i], D[i, k])\n            A[k] = B[i]");
    EXPECT_EQ(outcome(seen, t), "refused: B is read or stored to in another way as well");
    PartialsText pair = pairs_by_index();
    pair.step.at = "body/1/body/body/0";
    EXPECT_EQ(outcome("    for j in range(16):\n        A[j] = -1\n        B[j] = -2147483648\n"
                      "    for i in range(4):\n        for k in range(4):\n"
                      "            B[i] = T.max(B[i], D[i, k])\n            A[i] = k\n",
                      pair),
              "refused: the step does not store to A");
    pair.step.at = "body/0";
    EXPECT_EQ(outcome(by_index(), pair), "refused: the statement has no step at body/0");
}

// Trap: values of partial results that are what a parameter is: below 100, say.
TEST_F(RelocateTuples, NamesAreNew) {
    const std::string maxima = rows("B[i] = T.max(B[i], D[i, k])");
    PartialsText t = of_one("T.max(a0, n)");
    t.step.right = {"n"};
    EXPECT_EQ(outcome(maxima, t),
              "refused: the values of partial results have no names of their own");
    t.step.right = {"a0"};
    t.step.combine = {"a0"};
    EXPECT_EQ(outcome(maxima, t),
              "refused: the values of partial results have no names of their own");
    PartialsText twice = of_one("T.max(a0, b0)");
    twice.also = {{"B", "Q", "0", twice.writer, 0}};
    twice.step.combine.emplace_back("a1");
    EXPECT_EQ(outcome(maxima, twice),
              "refused: partial results are of different buffers, and of one shape");
    twice.also.clear();
    EXPECT_EQ(outcome(maxima, twice), "accepted");  // what is said of no buffer is not read
    twice.step.combine.clear();
    EXPECT_EQ(outcome(maxima, twice), "refused: two partial results have a value for each buffer");
}

// Several sums share their places, each by its own operator.
TEST_F(RelocateTuples, SumsOfSeveralBuffers) {
    const std::string two =
        "    for j in range(16):\n        A[j] = 0\n        B[j] = 0\n    for i in range(4):\n"
        "        for k in range(4):\n            A[i] = T.max(A[i], D[i, k])\n"
        "            B[i] = B[i] + D[i, k] % 10\n";
    PartialsText t;
    t.buffer = "A";
    t.extents = {"4", "16"};
    t.map = {"k", "x"};
    t.writer = {"body/0/body/0", {{"j", "d"}}};
    t.also = {{"B", "Q", "0", {"body/0/body/1", {{"j", "d"}}}, 9}};
    EXPECT_EQ(outcome(two, t), "accepted");
    EXPECT_THAT(after_, testing::HasSubstr("A[d_1] = T.max(A[d_1], P[c_1, d_1])\n"
                                           "            B[d_1] = B[d_1] + Q[c_1, d_1]\n"));
    t.also[0].most = 8;
    EXPECT_EQ(outcome(two, t),
              "unproved: what is added at body/1/body/body/1 is at most 8, up to its sign");
    t.also[0].most = 9;
    std::string reads = two;
    reads.replace(reads.find("+ D[i, k] % 10"), 14, "+ A[i] % 10");
    EXPECT_EQ(outcome(reads, t), "refused: A is read or stored to in another way as well");
}

}  // namespace
}  // namespace proviso::rewrite
