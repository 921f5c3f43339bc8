// Instances of the expression rules, evaluated on both sides.
#include <fmt/format.h>

#include "fuzz/oracle/expressions.h"
#include "ir/domains/evaluate.h"
#include "ir/text.h"
#include "rewrite/expression_rules/pattern_build.h"
#include "rewrite/expression_rules/rule_book.h"

namespace proviso::fuzz {

using namespace ir;
using rewrite::Bindings;
using rewrite::RuleInstance;

namespace {

class RuleCheck {
  public:
    RuleCheck(Context& ctx, Choice& choice, const RuleInstance& rule)
        : ctx_(ctx), choice_(choice), rule_(rule) {}

    std::optional<Finding> run(ExpressionCounts& counts) {
        bind();
        if (!rewrite::where_holds(rule_, bindings_)) return std::nullopt;
        Expr left = rewrite::build(ctx_, rule_.left, bindings_);
        Expr right = rewrite::build(ctx_, rule_.right, bindings_);
        const auto needs = rewrite::build_needs(ctx_, rule_, bindings_);
        if (left == nullptr || right == nullptr || !needs) return std::nullopt;
        for (Expr n : *needs) {
            const Evaluation held = evaluate(n, env_);
            if (!held.ok() || held.value.is_indet() || !held.value.truth()) return std::nullopt;
        }
        const Evaluation before = evaluate(left, env_);
        if (!before.ok()) return std::nullopt;
        ++counts.checked;
        const Evaluation after = evaluate(right, env_);
        const bool same = after.ok() && (before.value.is_indet() || after.value == before.value);
        if (same || (after.ok() && licensed(before.value, after.value))) return std::nullopt;
        const std::string got = after.ok() ? after.value.str(right->type) : after.fault->str();
        return Finding{"rules",
                       std::string(rule_.rule->name),
                       fmt::format("{} is {}, but {} is {} where {}", print(left),
                                   before.value.str(left->type), print(right), got, values_),
                       {},
                       {}};
    }

  private:
    // What the rule's licences allow to differ. Sums of other roundings cannot be told from wrong
    // ones by their values.
    bool licensed(const Value& before, const Value& after) const {
        const std::string_view licences = rule_.rule->licences;
        if (licences.find("reassociate") != std::string_view::npos) return true;
        const bool zeros =
            before.is_float() && after.is_float() && before.real() == 0 && after.real() == 0;
        return zeros && licences.find("no_signed_zero") != std::string_view::npos;
    }

    void bind() {
        for_each_node(rule_.left, [&](Expr n) {
            if (n->op != Op::Var) return;
            const auto slot = static_cast<std::size_t>(rewrite::slot_of(n));
            if (bindings_.terms[slot] != nullptr) return;
            bindings_.terms[slot] =
                rewrite::is_constant_slot(static_cast<int>(slot)) ? constant(n) : term(n);
        });
    }

    Value value(ScalarType type) {
        CellRange range{-9, 9};
        if (type.is_int() && choice_.chance(25)) range = {type.min_value(), type.max_value()};
        return random_value(type, range, InputStyle::Adversarial, choice_);
    }

    Expr constant(Expr pattern) {
        for (;;) {
            Expr c = constant_expr(ctx_, pattern->type, value(pattern->type));
            if (c != nullptr) return c;
        }
    }

    Expr variable(const std::string& name, ScalarType type) {
        Expr v = ctx_.var(name, type);
        const Value x = value(type);
        env_.vars[v] = x;
        values_ += fmt::format("{}{} = {}", values_.empty() ? "" : ", ", name, x.str(type));
        return v;
    }

    // A variable; in exact integers now and then a product, whose value may be out of range.
    Expr term(Expr pattern) {
        Expr v = variable(*pattern->name, pattern->type);
        if (!pattern->type.is_exact_int() || !choice_.chance(20)) return v;
        return ctx_.mul(v, variable(*pattern->name + "_2", pattern->type));
    }

    Context& ctx_;
    Choice& choice_;
    const RuleInstance& rule_;
    Bindings bindings_;
    Environment env_;
    std::string values_;
};

}  // namespace

std::optional<Finding> check_rules(Choice& choice, ExpressionCounts& counts) {
    Context ctx;
    const auto& instances = rewrite::RuleBook::standard().instances();
    const RuleInstance& rule = instances[choice.next() % instances.size()];
    return RuleCheck(ctx, choice, rule).run(counts);
}

}  // namespace proviso::fuzz
