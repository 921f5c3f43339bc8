#include "verify/rule_library/rule_replay.h"

#include <map>

#include "ir/children.h"
#include "rewrite/expression_rules/pattern_build.h"

namespace proviso::verify {

using ir::Expr;
using ir::Value;

namespace {

// What a model says of one pattern variable; see rewrite/expression_rules/schema.h.
struct Term {
    Value value;
    bool faults = false;
    bool indeterminate = false;
    bool fits = false;
};

Value zero(ir::ScalarType type) {
    return type.is_float() ? Value::of_float(0.0) : Value::of_int(ir::Integer(0));
}

std::map<std::string, Term> terms_of(const std::vector<Expr>& variables,
                                     const std::vector<analysis::ModelValue>& model) {
    std::map<std::string, Term> out;
    for (Expr v : variables) {
        Term& term = out[*v->name];
        term.value = zero(v->type);
        for (const analysis::ModelValue& m : model) {
            const bool is_cell = m.expr != nullptr && m.expr->op == ir::Op::Load;
            if (is_cell) {
                const std::string& buffer = m.expr->buffer->name;
                const bool of_term = buffer == *v->name + "_cell";
                if (of_term && m.value == nullptr) term.indeterminate = true;
            } else if (m.name == *v->name) {
                term.value = m.value != nullptr
                                 ? *ir::constant_value(m.value)
                                 : Value::of_int(*ir::Integer::parse(m.out_of_range));
            } else if (m.value != nullptr && m.name == *v->name + "_at") {
                term.faults = m.value->int_value() != 0;
            } else if (m.value != nullptr && m.name == *v->name + "_fits") {
                term.fits = ir::is_true(m.value);
            }
        }
        // Computed of an indeterminate value: a fault.
        if (v->type.is_exact_int() && !term.fits && term.indeterminate) term.faults = true;
    }
    return out;
}

std::string in_words(Expr e, const ir::Evaluation& value) {
    if (value.fault) return std::string("a fault (") + ir::fault_name(value.fault->kind) + ")";
    return value.value.str(e->type);
}

}  // namespace

RuleReplay replay_rule(ir::Context& ctx, const rewrite::RuleInstance& rule,
                       const std::vector<analysis::ModelValue>& model) {
    const std::vector<Expr> variables = ir::free_vars(rule.left);
    const std::map<std::string, Term> terms = terms_of(variables, model);

    // Each variable is a load that faults, is indeterminate, or gives the model's value, of any
    // size: what a term can do.
    rewrite::Bindings bindings;
    for (Expr v : variables) {
        const auto slot = static_cast<std::size_t>(rewrite::slot_of(v));
        bindings.terms[slot] =
            rewrite::is_constant_slot(static_cast<int>(slot))
                ? ir::constant_expr(ctx, v->type, terms.at(*v->name).value)
                : ctx.load(ctx.buffer(*v->name, v->type, {ctx.i32(1)}), {ctx.i32(0)});
    }
    ir::Environment environment;
    environment.load = [&](Expr load, std::span<const Value>) -> ir::Evaluated {
        const Term& term = terms.at(load->buffer->name);
        if (term.faults) return ir::FaultKind::OutOfBounds;
        return term.indeterminate ? Value::indet() : term.value;
    };

    RuleReplay out;
    const auto needs = rewrite::build_needs(ctx, rule, bindings);
    Expr left = rewrite::build(ctx, rule.left, bindings);
    Expr right = rewrite::build(ctx, rule.right, bindings);
    if (!rewrite::where_holds(rule, bindings) || !needs || left == nullptr || right == nullptr) {
        return out;
    }
    out.applies = true;
    out.left = ir::evaluate(left, environment);
    out.right = ir::evaluate(right, environment);
    out.left_text = in_words(left, out.left);
    out.right_text = in_words(right, out.right);
    const bool refines =
        out.right.ok() && (out.left.value.is_indet() || out.left.value == out.right.value);
    out.differs = out.left.ok() && !refines;
    return out;
}

}  // namespace proviso::verify
