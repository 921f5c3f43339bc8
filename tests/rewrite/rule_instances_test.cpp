// Every rule on random instances: where its conditions hold and the left side does not fault, the
// right side gives the same. Terms are loads that may fault or be indeterminate, and in exact
// integers give values beyond their type's range. This is the evaluator's word, independent of the
// encoder and of the solvers.
#include <gtest/gtest.h>

#include <map>

#include "ir/children.h"
#include "ir/domains/evaluate.h"
#include "ir/text.h"
#include "rewrite/expression_rules/measure.h"
#include "rewrite/expression_rules/refused.h"
#include "tests/rewrite/rule_instances.h"

namespace proviso::rewrite {
namespace {

using ir::Expr;
using ir::Value;

struct Instance {
    Expr left = nullptr;
    Expr right = nullptr;
    std::vector<Expr> needs;
    std::map<std::string, ir::Evaluated> terms;
};

class Terms {
  public:
    Terms(ir::Context& ctx, std::uint64_t seed) : ctx_(ctx), maker_(ctx, seed), random_(seed) {}

    std::optional<Instance> make(const RuleInstance& rule, bool hostile) {
        const auto found = maker_.bindings(rule);
        if (!found) return std::nullopt;
        Bindings bindings = *found;
        Instance out;
        for (Expr& term : bindings.terms) {
            if (term == nullptr || term->op != ir::Op::Var) continue;
            const std::string name = *term->name;
            out.terms.emplace(name, value(term->type, hostile));
            term = ctx_.load(ctx_.buffer(name, term->type, {ctx_.i32(1)}), {ctx_.i32(0)});
        }
        out.left = build(ctx_, rule.left, bindings);
        out.right = build(ctx_, rule.right, bindings);
        const auto needs = build_needs(ctx_, rule, bindings);
        if (out.left == nullptr || out.right == nullptr || !needs) return std::nullopt;
        for (const Need& need : rule.needs) {
            // analysis::in_range trusts loads, which our terms are stand-ins for: check by hand.
            Expr e = build(ctx_, need.pattern, bindings);
            if (need.definite) e = ctx_.defined(e);
            out.needs.push_back(need.in_range && e->type.is_exact_int() ? ctx_.le(e, e) : e);
            if (need.in_range && !e->type.is_exact_int()) out.needs.pop_back();
        }
        return out;
    }

  private:
    ir::Evaluated value(ir::ScalarType type, bool hostile) {
        const auto dice = random_() % 40;
        if (hostile && dice == 0) return ir::FaultKind::OutOfBounds;
        if (hostile && dice == 1) return Value::indet();
        Value v = *ir::constant_value(test::interesting_constant(ctx_, type, random_));
        if (type.is_exact_int() && hostile && dice < 8) {
            v = Value::of_int(v.integer() * ir::Integer(3) + ir::Integer(type.max_value()));
        }
        return v;
    }

    ir::Context& ctx_;
    test::InstanceMaker maker_;
    std::mt19937_64 random_;
};

ir::Evaluation run(Expr e, const Instance& instance) {
    ir::Environment environment;
    environment.load = [&](Expr load, std::span<const Value>) {
        return instance.terms.at(load->buffer->name);
    };
    return ir::evaluate(e, environment);
}

bool needs_hold(const Instance& instance) {
    for (Expr need : instance.needs) {
        const ir::Evaluation e = run(need, instance);
        if (!e.ok() || e.value.is_indet() || !e.value.truth()) return false;
    }
    return true;
}

bool refines(const RuleInstance& rule, const ir::Evaluation& left, const ir::Evaluation& right) {
    if (!left.ok()) return true;
    if (!right.ok()) return false;
    if (left.value.is_indet() || left.value == right.value) return true;
    const bool zeros = rule.licensed("no_signed_zero") && left.value.is_float();
    return zeros && left.value.real() == right.value.real();
}

std::string described(const RuleInstance& rule, const Instance& instance) {
    std::string out = std::string(rule.rule->name) + ": " + ir::print(instance.left) + " → " +
                      ir::print(instance.right) + " with";
    for (const auto& [name, e] : instance.terms) {
        out += " " + name + " = " + (e.ok() ? e.value.str(rule.kind) : "a fault");
    }
    return out;
}

// Instances that met all conditions and whose left side did not fault.
int count_checked(ir::Context& ctx, const RuleInstance& rule, int tries, std::string& wrong) {
    Terms terms(ctx, 7);
    int checked = 0;
    for (int i = 0; i < tries && wrong.empty(); ++i) {
        const auto instance = terms.make(rule, i % 2 == 0);
        if (!instance || !needs_hold(*instance)) continue;
        const ir::Evaluation left = run(instance->left, *instance);
        checked += left.ok() ? 1 : 0;
        if (!refines(rule, left, run(instance->right, *instance)))
            wrong = described(rule, *instance);
    }
    return checked;
}

TEST(RuleInstances, TheSidesAgreeWhereTheConditionsHold) {
    int never = 0;
    for (const RuleInstance& rule : RuleBook::standard().instances()) {
        // Sums in another order round differently; their schema is about their terms.
        if (rule.licensed("reassociate")) continue;
        ir::Context ctx;
        std::string wrong;
        const int checked = count_checked(ctx, rule, 30, wrong);
        EXPECT_TRUE(wrong.empty()) << wrong;
        never += checked == 0 ? 1 : 0;
    }
    // Narrow conditions may be missed by chance; most must not be.
    EXPECT_LT(never, static_cast<int>(RuleBook::standard().instances().size() / 20));
}

// The check above has teeth: it finds most of the refused rules wrong by chance alone.
TEST(RuleInstances, TheSameCheckFindsWrongRules) {
    std::size_t found = 0;
    for (const RefusedRule& refused : refused_rules()) {
        ir::Context ctx;
        const auto rule = instantiate(ctx, refused.rule, *ir::ScalarType::parse(refused.kind));
        ASSERT_TRUE(rule.ok()) << rule.error().str();
        std::string wrong;
        count_checked(ctx, *rule, 3000, wrong);
        found += wrong.empty() ? 0 : 1;
    }
    EXPECT_GE(found, refused_rules().size() * 4 / 5);
}

TEST(Termination, EveryRuleIsDecreasing) {
    for (const RuleInstance& rule : RuleBook::standard().instances()) {
        EXPECT_TRUE(is_decreasing(rule))
            << rule.rule->name << " " << rule.kind.str() << ": " << rule_text(*rule.rule);
    }
}

// A term over the pattern variables, so that it can be measured.
class RandomTerms {
  public:
    RandomTerms(ir::Context& ctx, ir::ScalarType kind, std::uint64_t seed)
        : ctx_(ctx), kind_(kind), random_(seed) {}

