// What the kernel makes of every rule's answer, whatever the rule is.
#include "rewrite/kernel/apply.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "ir/text.h"

namespace proviso::rewrite {
namespace {

using namespace ir;

// Gives the program back, and owes what it is told.
class Owes final : public Rule {
  public:
    explicit Owes(analysis::Obligation o) : obligation_(std::move(o)) {}
    std::string name() const override { return "fuse"; }  // which reads "name"
    std::string summary() const override { return "for tests"; }
    Result<Proposal> propose(Context&, const Function& before, const Site&,
                             const nlohmann::json& args) const override {
        return args.at("name").get<bool>() ? Result<Proposal>(Proposal{before, {obligation_}, {}})
                                           : error("not fine");
    }

  private:
    analysis::Obligation obligation_;
};

class Propose : public testing::Test {
  protected:
    Result<Proposal> step(std::vector<Expr> facts, Expr goal,
                          const char* args = R"({"name": true})") {
        const Owes rule(analysis::Obligation{{.words = "a claim"}, std::move(facts), goal});
        const Function f{"f", {}, {}, ctx.pass()};
        return propose_step(rule, ctx, f, Site{}, nlohmann::json::parse(args));
    }
    Context ctx;
    Expr n = ctx.var("n", kInt32);
    Expr call = ctx.lt(ctx.i32(0), ctx.call_extern(kInt32, "ping", {n}));
    Expr plain = ctx.lt(n, ctx.i32(3));
};

// Two calls with the same arguments may give two results: together with its negation a fact about
// one would prove anything.
TEST_F(Propose, FactsThatSpeakOfACallAreLeftOut) {
    const Result<Proposal> out = step({call, plain, ctx.not_(call)}, plain);
    ASSERT_TRUE(out.ok()) << out.error().str();
    EXPECT_EQ(out->obligations.at(0).facts, std::vector<Expr>{plain});
    EXPECT_EQ(out->obligations.at(0).goal, plain);
}

TEST_F(Propose, AGoalThatSpeaksOfACallIsRefused) {
    const Result<Proposal> out = step({plain}, ctx.or_(plain, call));
    ASSERT_FALSE(out.ok());
    EXPECT_NE(out.error().message.find("opaque call"), std::string::npos) << out.error().str();
}

TEST_F(Propose, ArgumentsOfAnotherFormAreARefusal) {
    for (const char* args : {"{}", "[]", "3", R"({"name": "yes"})"}) {
        EXPECT_FALSE(step({}, plain, args).ok()) << args;
    }
}

// Whatever a log's step says beyond what the rule reads would be said and not checked.
TEST_F(Propose, ArgumentsThatAreNotReadAreARefusal) {
    const Result<Proposal> out = step({}, plain, R"({"name": true, "zzz": 1})");
    ASSERT_FALSE(out.ok());
    EXPECT_EQ(out.error().message, "argument 'zzz' is not read");
    EXPECT_EQ(out.error().hint, "there are: name");
    EXPECT_FALSE(step({}, plain, R"({"name": true, "": 1})").ok());
    EXPECT_FALSE(step({}, plain, R"({"name": true, "a b": 1})").ok());
}

TEST_F(Propose, MembersWithinArgumentsAreReadAsWell) {
    const auto refused = [&](const char* rule, const char* args) {
        const Result<Function> f = parse_function(ctx, R"(
@T.prim_func
def f(A: T.Buffer((8,), "int32"), n: T.int32):
    for i in range(8):
        if i < n:
            A[i] = A[i] + 0
)",
                                                  "f.py");
        const Result<Proposal> out = propose_step(
            *find_rule(rule), ctx, *f, *Site::parse("body/body"), nlohmann::json::parse(args));
        return out ? std::string() : out.error().message;
    };
    EXPECT_EQ(refused("drop-guard", R"({"stores": {"body/body": {"mode": "unreachable"}}})"), "");
    EXPECT_EQ(
        refused("drop-guard", R"({"stores": {"body/body": {"mode": "unreachable", "zzz": 1}}})"),
        "argument 'zzz' is not read");
    EXPECT_EQ(refused("drop-guard", R"({"stores": {"body/body": {"mode": "unreachable"},
                                                   "body": {"mode": "same"}}})"),
              "argument 'body' is not read");
    EXPECT_EQ(refused("drop-guard", R"({"stores": {"body/body": {"mode": "dead", "writers":
                          [{"statement": "body/body", "at": {"i": "i", "k": "i"}}]}}})"),
              "argument 'k' is not read");
    EXPECT_EQ(refused("drop-guard", R"({"stores": {"body/body": {"mode": "unreachable"}},
                          "claims": [{"kind": "binding", "statement": "body", "at": {}}]})"),
              "argument 'at' is not read");
}

}  // namespace
}  // namespace proviso::rewrite
