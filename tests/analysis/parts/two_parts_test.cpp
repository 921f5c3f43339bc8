// Which statements depend on weights only.
#include "analysis/parts/two_parts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ir/text.h"

namespace {

using namespace proviso;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

struct Parts : testing::Test {
    // The program's parameters are x, w and y, of four floats each; T, U and V are allocated.
    Result<analysis::TwoParts> divide(const std::string& body, const std::string& params = "",
                                      const std::vector<std::string>& weights = {"w"}) {
        const std::string four = ": T.Buffer((4,), \"float32\")";
        std::string text =
            "@T.prim_func\ndef f(x" + four + ", w" + four + ", y" + four + params + "):\n";
        for (const char* name : {"T_", "U_", "V_"}) {
            text += std::string("    ") + name + " = T.alloc_buffer((4,), \"float32\")\n";
        }
        const Result<ir::Function> f = ir::parse_function(ctx_, text + body, "f.py");
        EXPECT_TRUE(f) << f.error().str();
        return analysis::two_parts(ctx_, *f, weights);
    }
    static std::string copy(const std::string& to, const std::string& from) {
        return "    for i in range(4):\n        " + to + "[i] = " + from + "\n";
    }
    static std::vector<std::string> names(const std::vector<ir::Buffer>& buffers) {
        std::vector<std::string> out;
        for (ir::Buffer b : buffers) out.push_back(b->name);
        return out;
    }
    static std::vector<std::string> params(const ir::Function& f) {
        std::vector<std::string> out;
        for (const ir::Param& p : f.params) out.push_back(ir::param_name(p));
        return out;
    }
    ir::Context ctx_;
};

TEST_F(Parts, AChainOfWhatDependsOnWeights) {
    const auto p = divide(copy("T_", "w[i] * w[i]") + copy("U_", "T_[i] + T.float32(1)") +
                          copy("V_", "x[i]") + copy("y", "V_[i] * U_[i]"));
    ASSERT_TRUE(p) << p.error().str();
    EXPECT_THAT(names(p->packed), ElementsAre("U_"));
    EXPECT_THAT(names(p->kept), ElementsAre("T_"));
    EXPECT_THAT(names(p->workspace), ElementsAre("V_"));
    EXPECT_THAT(params(p->prepare), ElementsAre("w", "U_"));
    EXPECT_THAT(params(p->run), ElementsAre("x", "y", "U_", "V_"));
}

// What is stored later, from an input, makes all of the buffer one of each run.
TEST_F(Parts, ABufferThatIsUpdated) {
    const auto p = divide(copy("T_", "w[i]") + copy("y", "T_[i]") + copy("T_", "x[i]") +
                          copy("y", "y[i] + T_[i]"));
    ASSERT_TRUE(p);
    EXPECT_THAT(names(p->packed), IsEmpty());
    EXPECT_THAT(params(p->run), ElementsAre("x", "w", "y", "T_"));
}

// Trap: the reader in between must see the first contents; a prepared buffer has the last ones.
TEST_F(Parts, ReadBeforeItIsStoredAgain) {
    const auto p = divide(copy("T_", "w[i]") + copy("y", "T_[i]") + copy("T_", "w[i] + w[i]") +
                          copy("y", "y[i] + T_[i]"));
    ASSERT_TRUE(p);
    EXPECT_THAT(names(p->packed), IsEmpty());
}

// Trap: nothing is stored to it, so it holds what the memory held; no part of prepare.
TEST_F(Parts, NeverStored) {
    const auto p = divide(copy("U_", "T_[i] + w[i]") + copy("y", "x[i] + U_[i]"));
    ASSERT_TRUE(p);
    EXPECT_THAT(names(p->packed), IsEmpty());
}

// Traps: an output, an input, or a scalar makes a statement one of each run.
TEST_F(Parts, WhatDependsOnMore) {
    auto p = divide(copy("y", "w[i]") + copy("T_", "w[i]") + copy("y", "y[i] + T_[i]"));
    ASSERT_TRUE(p);
    EXPECT_THAT(names(p->packed), ElementsAre("T_"));
    EXPECT_THAT(params(p->prepare), ElementsAre("w", "T_"));
    EXPECT_THAT(params(p->run), ElementsAre("x", "w", "y", "T_"));
    p = divide(copy("T_", "w[i] + x[0]") + copy("y", "T_[i]"));
    ASSERT_TRUE(p);
    EXPECT_THAT(names(p->packed), IsEmpty());
    p = divide(
        "    if n < 3:\n        for i in range(4):\n            T_[i] = w[i]\n" + copy("y", "x[i]"),
        ", n: T.int32");
    ASSERT_TRUE(p);
    EXPECT_THAT(names(p->packed), IsEmpty());
}

TEST_F(Parts, Refused) {
    auto p = divide(copy("y", "x[i]") + copy("w", "x[i]"));
    ASSERT_FALSE(p);
    EXPECT_THAT(p.error().message, HasSubstr("w is updated by f"));
    p = divide(copy("T_", "w[i]") + "    assert x[0] < T.float32(1), \"small\"\n" +
               copy("y", "T_[i]"));
    ASSERT_FALSE(p);
    EXPECT_THAT(p.error().message, HasSubstr("may stop"));
    p = divide(copy("T_", "T.call_extern(\"float32\", \"rand\")") + copy("y", "T_[i]"));
    ASSERT_FALSE(p);
    EXPECT_THAT(p.error().message, HasSubstr("calls what is outside"));
    p = divide(copy("y", "x[i]"), "", {"v"});
    ASSERT_FALSE(p);
    EXPECT_THAT(p.error().message, HasSubstr("no buffer parameter 'v'"));
    p = divide(
        "    for i in range(4):\n        with T.block(\"b\"):\n            v = "
        "T.axis.spatial(4, i)\n            y[v] = w[v]\n");
    ASSERT_FALSE(p);
    EXPECT_THAT(p.error().message, HasSubstr("has blocks"));
}

}  // namespace