    Expr number(int depth) {
        const auto dice = random_() % 12;
        if (depth == 0 || dice < 2) {
            if (dice % 2 == 0) return ctx_.var(slot_name(static_cast<int>(random_() % 4)), kind_);
            return ctx_.int_imm(kind_, static_cast<int>(random_() % 9));
        }
        if (dice == 2) return ctx_.neg(number(depth - 1));
        if (dice == 3) {
            return ctx_.if_then_else(truth(depth - 1), number(depth - 1), number(depth - 1));
        }
        static constexpr ir::Op ops[] = {ir::Op::Add,      ir::Op::Sub,      ir::Op::Mul,
                                         ir::Op::FloorDiv, ir::Op::FloorMod, ir::Op::TruncDiv,
                                         ir::Op::Min,      ir::Op::Max,      ir::Op::Add,
                                         ir::Op::BitAnd,   ir::Op::BitXor,   ir::Op::Shr};
        const ir::Op op = ops[random_() % std::size(ops)];
        Expr a = number(depth - 1);
        return ctx_.make(op, {a, number(depth - 1)});
    }

    Expr truth(int depth) {
        const auto dice = random_() % 8;
        if (depth == 0 || dice == 0) {
            return ctx_.var(slot_name(4 + static_cast<int>(random_() % 3)), ir::kBool);
        }
        if (dice == 1) return ctx_.not_(truth(depth - 1));
        static constexpr ir::Op ops[] = {ir::Op::And, ir::Op::Or, ir::Op::Lt,
                                         ir::Op::Le,  ir::Op::Eq, ir::Op::Ne};
        const ir::Op op = ops[random_() % std::size(ops)];
        const bool logic = op == ir::Op::And || op == ir::Op::Or;
        Expr a = logic ? truth(depth - 1) : number(depth - 1);
        return ctx_.make(op, {a, logic ? truth(depth - 1) : number(depth - 1)});
    }

  private:
    ir::Context& ctx_;
    ir::ScalarType kind_;
    std::mt19937_64 random_;
};

// What the simplifier does before it asks for rules: no operator has constants only. Which constant
// it is does not matter here.
Expr folded(ir::Context& ctx, Expr e) {
    return ir::rewrite_expr(ctx, e, [&](Expr n) {
        if (n->args.empty() || !ir::free_vars(n).empty()) return n;
        return n->type.is_bool() ? ctx.true_() : ctx.int_imm(n->type, 3);
    });
}

// One rewriting at the first place where a rule fits, its `needs` taken as given; null at the end.
Expr rewritten(ir::Context& ctx, Expr e, std::string& by) {
    Expr out = nullptr;
    RuleBook::standard().match(e, [&](const RuleInstance& r, const Bindings& b) {
        Expr after = build(ctx, r.right, b);
        if (after == nullptr || after == e) return false;
        out = after;
        by = r.rule->name;
        return true;
    });
    for (std::size_t i = 0; out == nullptr && i < e->args.size(); ++i) {
        Expr arg = rewritten(ctx, e->arg(i), by);
        if (arg == nullptr) continue;
        std::vector<Expr> args(e->args.begin(), e->args.end());
        args[i] = arg;
        out = ir::with_args(ctx, e, std::move(args));
    }
    return out;
}

// Where all `needs` hold, rewriting still ends: each step makes the whole term smaller.
TEST(Termination, GeneratedTermsGetSmallerAtEachStep) {
    int steps = 0;
    for (const ir::ScalarType kind : {ir::kInt32, ir::kUInt8, ir::kInt8}) {
        ir::Context ctx;
        RandomTerms terms(ctx, kind, 5);
        for (int i = 0; i < 400; ++i) {
            Expr e = folded(ctx, i % 2 == 0 ? terms.number(5) : terms.truth(5));
            std::string by;
            for (Expr next = rewritten(ctx, e, by); next != nullptr; next = rewritten(ctx, e, by)) {
                ASSERT_TRUE(is_decreasing(e, next))
                    << by << ": " << ir::print(e) << " → " << ir::print(next);
                e = folded(ctx, next);
                ++steps;
            }
        }
    }
    EXPECT_GT(steps, 3000);
}

TEST(Termination, AReversedRuleIsNot) {
    ir::Context ctx;
    for (const char* name :
         {"floordiv-split-multiple", "mul-sum", "add-same", "floormod-keep-rest"}) {
        RuleInstance rule = *RuleBook::standard().find(name, ir::kInt32);
        std::swap(rule.left, rule.right);
        EXPECT_FALSE(is_decreasing(rule)) << name;
    }
}

}  // namespace
}  // namespace proviso::rewrite
