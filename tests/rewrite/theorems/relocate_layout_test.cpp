// Layouts: wrong ones are refused.
#include "tests/rewrite/theorems/relocate.h"

namespace proviso::rewrite {
namespace {

using namespace ir;

class RelocateLayout : public Relocate {
  protected:
    std::string outcome(const std::string& before, const RelayoutText& t) {
        Context ctx;
        const Function f = parsed(ctx, before);
        ProposalReader reader(ctx);
        const Relayout r = reader.read(f, t);
        PROVISO_CHECK(reader.wrong().empty(), reader.wrong());
        return verdict(ctx, relayout(ctx, f, r));
    }

    std::string outcome_without(const std::string& check, const std::string& before,
                                const RelayoutText& t) {
        planted_fault() = check;
        const std::string out = outcome(before, t);
        planted_fault().clear();
        return out;
    }
    std::string outcome_unless_owed(const std::string& words, const std::string& before,
                                    const RelayoutText& t) {
        omit_ = words;
        const std::string out = outcome(before, t);
        omit_.clear();
        return out;
    }
};

TEST_F(RelocateLayout, ABijectionIsAccepted) {
    EXPECT_EQ(outcome(kReads, {}), "accepted");
    RelayoutText t;  // the buffer as it is, its cells elsewhere
    t.shape = {"16"};
    t.map = {"15 - x"};
    t.inverse = {"15 - p"};
    t.physical = {"p"};
    EXPECT_EQ(outcome(kReads, t), "accepted");
    t = {};
    t.shape = {"5", "4"};
    t.pad = "7";
    EXPECT_EQ(outcome(kReads, t), "accepted");
    EXPECT_THAT(after_, testing::HasSubstr("T.assume("));
    t.buffer = "B";
    t.boxes = {{{{"4", "5"}, {"0", "4"}}}};
    EXPECT_EQ(outcome(kReads, t), "accepted");
}

// Trap: cells that collide; a map that leaves the shape; one that divides by zero.
TEST_F(RelocateLayout, CellsHavePlacesOfTheirOwn) {
    RelayoutText t;
    t.map = {"x // 8", "x % 4"};
    EXPECT_THAT(outcome(kReads, t), testing::HasSubstr("unproved: the inverse takes each"));
    EXPECT_EQ(outcome_unless_owed("the inverse takes", kReads, t), "accepted");
    t = {};
    t.shape = {"3", "4"};
    EXPECT_THAT(outcome(kReads, t), testing::HasSubstr("unproved: the layout map stays within"));
    EXPECT_EQ(outcome_unless_owed("stays within", kReads, t), "accepted");
    t = {};
    t.map = {"x // 4 + 0 * (1 // n)", "x % 4"};
    EXPECT_EQ(outcome(kReads, t), "unproved: the layout map is computed without a fault");
    EXPECT_EQ(outcome_unless_owed("map is computed", kReads, t), "accepted");
}

// Trap: two indices that are one variable hide all cells but the diagonal.
TEST_F(RelocateLayout, IndicesAreVariablesOfTheirOwn) {
    const std::string square = "    for i, j in T.grid(4, 4):\n        B[i * 4 + j] = D[i, j]\n";
    RelayoutText t;
    t.buffer = "D";
    t.shape = {"16"};
    t.physical = {"p"};
    t.vars = {"x", "x"};
    t.map = {"x"};
    t.inverse = {"p", "p"};
    EXPECT_EQ(outcome(square, t),
              "refused: the indices of D are no variables of its extents' types");
    EXPECT_EQ(outcome_without("relocate:one-index-twice", square, t), "accepted");
}

// Trap: a place that depends on memory, on a loop, or on a name that is a parameter's.
TEST_F(RelocateLayout, TheRelationIsOverParametersAndItsIndices) {
    const std::string moves = "    B[0] = 0\n    for i in range(16):\n        B[i] = A[i] + i\n";
    RelayoutText t;
    t.map = {"x // 4 + B[0] - B[0]", "x % 4"};
    EXPECT_THAT(outcome(moves, t), testing::HasSubstr("is no function of the indices"));
    const std::string local =
        "    for i in range(1, 4):\n        w = T.alloc_buffer((T.min(i, 4),), \"int32\")\n"
        "        w[0] = A[i]\n        B[i] = w[0]\n";
    t = {};
    t.buffer = "w";
    t.shape = {"4"};
    t.map = {"x"};
    t.inverse = {"p"};
    t.physical = {"p"};
    EXPECT_EQ(outcome(local, t), "refused: 'T.min(i, 4)' speaks of i, which means nothing there");
    EXPECT_EQ(outcome_without("relocate:bound-inside", local, t), "accepted");
    t = {};
    t.vars = {"n"};
    t.map = {"n // 4", "n % 4"};
    EXPECT_EQ(outcome(kReads, t), "refused: index name 'n' is taken");
    EXPECT_EQ(outcome_without("relocate:name-of-a-parameter", kReads, t), "accepted");
    // Written down and read back, this name is a number.
    t = {};
    t.shape = {"16"};
    t.physical = {"p"};
    t.inverse = {"p"};
    t.vars = {"7"};
    t.map = {"0"};
    EXPECT_EQ(outcome(kReads, t), "refused: '7' is no name for an index");
}

// Trap: an extent that is negative, divides by zero, or whose limit is not one.
TEST_F(RelocateLayout, ThePhysicalBufferIsOne) {
    RelayoutText t;
    t.shape = {"4", "T.max(n, 4)"};
    EXPECT_EQ(outcome(kReads, t), "unproved: the physical extent T.max(n, 4) is at most 1000");
    EXPECT_EQ(outcome_unless_owed("is at most", kReads, t), "accepted");
    t.limits = {1000, Int128{1} << 60};
    EXPECT_EQ(outcome(kReads, t), "accepted");  // of 32 bits, and so small enough
    t.shape = {"T.max(n, 4)", "T.max(n, 4)"};
    t.limits = {Int128{1} << 60, Int128{1} << 60};
    EXPECT_EQ(outcome(kReads, t), "refused: the physical buffer may be larger than 2^47 bytes");
    t = {};
    t.shape = {"4", "4 + 0 * (1 // n)"};
    EXPECT_EQ(outcome(kReads, t), "unproved: the physical extent is computed without a fault");
}

// Trap: padding over data, padding that is missed, or written sometimes, or by what changes later.
TEST_F(RelocateLayout, PaddingIsWrittenOnceAndForAll) {
    RelayoutText t;
    t.buffer = "B";
    t.shape = {"5", "4"};
    t.pad = "7";
    t.boxes = {{{{"3", "5"}, {"0", "4"}}}};
    EXPECT_EQ(outcome(kReads, t),
              "unproved: box 0 of the padding is in bounds and holds nothing else");
    EXPECT_EQ(outcome_unless_owed("holds nothing else", kReads, t), "accepted");
    t.boxes = {{{{"4", "6"}, {"0", "4"}}}};
    EXPECT_EQ(outcome(kReads, t),
              "unproved: box 0 of the padding is in bounds and holds nothing else");
    t.boxes = {{{{"4", "5"}, {"0", "3"}}}};
    EXPECT_EQ(outcome(kReads, t), "unproved: all of the padding is written");
    EXPECT_EQ(outcome_unless_owed("all of the padding", kReads, t), "accepted");
    t.boxes = {{{{"4", "5 + 0 * (1 // n)"}, {"0", "4"}}}};
    EXPECT_EQ(outcome(kReads, t), "unproved: box 0 of the padding is computed without a fault");
    t.boxes = {{{{"4", "5"}}}};
    EXPECT_EQ(outcome(kReads, t), "refused: a box has other dimensions");
    t.boxes = {{{{"4", "5"}, {"0", "4"}}}};
    t.pad = "7 // n";
    EXPECT_EQ(outcome(kReads, t), "unproved: the padding value is computed without a fault");
    t.pad = "7";
    const std::string sometimes =
        "    if 0 < n:\n        for i in range(16):\n            B[i] = A[i]\n";
    t.after = "body/then";
    EXPECT_EQ(outcome(sometimes, t),
              "refused: padding written after body/then would not be written on every run");
    EXPECT_EQ(outcome_without("relocate:padding-sometimes", sometimes, t), "accepted");
}

// Trap: padding repeats what is no data, another buffer, or a cell that is stored to later.
TEST_F(RelocateLayout, PaddingRepeatsDataOfTheSameBuffer) {
    RelayoutText t;
    t.buffer = "B";
    t.shape = {"5", "4"};
    t.boxes = {{{{"4", "5"}, {"0", "4"}}}};
    t.pad = "B[q]";  // B as it was, of one dimension
    t.old_padding = true;
    EXPECT_EQ(outcome(kReads, t), "refused: padding repeats cells of its own buffer");
    t.buffer = "A";
    EXPECT_EQ(outcome(kReads, t), "refused: padding repeats cells of its own buffer");
}

}  // namespace
}  // namespace proviso::rewrite
