// The theorem of relocation under attack: right proposals are accepted, and each wrong one is
// refused by the check or the obligation that is there for it. Where a check refuses, a build
// without that check would accept (the faults of ir/planted.h).
#include "rewrite/rules/relocate/relocate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/path.h"
#include "analysis/prover.h"
#include "ir/planted.h"
#include "ir/text.h"
#include "ir/well_formed.h"

namespace proviso::rewrite {
namespace {

using namespace ir;

class Relocate : public testing::Test {
  protected:
    static std::string program(const std::string& body) {
        return "@T.prim_func\n"
               "def f(A: T.Buffer((16,), \"int32\"), B: T.Buffer((16,), \"int32\"), "
               "D: T.Buffer((4, 4), \"int32\"), n: T.int32):\n" +
               body;
    }

    static Function parsed(Context& ctx, const std::string& body) {
        const Result<Function> f = parse_function(ctx, program(body), "test");
        PROVISO_CHECK(f.ok(), f.error().str());
        return *f;
    }

    // "accepted"; "refused: MESSAGE"; "unproved: PURPOSE" of the first obligation that is open.
    std::string verdict(Context& ctx, const Result<Proposal>& proposal) {
        if (!proposal) return "refused: " + proposal.error().message;
        if (!well_formed(proposal->after).empty()) return "refused: not well-formed";
        after_ = print(proposal->after);
        owed_ = proposal->obligations.size();
        analysis::Prover prover(ctx, {});
        for (const analysis::Obligation& o : proposal->obligations) {
            if (!omit_.empty() && o.purpose.find(omit_) != std::string::npos) continue;
            if (prover.prove(o).verdict != analysis::Verdict::Proved)
                return "unproved: " + o.purpose;
        }
        return "accepted";
    }

    static std::vector<Expr> exprs(Context& ctx, const std::vector<std::string>& texts,
                                   const Scope& scope, ScalarType type = kInt32) {
        std::vector<Expr> out;
        for (const std::string& text : texts) {
            const Result<Expr> e = parse_expr(ctx, text, scope, type);
            PROVISO_CHECK(e.ok(), e.error().str());
            out.push_back(*e);
        }
        return out;
    }

    std::string after_;     // the function that was proposed last
    std::size_t owed_ = 0;  // by the last proposal
    std::string omit_;      // leaves out obligations with these words
};

// --- staging

struct WitnessText {
    std::string statement;
    std::map<std::string, std::string> at;
};

// A staging as text.
struct StagingText {
    std::string buffer = "A";
    std::vector<std::string> extents = {"16"};
    std::vector<std::string> map = {"x"};
    std::vector<std::string> inverse = {"c"};
    std::string guard = {};
    bool back = false;
    WitnessText writer = {};
    std::map<std::string, std::vector<WitnessText>> reads = {};
    std::string at = "body";
    std::vector<std::string> vars = {"x"};
    std::vector<std::string> loops = {"c"};
    std::string name = "C";
    bool keeps_claims = false;
    std::string block = {};
};

class RelocateStaging : public Relocate {
  protected:
    std::string outcome(const std::string& before, const StagingText& t) {
        Context ctx;
        const Function f = parsed(ctx, before);
        const Site site = *Site::parse(t.at);
        Scope scope = analysis::scope_at(ctx, f, site);
        Staging s;
        s.buffer = scope.buffers.at(t.buffer);
        s.copy = ctx.buffer(t.name, s.buffer->type, exprs(ctx, t.extents, scope), "local");
        Scope logical = scope;
        Scope physical = scope;
        for (const std::string& v : t.vars) {
            s.cells.vars.push_back(ctx.var(v, kInt32));
            logical.vars[v] = s.cells.vars.back();
        }
        for (const std::string& v : t.loops) {
            s.cells.physical_vars.push_back(ctx.var(v, kInt32));
            physical.vars[v] = s.cells.physical_vars.back();
        }
        for (const std::string& v : ghosts_) logical.vars[v] = ctx.var(v, kInt32);
        s.cells.map = exprs(ctx, t.map, logical);
        s.cells.inverse = exprs(ctx, t.inverse, physical);
        if (!t.guard.empty()) s.guard = exprs(ctx, {t.guard}, physical, kBool)[0];
        s.block = t.block;
        s.back = t.back;
        s.keeps_claims = t.keeps_claims;
        if (t.back) s.writer = witness(ctx, f, t.writer, physical);
        for (const auto& [load, witnesses] : t.reads) {
            const Site there = *Site::parse(load);
            for (const WitnessText& w : witnesses) {
                s.reads[there].push_back(witness(ctx, f, w, analysis::scope_at(ctx, f, there)));
            }
        }
        return verdict(ctx, stage(ctx, f, site, s));
    }

