// The theorem of rescheduling under attack: right proposals are accepted, and each wrong one is
// refused by the check or the obligation that is there for it. Where a check refuses, a build
// without that check would accept (the faults of ir/planted.h).
#include "rewrite/rules/reschedule/reschedule.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "analysis/path.h"
#include "analysis/prover.h"
#include "ir/planted.h"
#include "ir/text.h"
#include "ir/well_formed.h"

namespace proviso::rewrite {
namespace {

using namespace ir;

// A part as text: sites below that of the step, values by the names of loop variables.
struct PartText {
    std::string now, origin;
    std::map<std::string, std::string> from, to;
    std::string when = {}, where = {};
};

class Reschedule : public testing::Test {
  protected:
    // "accepted"; "refused: MESSAGE"; "unproved: PURPOSE" of the first obligation that is open.
    std::string outcome(const std::string& before, const std::string& after,
                        const std::vector<PartText>& parts,
                        const std::set<std::pair<std::size_t, std::size_t>>& apart = {},
                        const std::string& at = "body",
                        const std::vector<std::string>& dropped = {}) {
        Context ctx;
        const Function old = parsed(ctx, before);
        const Function now = parsed(ctx, after);
        const Site site = *Site::parse(at);
        const Site text = text_at_.empty() ? site : *Site::parse(text_at_);
        Rescheduling r;
        r.count = count_;
        r.after = locate(now, text)->stmt;
        r.apart = apart;
        for (const std::string& origin : dropped) r.dropped.push_back(*Site::parse(origin));
        if (!unseen_.empty()) r.unseen = unseen_.dump();
        for (const PartText& p : parts) r.parts.push_back(part(ctx, old, now, site, text, p));
        const Result<Proposal> proposal = reschedule(ctx, old, site, r);
        if (!proposal) return "refused: " + proposal.error().message;
        if (!well_formed(proposal->after).empty()) return "refused: not well-formed";
        after_ = print(proposal->after);
        analysis::Prover prover(ctx, {});
        for (const analysis::Obligation& o : proposal->obligations) {
            if (prover.prove(o).verdict != analysis::Verdict::Proved)
                return "unproved: " + o.purpose;
        }
        return "accepted";
    }

    // The same in a build that lacks the check.
    std::string outcome_without(const char* check, const std::string& before,
                                const std::string& after, const std::vector<PartText>& parts,
                                const std::set<std::pair<std::size_t, std::size_t>>& apart = {},
                                const std::string& at = "body") {
        planted_fault() = check;
        const std::string out = outcome(before, after, parts, apart, at);
        planted_fault().clear();
        return out;
    }

    // What the next proposals have: the place of the new text in `after`, statements of a list, and
    // names that are in no scope.
    std::string text_at_;
    std::size_t count_ = 1;
    nlohmann::json unseen_ = nlohmann::json::object();
    std::vector<std::string> ghosts_;
    std::string after_;  // the function that was proposed last

    // The obligation about a store, and what reads the buffer.
    static std::string changes(const std::string& store) {
        return "nothing stores to what a bound or guard reads (" + store + ")";
    }

    static std::string program(const std::string& body) {
        return "@T.prim_func\n"
               "def f(A: T.Buffer((16,), \"int32\"), B: T.Buffer((16,), \"int32\"), n: T.int32, "
               "m: T.int32):\n" +
               body;
    }

  private:
    static Function parsed(Context& ctx, const std::string& text) {
        const Result<Function> f = parse_function(ctx, program(text), "test");
        PROVISO_CHECK(f.ok(), f.error().str());
        return *f;
    }

    static Site below(const Site& site, const std::string& path) {
        Site out = site;
        const Site more = *Site::parse(path);
        out.steps.insert(out.steps.end(), more.steps.begin(), more.steps.end());
        return out;
    }

    static Substitution values(Context& ctx, const Scope& over,
                               const std::map<std::string, std::string>& text) {
        Substitution out;
        for (const auto& [name, value] : text) {
            const Result<Expr> e = parse_expr(ctx, value, over);
            PROVISO_CHECK(e.ok(), e.error().str());
            out[ctx.var(name, kInt32)] = *e;
        }
        return out;
    }

    Scope scope(Context& ctx, const Function& f, const Site& site, const std::string& path) const {
        const Site at = below(site, path);
        Scope out = analysis::scope_at(ctx, f, locate(f, at) ? at : site);
        for (const std::string& name : ghosts_) out.vars[name] = ctx.var(name, kInt32);
        return out;
    }

    Part part(Context& ctx, const Function& old, const Function& now, const Site& site,
              const Site& text, const PartText& p) const {
        const Scope here = scope(ctx, now, text, p.now);
        const Scope there = scope(ctx, old, site, p.origin);
        Part out{*Site::parse(p.now), *Site::parse(p.origin), values(ctx, here, p.from),
                 values(ctx, there, p.to), nullptr};
        if (!p.when.empty()) {
            const Result<Expr> when = parse_expr(ctx, p.when, there);
            PROVISO_CHECK(when.ok(), when.error().str());
            out.when = *when;
        }
        if (!p.where.empty()) {
            const Result<Expr> where = parse_expr(ctx, p.where, here);
            PROVISO_CHECK(where.ok(), where.error().str());
            out.where = *where;
        }
        return out;
    }
};

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

TEST_F(Reschedule, APartIsItsOrigin) {
    const std::string before = "    for i in range(4):\n        A[i] = 1\n";
    const std::string after = "    for i in range(4):\n        A[i] = 2\n";
    const std::vector<PartText> parts = {{"body/body", "body/body", {{"i", "i"}}, {{"i", "i"}}}};
    EXPECT_EQ(outcome(before, after, parts).substr(0, 8), "refused:");
    EXPECT_EQ(outcome_without("reschedule:another-text", before, after, parts), "accepted");
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
