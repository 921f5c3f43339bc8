// The examples through schedule, passes and lowering: every step accepted by the kernel, no branch
// left.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "ir/text.h"
#include "rewrite/schedule/reader.h"

namespace proviso::rewrite {
namespace {

std::string read(const std::string& name) {
    std::ifstream in(std::string(PROVISO_SOURCE_DIR) + "/examples/" + name);
    std::stringstream out;
    out << in.rdbuf();
    return out.str();
}

bool has_branch(ir::Stmt s) {
    bool found = false;
    ir::for_each_stmt(s, [&](ir::Stmt t) {
        const ir::Block* b = t->as<ir::Block>();
        found |= t->is<ir::IfElse>() || (b != nullptr && !ir::is_true(b->predicate));
    });
    return found;
}

class Example : public testing::TestWithParam<const char*> {};

TEST_P(Example, LowersWithoutBranch) {
    ir::Context ctx;
    const std::string name = GetParam();
    const Result<ir::Function> f = ir::parse_function(ctx, read(name + ".py"), name + ".py");
    ASSERT_TRUE(f.ok()) << f.error().str();
    Result<Derivation> derivation = Derivation::start(ctx, *f);
    ASSERT_TRUE(derivation.ok()) << derivation.error().str();
    analysis::Prover prover(ctx, {});
    Proposer proposer(*derivation, prover);
    const auto report = run_schedule(proposer, read(name + ".sch.py"), name + ".sch.py");
    ASSERT_TRUE(report.ok()) << report.error().str();
    const std::string after = ir::print(derivation->current());
    ASSERT_FALSE(report->refusal) << report->refusal->diagnostic.str() << "\n" << after;
    lower(proposer);
    EXPECT_FALSE(has_branch(derivation->current().body)) << ir::print(derivation->current());
}

INSTANTIATE_TEST_SUITE_P(All, Example, testing::Values("scale", "row_sum", "conv1d"));

}  // namespace
}  // namespace proviso::rewrite