    std::string outcome_without(const std::string& check, const std::string& before,
                                const StagingText& t) {
        planted_fault() = check;
        const std::string out = outcome(before, t);
        planted_fault().clear();
        return out;
    }
    // As if the obligation were not stated.
    std::string outcome_unless_owed(const std::string& words, const std::string& before,
                                    const StagingText& t) {
        omit_ = words;
        const std::string out = outcome(before, t);
        omit_.clear();
        return out;
    }

    std::vector<std::string> ghosts_;  // names that the map may speak of

  private:
    static analysis::Witness witness(Context& ctx, const Function& f, const WitnessText& t,
                                     const Scope& scope) {
        analysis::Witness out{*Site::parse(t.statement), {}};
        for (Expr loop : analysis::point_at(ctx, f, out.statement).loops) {
            const auto found = t.at.find(*loop->name);
            if (found == t.at.end()) continue;
            out.at[loop] = exprs(ctx, {found->second}, scope)[0];
        }
        return out;
    }
};

const char* const kReads = "    for i in range(16):\n        B[i] = A[i]\n";

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
    EXPECT_EQ(outcome(race, t), "refused: A is written by the function, and the copy would race");
    EXPECT_EQ(outcome_without("relocate:racing-copy", race, t), "accepted");
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
              "refused: the guard of the copy is not over variables and constants only");
    EXPECT_EQ(outcome_without("relocate:guard-that-calls", kReads, t), "accepted");
}

