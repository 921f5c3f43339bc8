// The rule tables as data: every entry reads for every kind that it claims, names are unique, and
// every rule is found by the matcher on its own left side.
#include "rewrite/expression_rules/rule_book.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <set>

#include "analysis/facts/formula.h"
#include "ir/children.h"
#include "ir/text.h"
#include "tests/rewrite/rule_instances.h"

namespace proviso::rewrite {
namespace {

using ir::Expr;

TEST(RuleTables, EveryEntryReadsForEveryKind) {
    ir::Context ctx;
    for (const ExpressionRule& rule : expression_rules()) {
        EXPECT_FALSE(rule.kinds.types().empty()) << rule.name;
        for (ir::ScalarType kind : rule.kinds.types()) {
            const auto read = instantiate(ctx, rule, kind);
            EXPECT_TRUE(read.ok()) << rule.name << "\n" << (read.ok() ? "" : read.error().str());
        }
    }
}

TEST(RuleTables, NamesAreUniqueAndFound) {
    std::set<std::string_view> names;
    for (const ExpressionRule& rule : expression_rules()) {
        EXPECT_TRUE(names.insert(rule.name).second) << rule.name;
        EXPECT_EQ(find_expression_rule(rule.name), &rule);
        EXPECT_FALSE(rule.family.empty());
    }
    EXPECT_EQ(find_expression_rule("no-such-rule"), nullptr);
}

TEST(RuleTables, NoTwoRulesHaveTheSameText) {
    std::set<std::string> texts;
    for (const ExpressionRule& rule : expression_rules()) {
        EXPECT_TRUE(texts.insert(rule_text(rule) + rule.kinds.str()).second) << rule.name;
    }
}

TEST(RuleTables, EnoughOfThem) {
    EXPECT_GE(expression_rules().size(), 900U);
}

TEST(RuleTables, AWrongTextIsADiagnosticNotACrash) {
    ir::Context ctx;
    const ExpressionRule bad_text{"bad", kExact, "x + ", "x"};
    const ExpressionRule bad_types{"bad", kExact, "x + 0", "x < 0"};
    const ExpressionRule bad_variable{"bad", kExact, "x + 0", "y"};
    const ExpressionRule bad_where{"bad", kExact, "x + c0", "x", "x == c0"};
    const ExpressionRule bad_needs{"bad", kExact, "x + c0", "x", "", "0 < y"};
    const ExpressionRule bad_left{"bad", kExact, "x + (c0 + c1)", "x"};
    for (const ExpressionRule& rule :
         {bad_left, bad_text, bad_types, bad_variable, bad_where, bad_needs}) {
        EXPECT_FALSE(instantiate(ctx, rule, ir::kInt32).ok()) << rule_text(rule);
    }
}

TEST(Kinds, GroupsAreNamed) {
    EXPECT_EQ(kAll.str(), "all");
    EXPECT_EQ(kInts.str(), "integers");
    EXPECT_EQ((kExact | kWrapUInt8).str(), "exact, uint8");
    EXPECT_EQ((kInts | kBoolean).str(), "integers, bool");
    EXPECT_TRUE(kSigned.contains(ir::kInt8));
    EXPECT_FALSE(kSigned.contains(ir::kUInt8));
}

// A rule whose left side, with fresh variables for its terms, the matcher gives back.
TEST(Matcher, EveryRuleMatchesItsOwnLeftSide) {
    ir::Context ctx;
    test::InstanceMaker maker(ctx, 1);
    for (const RuleInstance& rule : RuleBook::standard().instances()) {
        const auto bindings = maker.bindings(rule);
        ASSERT_TRUE(bindings.has_value()) << rule.rule->name << " " << rule.kind.str();
        const Expr left = build_left(ctx, rule, *bindings);
        bool found = false;
        RuleBook::standard().match(left, [&](const RuleInstance& r, const Bindings&) {
            found |= &r == &rule;
            return found;
        });
        EXPECT_TRUE(found) << rule.rule->name << " on " << ir::print(left);
    }
}

std::set<std::string> names_matching(Expr e) {
    std::set<std::string> out;
    RuleBook::standard().match(e, [&](const RuleInstance& r, const Bindings&) {
        out.insert(std::string(r.rule->name));
        return false;
    });
    return out;
}

TEST(Matcher, CommutesWhereTheOperatorDoes) {
    ir::Context ctx;
    Expr x = ctx.var("a", ir::kInt32);
    Expr f = ctx.var("f", ir::kFloat32);
    EXPECT_TRUE(names_matching(ctx.add(ctx.i32(0), x)).count("add-zero"));
    EXPECT_TRUE(
        names_matching(ctx.mul(ctx.float_imm(ir::kFloat32, 1.0), f)).count("float-mul-one"));
    // max(-inf, NaN) is -inf, so this one must not be tried the other way round.
    Expr least = ctx.float_imm(ir::kFloat32, -std::numeric_limits<double>::infinity());
    EXPECT_TRUE(names_matching(ctx.max(f, least)).count("float-max-least"));
    EXPECT_FALSE(names_matching(ctx.max(least, f)).count("float-max-least"));
}

TEST(Matcher, KeepsKindsApart) {
    ir::Context ctx;
    const auto multiple = [&](ir::ScalarType t) {
        return ctx.floordiv(ctx.mul(ctx.var("a", t), ctx.int_imm(t, 8)), ctx.int_imm(t, 4));
    };
    EXPECT_TRUE(names_matching(multiple(ir::kInt32)).count("floordiv-of-multiple"));
    EXPECT_TRUE(names_matching(multiple(ir::kInt64)).count("floordiv-of-multiple"));
    // 8 bits wrap: (a * 8) // 4 is not a * 2.
    EXPECT_FALSE(names_matching(multiple(ir::kUInt8)).count("floordiv-of-multiple"));
    Expr f = ctx.var("f", ir::kFloat32);
    EXPECT_FALSE(names_matching(ctx.sub(f, f)).count("sub-self"));
    EXPECT_FALSE(names_matching(ctx.eq(f, f)).count("eq-self"));
    EXPECT_FALSE(names_matching(ctx.add(f, ctx.float_imm(ir::kFloat32, 0.0))).count("add-zero"));
}

// Constants of 64 bits are computed aside from the operators' table: with the same result.
TEST(Patterns, ConstantsAgreeWithTheOperators) {
    ir::Context ctx;
    std::mt19937_64 random(3);
    int compared = 0;
    for (const RuleInstance& rule : RuleBook::standard().instances()) {
        if (!rule.kind.is_int()) continue;
        std::vector<Expr> patterns;
        const auto collect = [&patterns](Expr root) {
            ir::for_each_node(root, [&](Expr e) {
                if (!e->args.empty() && is_constant_pattern(e)) patterns.push_back(e);
            });
        };
        if (rule.where != nullptr) collect(rule.where);
        collect(rule.right);
        for (int i = 0; i < 6 && !patterns.empty(); ++i) {
            Bindings bindings;
            for (int slot = kTermSlots; slot < kSlots; ++slot) {
                bindings.terms[static_cast<std::size_t>(slot)] =
                    test::interesting_constant(ctx, rule.kind, random);
            }
            if (rule.where != nullptr) {
                const ir::Evaluated slow = constant_under(rule.where, bindings);
                EXPECT_EQ(where_holds(rule, bindings), slow.ok() && slow.value.truth())
                    << rule.rule->name << " " << rule.kind.str();
            }
            for (Expr p : patterns) {
                const ir::Evaluated slow = constant_under(p, bindings);
                Expr expected = slow.ok() ? ir::constant_expr(ctx, p->type, slow.value) : nullptr;
                EXPECT_EQ(build(ctx, p, bindings), expected)
                    << rule.rule->name << " " << rule.kind.str() << ": " << ir::print(p);
                ++compared;
            }
        }
    }
    EXPECT_GT(compared, 1000);
}

TEST(Matcher, RepeatedVariablesAndWhere) {
    ir::Context ctx;
    Expr a = ctx.var("a", ir::kInt32);
    Expr b = ctx.var("b", ir::kInt32);
    EXPECT_TRUE(names_matching(ctx.sub(a, a)).count("sub-self"));
    EXPECT_FALSE(names_matching(ctx.sub(a, b)).count("sub-self"));
    Expr six = ctx.floordiv(ctx.mul(a, ctx.i32(6)), ctx.i32(4));
    EXPECT_FALSE(names_matching(six).count("floordiv-of-multiple"));
}

}  // namespace
}  // namespace proviso::rewrite
