#include "rewrite/simplify/forgetting.h"

#include <algorithm>

namespace proviso::rewrite {

using ir::Expr;
using ir::Op;

namespace {

void count(Expr e, IdMap<bool>& seen, std::size_t& memory) {
    if (e->op == Op::Undef) {
        if (seen.find(e) == nullptr) ++memory;
        seen.put(e, true);
        return;
    }
    if (e->args.empty() && e->op != Op::Load && e->op != Op::CallExtern) return;
    if (seen.find(e) != nullptr) return;
    seen.put(e, true);
    if (e->op == Op::Load || e->op == Op::CallExtern) ++memory;
    for (Expr a : e->args) count(a, seen, memory);
}

std::size_t memory_of(Expr e) {
    IdMap<bool> seen;
    std::size_t out = 0;
    count(e, seen, out);
    return out;
}

bool always_has_a_value(Surroundings& surroundings, FactSet& s, Expr e) {
    switch (e->op) {
        case Op::FloorDiv:
        case Op::FloorMod:
        case Op::TruncDiv:
        case Op::TruncMod: return surroundings.range(s, e->arg(1)).lo > 0;
        case Op::Shl:
        case Op::Shr: return surroundings.range(s, e->arg(1)).within(Range{0, e->type.bits - 1});
        case Op::Cast: return e->type.is_float() || !e->arg(0)->type.is_float();
        case Op::Load:
        case Op::CallExtern:
        case Op::Let:
        case Op::Math: return false;
        default: return true;
    }
}

bool observes_operands(Op op) {
    switch (op) {
        case Op::Add:
        case Op::Sub:
        case Op::Mul:
        case Op::Neg:
        case Op::Select:
        case Op::IfThenElse: return false;
        default: return true;
    }
}

bool observable(Surroundings& surroundings, FactSet& s, Expr e, IdMap<bool>& seen) {
    if (e->args.empty() || seen.find(e) != nullptr) return true;
    seen.put(e, true);
    // A load that stays was there before.
    if (e->op == Op::Load) return true;
    if (!always_has_a_value(surroundings, s, e)) return false;
    for (Expr a : e->args) {
        if (observes_operands(e->op) && a->type.is_exact_int() &&
            !surroundings.range(s, a).within(Range::of(a->type))) {
            return false;
        }
        if (!observable(surroundings, s, a, seen)) return false;
    }
    return true;
}

}  // namespace

bool forgets_memory(Expr before, Expr after) {
    return memory_of(after) < memory_of(before);
}

bool surely_observable(Surroundings& surroundings, FactSet& s, Expr e) {
    IdMap<bool> seen;
    return observable(surroundings, s, e, seen);
}

}  // namespace proviso::rewrite
