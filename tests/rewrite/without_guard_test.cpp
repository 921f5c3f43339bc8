// The texts that over-compute takes for a statement with less of its guard, and, for each check, a
// wrong one that this check alone refuses: a build without it would take it (ir/planted.h).
#include <gtest/gtest.h>

#include "analysis/facts/path.h"
#include "ir/check.h"
#include "ir/planted.h"
#include "ir/text.h"
#include "rewrite/rules/statement/drop_guard.h"
#include "rewrite/rules/statement/interleave.h"

namespace proviso::rewrite {
namespace {

using namespace ir;

Function program_of(Context& ctx, const std::string& body) {
    const Result<Function> f = parse_function(
        ctx, "@T.prim_func\ndef f(A: T.Buffer((16,), \"int32\"), n: T.int32, m: T.int32):\n" + body,
        "test");
    PROVISO_CHECK(f.ok(), f.error().str());
    return *f;
}

// "taken", with the sites of what was guarded; or why not. What is at `place` of the function with
// the new text takes the place of what is at `site`.
std::string outcome(const std::string& before, const std::string& after,
                    const std::string& site = "body", const std::string& place = "body") {
    Context ctx;
    const Function old = program_of(ctx, before);
    Stmt now = locate(program_of(ctx, after), *Site::parse(place))->stmt;
    const Result<GuardRemoved> out = without_guard(ctx, old, *Site::parse(site), now);
    if (!out) return out.error().message;
    std::string taken = "taken";
    for (const Site& scope : out->scopes) taken += " " + scope.str();
    return taken;
}

std::string outcome_without(const char* check, const std::string& before,
                            const std::string& after) {
    planted_fault() = check;
    const std::string out = outcome(before, after);
    planted_fault().clear();
    return out;
}

constexpr const char* kAnother = "the new text is not the statement with less of its guard";

TEST(WithoutGuard, TakesABranchWithFewerConditions) {
    const std::string body = "        A[0] = 1\n";
    const std::string both = "    if n < 4 and m < 4:\n" + body;
    EXPECT_EQ(outcome(both, "    A[0] = 1\n"), "taken body");
    EXPECT_EQ(outcome(both, "    if m < 4:\n" + body), "taken body");
    // Trap: another body, a condition that is not one of the parts, and what happens otherwise.
    EXPECT_EQ(outcome(both, "    A[0] = 2\n"), kAnother);
    EXPECT_EQ(outcome(both, "    if m < 4:\n        A[0] = 2\n"), kAnother);
    EXPECT_EQ(outcome(both, "    if n < 4:\n        A[0] = 1\n    else:\n        A[1] = 1\n"),
              kAnother);
    EXPECT_EQ(outcome(both + "    else:\n        A[1] = 1\n", "    A[0] = 1\n"), kAnother);
    EXPECT_EQ(outcome(both, "    if m < 5:\n" + body), kAnother);
    EXPECT_EQ(outcome(both, "    if n < 4 and m < 5:\n" + body), kAnother);
    EXPECT_EQ(outcome_without("drop-guard:another-text", both, "    A[0] = 2\n"), "taken body");
    EXPECT_EQ(outcome_without("drop-guard:another-condition", both, "    if m < 5:\n" + body),
              "taken body");
}

// What is a list goes into the list around.
TEST(WithoutGuard, NamesEachStatementThatWasGuarded) {
    const std::string list = "        A[0] = 1\n        A[1] = 1\n";
    const std::string bare = "    A[0] = 1\n    A[1] = 1\n";
    EXPECT_EQ(outcome("    if n < 4:\n" + list, bare), "taken body");
    EXPECT_EQ(outcome("    A[2] = 1\n    if n < 4:\n" + list, bare, "body/1"),
              "taken body/1 body/2");
    EXPECT_EQ(outcome("    A[2] = 1\n    if n < 4:\n        pass\n", "    pass\n", "body/1"),
              "taken");
    EXPECT_EQ(outcome("    A[2] = 1\n", "    A[2] = 1\n"), kAnother);
    EXPECT_EQ(outcome("    A[2] = 1\n", "    A[2] = 1\n", "body/value"), kAnother);
}

std::string block(const std::string& predicate, const std::string& domain,
                  const std::string& body = "A[v] = 1", const std::string& axis = "spatial") {
    return "    for i in range(16):\n        with T.block(\"b\"):\n" +
           (predicate.empty() ? "" : "            T.where(" + predicate + ")\n") +
           "            v = T.axis." + axis + "(" + domain + ", i)\n" +
           (axis == "reduce" ? "            with T.init():\n                A[0] = 0\n" : "") +
           "            " + body + "\n";
}

TEST(WithoutGuard, TakesABlockWithFewerConditionsAndOtherDomains) {
    const auto becomes = [](const std::string& before, const std::string& after) {
        return outcome(before, after, "body/body", "body/body");
    };
    const std::string old = block("i < n and m < 4", "4");
    EXPECT_EQ(becomes(old, block("", "4")), "taken body/body");
    EXPECT_EQ(becomes(old, block("i < n", "(-1, 16)")), "taken body/body");
    // Trap: another binding, body, kind of axis or statement.
    EXPECT_EQ(becomes(old, block("i < n + 1", "4")), kAnother);
    EXPECT_EQ(becomes(old, block("", "4", "A[v] = 2")), kAnother);
    EXPECT_EQ(becomes(old, block("", "4", "A[v] = 1", "opaque")), kAnother);
    EXPECT_EQ(becomes(old, "    for i in range(16):\n        A[i] = 1\n"), kAnother);
    EXPECT_EQ(becomes(old,
                      "    for i in range(16):\n        with T.block(\"b\"):\n"
                      "            v = T.axis.spatial(4, i - 1)\n            A[v] = 1\n"),
              kAnother);
    EXPECT_EQ(becomes(old,
                      "    for i in range(16):\n        with T.block(\"b\"):\n"
                      "            v = T.axis.spatial(4, i)\n"
                      "            w = T.axis.spatial(4, i)\n            A[v] = 1\n"),
              kAnother);
}

TEST(WithoutGuard, KeepsDomainsOutOfMemoryAndStartsOfReductions) {
    const auto becomes = [](const std::string& before, const std::string& after,
                            const char* fault) {
        planted_fault() = fault;
        const std::string out = outcome(before, after, "body/body", "body/body");
        planted_fault().clear();
        return out;
    };
    const std::string old = block("i < n", "4");
    EXPECT_EQ(becomes(old, block("", "A[0]"), ""), "a domain is not read from memory");
    EXPECT_EQ(becomes(old, block("", "A[0]"), "drop-guard:domain-in-memory"), "taken body/body");
    EXPECT_EQ(becomes(block("i < n", "A[0]"), block("", "A[0]"), ""), "taken body/body");
    const auto sum = [](const std::string& predicate, const std::string& domain) {
        return block(predicate, domain, "A[0] = A[0] + v", "reduce");
    };
    EXPECT_EQ(becomes(sum("i < n", "4"), sum("", "16"), ""), "taken body/body");
    EXPECT_EQ(becomes(sum("i < n", "4"), sum("", "(-1, 4)"), ""),
              "the initialisation runs at the start of v, which may not move");
    EXPECT_EQ(becomes(sum("i < n", "4"), sum("", "(-1, 4)"), "drop-guard:start-of-a-reduction"),
              "taken body/body");
}

// What is believed of lanes is what is believed of parallel iterations, whatever the rule asks.
TEST(Interleave, RefusesWhatItsIterationsDoInOrder) {
    const auto becomes = [](const std::string& body, ForKind kind, const std::string& axis = "") {
        Context ctx;
        const Function f = program_of(ctx, body);
        const Result<Proposal> out = interleave(ctx, f, Site{}, kind, axis);
        return out ? std::to_string(out->obligations.size()) + " owed" : out.error().message;
    };
    const std::string loop = "    for i in range(16):\n        ";
    for (const ForKind kind : {ForKind::Parallel, ForKind::Vectorized}) {
        EXPECT_EQ(becomes(loop + "A[i] = 1\n", kind), "1 owed");
        EXPECT_EQ(becomes(loop + "assert n < 4, \"small\"\n", kind), "loop i contains an assert");
        EXPECT_EQ(becomes(loop + "T.evaluate(T.call_extern(\"int32\", \"g\", i))\n", kind),
                  "loop i makes an opaque call");
        EXPECT_EQ(becomes("    A[0] = 1\n", kind), "no loop stands at body");
    }
    EXPECT_EQ(becomes("    for i in T.parallel(16):\n        A[i] = 1\n", ForKind::Vectorized),
              "loop i is not serial");
    EXPECT_EQ(becomes(loop + "A[i] = 1\n", ForKind::ThreadBinding, "threadIdx.x"), "1 owed");
    EXPECT_EQ(becomes(loop + "A[i] = 1\n", ForKind::ThreadBinding, "threadIdx.w"),
              "\"threadIdx.w\" is not the name of a thread index");
}

}  // namespace
}  // namespace proviso::rewrite
