// What a statement combines in cells of a buffer, combined in parts first: wrong ones are refused.
#include "tests/rewrite/theorems/relocate.h"

namespace proviso::rewrite {
namespace {

using namespace ir;

class RelocatePartials : public Relocate {
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
    // As if the obligation were not stated.
    std::string outcome_unless_owed(const std::string& words, const std::string& before,
                                    const PartialsText& t) {
        omit_ = words;
        const std::string out = outcome(before, t);
        omit_.clear();
        return out;
    }

    static PartialsText with(const std::vector<std::string>& extents,
                             const std::vector<std::string>& map,
                             const std::vector<std::string>& inverse = {"d"}) {
        PartialsText t;
        t.extents = extents;
        t.map = map;
        t.inverse = inverse;
        return t;
    }
    static PartialsText four_by_sixteen() { return with({"4", "16"}, {"k", "x"}); }

    // Of rows of D, which B holds `start` for.
    static std::string rows(const std::string& store, const std::string& start = "0") {
        return "    for j in range(16):\n        B[j] = " + start +
               "\n    for i in range(4):\n        for k in range(4):\n            " + store + "\n";
    }
    static std::string maxima() { return rows("B[i] = T.max(B[i], D[i, k])"); }
    // In a buffer of another type.
    static std::string typed(const std::string& type, const std::string& store,
                             const std::string& start, const std::string& attr = "") {
        return attr + "    t = T.alloc_buffer((16,), \"" + type +
               "\")\n    for j in range(16):\n        t[j] = " + start +
               "\n    for i in range(4):\n        for k in range(4):\n            " + store +
               "\n    for i_1 in range(16):\n        B[i_1] = T.Cast(\"int32\", t[i_1] < t[0])\n";
    }
    static PartialsText of_typed(const std::string& start) {
        PartialsText t = four_by_sixteen();
        t.buffer = "t";
        t.start = start;
        t.at = "body/body/1";
        t.writer.statement = "body/body/0/body";
        return t;
    }
};

TEST_F(RelocatePartials, TermsAreCombinedInPartsFirst) {
    EXPECT_EQ(outcome(maxima(), four_by_sixteen()), "accepted");
    EXPECT_THAT(after_, testing::HasSubstr("    for c in range(4):\n        for d in range(16):\n"
                                           "            P[c, d] = 0\n"));
    EXPECT_THAT(after_, testing::HasSubstr("P[k, i] = T.max(P[k, i], D[i, k])"));
    EXPECT_THAT(after_, testing::HasSubstr("B[d_1] = T.max(B[d_1], P[c_1, d_1])"));
    // Fewer parts than iterations; parts with another order; cells that no term goes to.
    EXPECT_EQ(outcome(maxima(), with({"2", "16"}, {"k // 2", "x"})), "accepted");
    PartialsText last = with({"16", "4"}, {"x", "3 - k"}, {"c"});
    last.writer.at["j"] = "c";
    EXPECT_EQ(outcome(maxima(), last), "accepted");
    EXPECT_EQ(outcome(maxima(), with({"9", "16"}, {"k + i", "x"})), "accepted");
}

TEST_F(RelocatePartials, OperatorsThatAreFreeOfOrder) {
    PartialsText t = of_typed("1");
    EXPECT_EQ(outcome(typed("uint32", "t[i] = t[i] & T.Cast(\"uint32\", D[i, k])", "1"), t),
              "accepted");
    EXPECT_EQ(outcome(typed("int8", "t[i] = T.min(t[i], T.Cast(\"int8\", D[i, k]))", "1"), t),
              "accepted");
    t = of_typed("True");
    EXPECT_EQ(outcome("    t = T.alloc_buffer((16,), \"bool\")\n    for j in range(16):\n"
                      "        t[j] = True\n    for i in range(4):\n        for k in range(4):\n"
                      "            t[i] = D[i, k] < n and t[i]\n",
                      t),
              "accepted");
    t = of_typed("0");
    EXPECT_EQ(outcome(typed("uint8", "t[i] = t[i] - T.Cast(\"uint8\", D[i, k])", "0"), t),
              "accepted");
    EXPECT_EQ(outcome(typed("int64", "t[i] = t[i] ^ T.Cast(\"int64\", D[i, k])", "0"), t),
              "accepted");
}

// Trap: a partial result has terms of two cells; or it is outside of the buffer; or it divides by
// zero where it is.
TEST_F(RelocatePartials, EachTermHasAPlaceOfItsCell) {
    const std::string words = "what is combined is part of";
    for (const PartialsText& t :
         {with({"4", "16"}, {"k", "x // 2"}), with({"3", "16"}, {"k", "x"}),
          with({"4", "16"}, {"k - 1", "x"}), with({"4", "16"}, {"k + 0 * (1 // n)", "x"}),
          with({"4", "16"}, {"k", "x"}, {"15 - d"})}) {
        PartialsText u = t;
        if (u.inverse[0] != "d") u.writer.at["j"] = "15 - d";
        EXPECT_EQ(outcome(maxima(), u),
                  "unproved: what is combined is part of a result of its own cell (B[i] at "
                  "body/1/body/body)");
        EXPECT_EQ(outcome_unless_owed(words, maxima(), u), "accepted");
    }
}

// Trap: the cell of a partial result is computed with a fault; or by what is known in the
// statement.
TEST_F(RelocatePartials, CellsAreComputed) {
    PartialsText t = with({"4", "16"}, {"k", "x"}, {"d + 0 * (1 // n)"});
    EXPECT_EQ(outcome(maxima(), t),
              "unproved: the cell of a partial result is computed without a fault");
    EXPECT_EQ(outcome_unless_owed("the cell of a partial", maxima(), t), "accepted");
    t = with({"4"}, {"k"}, {"d"});
    t.loops = {"c"};
    t.inverse = {"0 * c + i"};
    Context ctx;
    const Function f = parsed(ctx, maxima());
    Partials p = ProposalReader(ctx).read(f, four_by_sixteen());
    p.cells.inverse = {analysis::scope_at(ctx, f, *Site::parse("body/1/body/body")).vars.at("i")};
    EXPECT_EQ(verdict(ctx, combine_in_parts(ctx, f, *Site::parse("body/1"), p)),
              "refused: 'i' speaks of i, which means nothing there");
}

// Trap: cells hold something else before: it is in each of the parts.
TEST_F(RelocatePartials, CellsHoldTheStart) {
    PartialsText t = four_by_sixteen();
    const std::string from_one = rows("B[i] = T.max(B[i], D[i, k])", "-1");
    EXPECT_EQ(outcome(from_one, t), "unproved: every cell of B with a partial result holds 0");
    EXPECT_EQ(outcome_unless_owed("with a partial result holds", from_one, t), "accepted");
    t.start = "-1";
    EXPECT_EQ(outcome(from_one, t), "accepted");
    // Where the start was stored to some of them, or is overwritten.
    const std::string some =
        "    for j in range(4):\n        B[j] = 0\n    for i in range(4):\n"
        "        for k in range(4):\n            B[i] = T.max(B[i], D[i, k])\n";
    t = four_by_sixteen();
    EXPECT_THAT(outcome(some, t), testing::HasSubstr("unproved: the cell of B was written before"));
    EXPECT_EQ(outcome(some, with({"4", "4"}, {"k", "x"})), "accepted");
    const std::string twice =
        "    for j in range(16):\n        B[j] = 0\n    B[3] = n\n    for i in range(4):\n"
        "        for k in range(4):\n            B[i] = T.max(B[i], D[i, k])\n";
    t.at = "body/2";
    EXPECT_EQ(outcome(twice, t),
              "unproved: nothing overwrites the cell of B in between (store at body/1)");
}

// Trap: the start is a term as well: a sum that begins with 1 begins with 1 in each part.
TEST_F(RelocatePartials, SumsStartAtZero) {
    const std::string sums = typed("uint32", "t[i] = t[i] + T.Cast(\"uint32\", D[i, k])", "1");
    EXPECT_EQ(outcome(sums, of_typed("1")), "refused: partial results do not start at T.uint32(1)");
    EXPECT_EQ(outcome_without("partial:any-start", sums, of_typed("1")), "accepted");
    PartialsText t = of_typed("1 + 0 * T.Cast(\"uint32\", n)");
    EXPECT_THAT(outcome(sums, t), testing::HasSubstr("refused: partial results do not start at"));
}

// Trap: a partial sum of int32 leaves the range that no sum in the old order leaves.
TEST_F(RelocatePartials, PartialSumsStayInRange) {
    const std::string small = rows("B[i] = B[i] + D[i, k] % 100");
    PartialsText t = four_by_sixteen();
    t.most = 99;
    EXPECT_EQ(outcome(small, t), "accepted");
    t.most = 98;
    EXPECT_EQ(outcome(small, t),
              "unproved: what is added at body/1/body/body is at most 98, up to its sign");
    EXPECT_EQ(outcome_unless_owed("up to its sign", small, t), "accepted");
    const std::string large = rows("B[i] = B[i] + D[i, k]");
    t.most = 2147483647;
    EXPECT_EQ(outcome(large, t),
              "refused: 4 terms of up to 2147483647 may add up to more than int32 holds");
    t.most = 536870912;  // 2^29, four times: one too many
    EXPECT_EQ(outcome(rows("B[i] = B[i] - T.max(0, T.min(D[i, k], 536870912))"), t),
              "refused: 4 terms of up to 536870912 may add up to more than int32 holds");
    t.most = 536870911;
    EXPECT_EQ(outcome(rows("B[i] = B[i] - T.max(0, T.min(D[i, k], 536870911))"), t), "accepted");
    // Trap: iterations of a loop whose variable is no index may have one cell.
    EXPECT_EQ(outcome(rows("B[i // 2] = B[i // 2] - T.max(0, T.min(D[i, k], 536870911))"), t),
              "refused: 16 terms of up to 536870911 may add up to more than int32 holds");
    t.most = -1;
    EXPECT_THAT(outcome(large, t), testing::HasSubstr("refused: 4 terms of up to -1"));
    const std::string many =
        "    for j in range(16):\n        B[j] = 0\n    for i in range(n):\n"
        "        for k in range(4):\n            B[i % 16] = B[i % 16] + 1\n";
    t.most = 1;
    EXPECT_EQ(outcome(many, t), "refused: it is not known how many terms are added up");
}

// Trap: a sum of floats rounds in another order without the licence; and T.max of floats has no
// order that a licence covers.
TEST_F(RelocatePartials, FloatsNeedTheLicence) {
    const std::string sum = "t[i] = t[i] + T.Cast(\"float32\", D[i, k])";
    const std::string licence = "    T.func_attr({\"proviso.licences\": [\"reassociate\"]})\n";
    const PartialsText t = of_typed("0.0");
    EXPECT_EQ(outcome(typed("float32", sum, "T.float32(0.0)"), t),
              "refused: partial sums of floats need the licence 'reassociate'");
    EXPECT_EQ(
        outcome_without("partial:without-licence", typed("float32", sum, "T.float32(0.0)"), t),
        "accepted");
    EXPECT_EQ(outcome(typed("float32", sum, "T.float32(0.0)", licence), t), "accepted");
    EXPECT_EQ(outcome(typed("float32", sum, "T.float32(-0.0)", licence), of_typed("-0.0")),
              "accepted");
    EXPECT_EQ(outcome(typed("float32", sum, "T.float32(-0.0)", licence), t),
              "unproved: every cell of t with a partial result holds T.float32(0.0)");
    const std::string max = typed("float32", "t[i] = T.max(t[i], T.Cast(\"float32\", D[i, k]))",
                                  "T.float32(0.0)", licence);
    EXPECT_EQ(outcome(max, t),
              "refused: what is combined depends on the order of the terms: float32");
    EXPECT_EQ(outcome_without("partial:any-order", max, t), "accepted");
}

// Trap: a term reads the sum; a condition does; a statement does; another store has another
// operator, or is none that accumulates.
TEST_F(RelocatePartials, NothingElseSeesTheCells) {
    const PartialsText t = four_by_sixteen();
    EXPECT_EQ(outcome(rows("B[i] = T.max(B[i], D[i, k] + B[0])"), t),
              "refused: the store at body/1/body/body does not accumulate");
    EXPECT_EQ(outcome(rows("B[i] = D[i, k]"), t),
              "refused: the store at body/1/body/body does not accumulate");
    const std::string seen = "refused: B is read or stored to in another way as well";
    for (const std::string s :
         {"if B[k] < 3:\n                B[i] = T.max(B[i], D[i, k])",
          "B[i] = T.max(B[i], D[i, k])\n            A[k] = B[i]",
          "T.assume(B[k] < 100)\n            B[i] = T.max(B[i], D[i, k])",
          "T.assume(i < 2 or B[i] == T.undef())\n            B[i] = T.max(B[i], D[i, k])"}) {
        EXPECT_EQ(outcome(rows(s), t), seen) << s;
        EXPECT_EQ(outcome_without("partial:seen-inside", rows(s), t), "accepted") << s;
    }
    const std::string both =
        rows("B[i] = T.max(B[i], D[i, k])\n            B[i] = T.min(B[i], D[i, k])");
    EXPECT_EQ(outcome(both, t), "refused: terms are combined by several operators");
    EXPECT_EQ(outcome_without("partial:operators", both, t), "accepted");
    const std::string twice =
        rows("B[i] = T.max(B[i], D[i, k])\n            B[k] = T.max(A[k], B[k])");
    EXPECT_EQ(outcome(twice, t), "accepted");
    EXPECT_THAT(after_, testing::HasSubstr("P[k, k] = T.max(A[k], P[k, k])"));
    const std::string init =
        "    for j in range(16):\n        B[j] = 0\n    for i in range(4):\n"
        "        for k in range(4):\n            with T.block(\"b\"):\n"
        "                vi, vk = T.axis.remap(\"SR\", [i, k])\n"
        "                with T.init():\n                    B[vi] = 0\n"
        "                B[vi] = T.max(B[vi], D[vi, vk])\n";
    EXPECT_EQ(outcome(init, t), "refused: the store at body/1/body/body/init does not accumulate");
}

// Trap: a check stops after part of the work: the sums are not in the buffer yet.
TEST_F(RelocatePartials, NothingStopsInBetween) {
    const std::string stops =
        rows("B[i] = T.max(B[i], D[i, k])\n            assert D[i, k] < 9, \"large\"");
    EXPECT_EQ(outcome(stops, four_by_sixteen()), "refused: the statement contains an assert");
    EXPECT_EQ(outcome_without("partial:stop-inside", stops, four_by_sixteen()), "accepted");
}

// Trap: another iteration works on cells that this one leaves alone, at the same time.
TEST_F(RelocatePartials, CellsAreOfOneIteration) {
    const std::string beside =
        "    for j in range(16):\n        B[j] = 0\n    for p in T.parallel(4):\n"
        "        for k in range(4):\n            B[p] = T.max(B[p], D[p, k])\n";
    PartialsText t = four_by_sixteen();
    t.at = "body/1/body";
    EXPECT_EQ(outcome(beside, t), "refused: other iterations of a concurrent loop have the same B");
    // Not where the loop is part of it: what share no cell share no partial result.
    t.at = "body/1";
    EXPECT_EQ(outcome(beside, t), "accepted");
    // A race with what reads a cell that the iteration at work has left alone.
    const std::string reads =
        "    for j in range(16):\n        B[j] = 0\n    for p in T.parallel(4):\n"
        "        for k in range(4):\n            B[p] = T.max(B[p], D[p, k])\n"
        "        A[p] = B[4 + (p + 1) % 4]\n";
    t = with({"4", "2"}, {"k", "0"}, {"p + 4 * d"});
    t.at = "body/1/body/0";
    t.writer.at["j"] = "p + 4 * d";
    EXPECT_EQ(outcome(reads, t), "refused: other iterations of a concurrent loop have the same B");
    EXPECT_EQ(outcome_without("partial:seen-beside", reads, t), "accepted");
}

// Trap: partial results that do not fit in memory; an index that calls each time.
TEST_F(RelocatePartials, ExtentsAreConstants) {
    PartialsText t = with({"n", "16"}, {"k", "x"});
    EXPECT_EQ(outcome(maxima(), t), "refused: the extents of P are no constants");
    const std::string calls = rows(
        "B[T.call_extern(\"int32\", \"g\", i) % 4] = "
        "T.max(B[T.call_extern(\"int32\", \"g\", i) % 4], D[i, k])");
    EXPECT_EQ(outcome(calls, four_by_sixteen()), "refused: an index makes an opaque call");
    t = four_by_sixteen();
    t.map = {"k"};
    EXPECT_EQ(outcome(maxima(), t), "refused: P has 2 dimensions");
    t = four_by_sixteen();
    t.vars = {};
    t.map = {"k", "i"};
    EXPECT_EQ(outcome(maxima(), t), "refused: B has 1 dimensions");
    t = four_by_sixteen();
    t.at = "body/0";
    t.map = {"0", "x"};
    EXPECT_EQ(outcome(maxima(), t), "refused: the store at body/0/body does not accumulate");
    t.at = "body/1/body/body/value";
    EXPECT_THAT(outcome(maxima(), t), testing::HasSubstr("refused: "));
}

}  // namespace
}  // namespace proviso::rewrite
