// Networks as TVM prints them (bench/import_network.py): run, lowered with proof, audited.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/tools/commands.h"

namespace {

using proviso::tests::Commands;
using proviso::tests::Seen;
using testing::HasSubstr;

struct Networks : Commands {
    static std::string text(const std::string& name) {
        return std::string(PROVISO_SOURCE_DIR) + "/tests/data/tvmscript/networks/" + name + ".py";
    }
};

// The graph is what is taken: the files hold many functions.
TEST_F(Networks, RunAsTheInterpreterSays) {
    for (const char* name : {"lenet5", "mixer_block"}) {
        const Seen seen = run({"run", text(name), "--random", "--engine", "both", "-o", "written"});
        EXPECT_EQ(seen.code, 0) << name << seen.err;
        EXPECT_THAT(seen.out + seen.err, HasSubstr("equal, bit for bit")) << name;
    }
}

TEST_F(Networks, AreLoweredAndAudited) {
    const Seen lowered =
        run({"lower", text("shuffle_unit"), "-q", "--emit", "ir", "-o", "written", "--log", "log"});
    EXPECT_EQ(lowered.code, 0) << lowered.err;
    const Seen audited = run({"audit", "log", "--no-validation", "--no-solvers"});
    EXPECT_EQ(audited.code, 0) << audited.out << audited.err;
    EXPECT_THAT(audited.out, HasSubstr("VERIFIED"));
    EXPECT_THAT(audited.out, testing::Not(HasSubstr("NOT VERIFIED")));
}

TEST_F(Networks, ASecondGraphHasToBeNamed) {
    const std::string graph =
        "    @R.function\n    def NAME(x: R.Tensor((4,), dtype=\"int32\")):\n        return x\n";
    std::string both = "@I.ir_module\nclass Net:\n";
    for (const char* name : {"first", "second"}) {
        std::string one = graph;
        one.replace(one.find("NAME"), 4, name);
        both += one;
    }
    file("net.py", both);
    const Seen seen = run({"run", "net.py", "--random"});
    EXPECT_EQ(seen.code, 2);
    EXPECT_THAT(seen.err, HasSubstr("net.py holds several functions"));
    EXPECT_THAT(seen.err, HasSubstr("name one with --function: first, second"));
    EXPECT_EQ(run({"run", "net.py", "-f", "second", "--random"}).code, 0);
}

}  // namespace