// Trap: two dimensions that are told apart nowhere.
TEST_F(RelocateStaging, IndicesAreVariablesOfTheirOwn) {
    const std::string square = "    for i in range(4):\n        B[i] = D[i, i]\n";
    StagingText t{"D", {"4", "4"}, {"x", "x"}, {"c", "d"}};
    t.vars = {"x", "x"};
    t.loops = {"c", "d"};
    EXPECT_EQ(outcome(square, t), "refused: two indices of D are one");
    t.vars = {"x", "y"};
    t.loops = {"c", "c"};
    t.inverse = {"c", "c"};
    EXPECT_EQ(outcome(square, t), "refused: two indices of C are one");
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
    EXPECT_THAT(outcome(kReads, t), testing::HasSubstr("refused: not well-formed"));
    // The map speaks of a loop inside, which means another cell at each of its iterations.
    t.map = {"x + i"};
    t.guard = "c < 16";
    t.extents = {"32"};
    ghosts_ = {"i"};
    EXPECT_THAT(outcome(kReads, t), testing::HasSubstr("unproved: the tile covers"));
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

// --- a copy back

const char* const kWrites = "    for i in range(16):\n        B[i] = A[i]\n";

StagingText back() {
    StagingText t;
    t.buffer = "B";
    t.back = true;
    t.writer = {"body/body", {{"i", "c"}}};
    return t;
}

TEST_F(RelocateStaging, ACopyBackIsAccepted) {
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
TEST_F(RelocateStaging, WhatIsCopiedBackWasStored) {
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
TEST_F(RelocateStaging, WhatIsStoredIsCopiedBack) {
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
TEST_F(RelocateStaging, WhatIsReadWasStoredInside) {
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
TEST_F(RelocateStaging, NothingStopsBeforeTheCopyBack) {
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
}

// --- another layout

struct RelayoutText {
    std::string buffer = "A";
    std::vector<std::string> shape = {"4", "4"};
    std::vector<std::string> map = {"x // 4", "x % 4"};
    std::vector<std::string> inverse = {"p * 4 + q"};
    std::string pad = "none";
    std::vector<std::vector<std::pair<std::string, std::string>>> boxes = {};
    std::string after = "body";
    std::vector<std::string> vars = {"x"};
    std::vector<std::string> physical = {"p", "q"};
    std::vector<Int128> limits = {1000, 1000};
};

class RelocateLayout : public Relocate {
  protected:
    std::string outcome(const std::string& before, const RelayoutText& t) {
        Context ctx;
        const Function f = parsed(ctx, before);
        Scope scope;
        for (Expr v : f.scalar_params()) scope.vars[*v->name] = v;
        for (const std::string& v : ghosts_) scope.vars[v] = ctx.var(v, kInt32);
        Relayout r;
        r.buffer = f.find_buffer_param(t.buffer);
        for_each_stmt(f.body, [&](Stmt s) {
            const Allocate* n = s->as<Allocate>();
            if (n != nullptr && n->buffer->name == t.buffer) r.buffer = n->buffer;
        });
        r.shape = exprs(ctx, t.shape, scope);
        r.limits = t.limits;
        Scope logical = scope;
        Scope physical = scope;
        for (const std::string& v : t.vars) {
            r.layout.vars.push_back(ctx.var(v, kInt32));
            logical.vars[v] = r.layout.vars.back();
        }
        for (const std::string& v : t.physical) {
            r.layout.physical_vars.push_back(ctx.var(v, kInt32));
            physical.vars[v] = r.layout.physical_vars.back();
            r.names.push_back("w_" + v);
        }
        physical.buffers["B"] = f.find_buffer_param("B");
        logical.buffers["B"] = f.find_buffer_param("B");
        r.layout.map = exprs(ctx, t.map, logical);
        r.layout.inverse = exprs(ctx, t.inverse, physical);
        if (t.pad != "none") {
            r.layout.pad = exprs(ctx, {t.pad}, physical)[0];
            r.layout.pad_kind =
                r.layout.pad->op == Op::Load ? analysis::PadKind::Cell : analysis::PadKind::Value;
        }
        r.after = *Site::parse(t.after);
        for (const auto& ranges : t.boxes) {
            PadBox& box = r.boxes.emplace_back();
            for (const auto& [lo, hi] : ranges) {
                box.ranges.emplace_back(exprs(ctx, {lo}, scope)[0], exprs(ctx, {hi}, scope)[0]);
            }
        }
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

    std::vector<std::string> ghosts_;
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
    t.boxes = {{{"4", "5"}, {"0", "4"}}};
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
    EXPECT_EQ(outcome(square, t), "refused: two indices of D are one");
    EXPECT_EQ(outcome_without("relocate:one-index-twice", square, t), "accepted");
}

// Trap: a place that depends on memory, on a loop, or on a name that is a parameter's.
TEST_F(RelocateLayout, TheRelationIsOverParametersAndItsIndices) {
    const std::string moves = "    B[0] = 0\n    for i in range(16):\n        B[i] = A[i] + i\n";
    RelayoutText t;
    t.map = {"x // 4 + B[0] - B[0]", "x % 4"};
    EXPECT_THAT(outcome(moves, t), testing::HasSubstr("is no function of the indices"));
    const std::string local =
        "    for i in range(1, 4):\n        w = T.alloc_buffer((i,), \"int32\")\n"
        "        w[0] = A[i]\n        B[i] = w[0]\n";
    t = {};
    t.buffer = "w";
    EXPECT_EQ(outcome(local, t),
              "refused: the layout of w speaks of i, which is bound inside the "
              "function");
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
    t.map = {"x"};
    ghosts_ = {"x"};
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
    t.boxes = {{{"3", "5"}, {"0", "4"}}};
    EXPECT_EQ(outcome(kReads, t),
              "unproved: box 0 of the padding is in bounds and holds nothing else");
    EXPECT_EQ(outcome_unless_owed("holds nothing else", kReads, t), "accepted");
    t.boxes = {{{"4", "6"}, {"0", "4"}}};
    EXPECT_EQ(outcome(kReads, t),
              "unproved: box 0 of the padding is in bounds and holds nothing else");
    t.boxes = {{{"4", "5"}, {"0", "3"}}};
    EXPECT_EQ(outcome(kReads, t), "unproved: all of the padding is written");
    EXPECT_EQ(outcome_unless_owed("all of the padding", kReads, t), "accepted");
    t.boxes = {{{"4", "5 + 0 * (1 // n)"}, {"0", "4"}}};
    EXPECT_EQ(outcome(kReads, t), "unproved: box 0 of the padding is computed without a fault");
    t.boxes = {{{"4", "5"}}};
    EXPECT_EQ(outcome(kReads, t), "refused: a box has other dimensions");
    t.boxes = {{{"4", "5"}, {"0", "4"}}};
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
    t.boxes = {{{"4", "5"}, {"0", "4"}}};
    t.pad = "B[q]";  // B as it was, of one dimension
    EXPECT_EQ(outcome(kReads, t), "refused: padding repeats cells of its own buffer");
    t.buffer = "A";
    EXPECT_EQ(outcome(kReads, t), "refused: padding repeats cells of its own buffer");
}

}  // namespace
}  // namespace proviso::rewrite
