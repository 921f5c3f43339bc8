// Loops whose iterations run in any interleaving: which ones there are not.
#include <gtest/gtest.h>

#include "ir/check.h"
#include "ir/text.h"
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
