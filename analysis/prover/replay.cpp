#include "analysis/prover/replay.h"

#include <algorithm>

#include "analysis/facts/let_free.h"

namespace proviso::analysis {

using ir::Expr;
using ir::Op;
using ir::Value;
using Known = std::optional<Value>;

namespace {

// Comparisons, min and max of exact integers of any size: nothing is observed in a formula.
Known unobserved(Op op, const ir::Integer& x, const ir::Integer& y) {
    switch (op) {
        case Op::Eq:
        case Op::Same: return Value::of_bool(x == y);
        case Op::Ne: return Value::of_bool(!(x == y));
        case Op::Lt: return Value::of_bool(x < y);
        case Op::Le: return Value::of_bool(x <= y);
        case Op::Min: return Value::of_int(ir::min(x, y));
        case Op::Max: return Value::of_int(ir::max(x, y));
        default: return std::nullopt;
    }
}

}  // namespace

ModelReading::ModelReading(const std::vector<ModelValue>& model, Reading how)
    : model_(model), how_(how) {}

Known ModelReading::value(Expr e) {
    const auto found = memo_.find(e);
    if (found != memo_.end()) return found->second;
    Known out = compute(e);
    memo_.emplace(e, out);
    return out;
}

// An extent that the model does not tell may be as large as one likes.
bool ModelReading::is_outside(Expr load) {
    for (std::size_t d = 0; d < load->args.size(); ++d) {
        const Known index = value(load->arg(d));
        if (!index || index->is_indet()) continue;
        if (index->integer() < ir::Integer(0)) return true;
        const Known extent = value(load->buffer->shape[d]);
        if (extent && !extent->is_indet() && !(index->integer() < extent->integer())) return true;
    }
    return false;
}

const ModelValue* ModelReading::cell(Expr load) {
    if (how_ == Reading::Program && is_outside(load)) return nullptr;
    std::vector<Value> indices;
    for (Expr i : load->args) {
        const Known index = value(i);
        if (!index) return nullptr;
        indices.push_back(*index);
    }
    for (const ModelValue& m : model_) {
        if (m.expr == nullptr || m.expr->op != Op::Load || m.expr->buffer != load->buffer) continue;
        bool same = true;
        for (std::size_t d = 0; d < indices.size(); ++d) {
            same = same && *ir::constant_value(m.expr->arg(d)) == indices[d];
        }
        if (same) return &m;
    }
    return nullptr;
}

// And, Or and choices, as far as known arguments decide them.
Known ModelReading::connective(Expr e) {
    const bool in_order = how_ == Reading::Program;
    Known a = value(e->arg(0));
    if (e->op == Op::Select || e->op == Op::IfThenElse) {
        if (!a) return std::nullopt;
        const bool both = in_order && e->op == Op::Select;
        if (both && !value(e->arg(a->truth() ? 2 : 1))) return std::nullopt;
        return value(e->arg(a->truth() ? 1 : 2));
    }
    const bool decides = e->op == Op::Or;
    if (a && a->truth() == decides) return a;
    if (!a && in_order) return std::nullopt;
    Known b = value(e->arg(1));
    if (b && b->truth() == decides) return b;
    return a && b ? a : std::nullopt;
}

Known ModelReading::compute(Expr e) {
    switch (e->op) {
        case Op::Var: {
            const auto at = std::find_if(model_.begin(), model_.end(),
                                         [&](const ModelValue& m) { return m.expr == e; });
            if (at == model_.end()) return std::nullopt;
            if (at->value != nullptr) return ir::constant_value(at->value);
            const auto unobserved_value = ir::Integer::parse(at->out_of_range);
            return unobserved_value ? Known(Value::of_int(*unobserved_value)) : std::nullopt;
        }
        case Op::Load: {
            const ModelValue* m = cell(e);
            return m == nullptr || m->value == nullptr ? std::nullopt
                                                       : ir::constant_value(m->value);
        }
        case Op::Defined: {
            const ModelValue* m = cell(e->arg(0));
            if (m == nullptr || m->value != nullptr) return std::nullopt;
            return Value::of_bool(false);
        }
        case Op::And:
        case Op::Or:
        case Op::Select:
        case Op::IfThenElse: return connective(e);
        case Op::Let:
        case Op::Undef:
        case Op::CallExtern: return std::nullopt;
        case Op::Math:
            if (!math_fn_info(e->math_fn()).exact) return std::nullopt;
            break;
        default: break;
    }
    std::vector<Value> args;
    for (Expr a : e->args) {
        Known v = value(a);
        if (!v) return std::nullopt;
        args.push_back(std::move(*v));
    }
    if (args.size() == 2 && e->arg(0)->type.is_exact_int()) {
        const Known out = unobserved(e->op, args[0].integer(), args[1].integer());
        if (out) return out;
    }
    const ir::Evaluated out = ir::eval_op(*e, args);
    if (!out.ok() || out.value.is_indet()) return std::nullopt;
    return out.value;
}

Expr ModelReading::open_in(Expr e) {
    if (value(e)) return nullptr;
    if (e->op == Op::IfThenElse) {  // the other arm is not evaluated
        const Known chooses = value(e->arg(0));
        if (chooses) return open_in(e->arg(chooses->truth() ? 1 : 2));
    }
    for (Expr a : e->args) {
        if (Expr inner = open_in(a)) return inner;
    }
    return e;
}

Replay replay(ir::Context& ctx, const Obligation& obligation, const std::vector<ModelValue>& model,
              Reading how) {
    ModelReading reading(model, how);
    Replay out;
    out.said = Replayed::Refutes;
    const auto read = [&](Expr claim, bool wanted) {
        const Expr plain = let_free(ctx, claim);
        const Known v = reading.value(plain);
        if (v && v->truth() != wanted) out.said = Replayed::Contradicts;
        if (v || out.said == Replayed::Contradicts) return;
        out.said = Replayed::Open;
        if (out.open != nullptr) return;
        out.open = reading.open_in(plain);
        out.outside = out.open->op == Op::Load && reading.is_outside(out.open);
    };
    read(obligation.goal, false);
    for (Expr f : obligation.facts) read(f, true);
    return out;
}

bool contradicts_itself(ir::Context& ctx, const Obligation& obligation,
                        const std::vector<ModelValue>& model) {
    return replay(ctx, obligation, model).said == Replayed::Contradicts;
}

}  // namespace proviso::analysis
