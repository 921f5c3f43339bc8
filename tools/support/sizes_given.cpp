#include "tools/support/sizes_given.h"

#include <algorithm>

#include "ir/text.h"

namespace proviso::tools {

using namespace ir;

namespace {

// factor * v + rest, of one variable v.
struct Linear {
    Int128 factor = 0;
    Int128 rest = 0;
};

// Beyond that, a product does not fit Int128.
bool is_small(Int128 n) {
    constexpr Int128 limit = Int128(1) << 62;
    return -limit <= n && n <= limit;
}

// nullopt: not linear, or a number in it is too large.
std::optional<Linear> linear(Expr e, Expr var, const Substitution& known) {
    if (e == var) return Linear{1, 0};
    if (is_int_const(e)) return Linear{0, e->int_value()};
    if (e->op == Op::Var) {
        const auto found = known.find(e);
        if (found == known.end() || !is_int_const(found->second)) return std::nullopt;
        return Linear{0, found->second->int_value()};
    }
    const bool widens = e->op == Op::Cast && e->type == kInt64 && e->arg(0)->type == kInt32;
    if (widens) return linear(e->arg(0), var, known);
    if (e->op != Op::Add && e->op != Op::Sub && e->op != Op::Mul) return std::nullopt;
    const auto a = linear(e->arg(0), var, known);
    const auto b = a ? linear(e->arg(1), var, known) : std::nullopt;
    if (!b) return std::nullopt;
    if (e->op == Op::Mul && a->factor != 0 && b->factor != 0) return std::nullopt;
    const auto small = [](const Linear& l) { return is_small(l.factor) && is_small(l.rest); };
    if (!small(*a) || !small(*b)) return std::nullopt;
    if (e->op == Op::Add) return Linear{a->factor + b->factor, a->rest + b->rest};
    if (e->op == Op::Sub) return Linear{a->factor - b->factor, a->rest - b->rest};
    return Linear{a->factor * b->rest + b->factor * a->rest, a->rest * b->rest};
}

// The one variable of the extent that is not known yet; null when there is none, or several.
Expr unknown_in(Expr extent, const Substitution& known) {
    Expr out = nullptr;
    for (Expr v : free_vars(extent)) {
        if (known.count(v) != 0) continue;
        if (out != nullptr) return nullptr;
        out = v;
    }
    return out;
}

}  // namespace

Result<Substitution> with_sizes_given(Context& ctx, const Function& f, const Inputs& inputs,
                                      Substitution sizes) {
    // What one extent tells may be what another one lacks.
    for (bool more = true; more;) {
        more = false;
        for (Buffer b : f.buffer_params()) {
            const auto found = inputs.find(b->name);
            if (found == inputs.end()) continue;
            const std::vector<std::int64_t>& shape = std::get<Tensor>(found->second).shape;
            for (std::size_t d = 0; d < std::min(b->rank(), shape.size()); ++d) {
                Expr var = unknown_in(b->shape[d], sizes);
                const auto l = var != nullptr ? linear(b->shape[d], var, sizes) : std::nullopt;
                if (!l || l->factor == 0 || !is_small(l->rest)) continue;
                const Int128 left = shape[d] - l->rest;
                const Int128 value = left / l->factor;
                if (left % l->factor != 0 || !var->type.contains(value)) {
                    return error("`" + b->name + "` has length " + std::to_string(shape[d]) +
                                     " in dimension " + std::to_string(d) + ", and no " +
                                     var->type.str() + " `" + *var->name + "` makes `" +
                                     print(b->shape[d]) + "` that length",
                                 "give a tensor of another length");
                }
                sizes[var] = ctx.int_imm(var->type, value);
                more = true;
            }
        }
    }
    return sizes;
}

}  // namespace proviso::tools
