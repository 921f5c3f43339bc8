#include "rewrite/simplify/definite.h"

#include <algorithm>

#include "rewrite/simplify/id_map.h"

namespace proviso::rewrite {

using ir::Expr;
using ir::Op;

namespace {

bool definite(Expr e, int& nodes) {
    constexpr int most_nodes = 300;
    if (++nodes > most_nodes) return false;
    switch (e->op) {
        case Op::Load:
        case Op::Undef:
        case Op::CallExtern:
        case Op::Let:
        case Op::Defined: return false;
        default: break;
    }
    return std::all_of(e->args.begin(), e->args.end(),
                       [&nodes](Expr a) { return definite(a, nodes); });
}

int uses(Expr var, Expr e, IdMap<int>& seen) {
    if (e == var) return 1;
    if (e->args.empty()) return 0;
    if (const int* known = seen.find(e)) return *known;
    int out = uses(var, e->arg(0), seen);
    const bool shadowed = e->op == Op::Let && e->name == var->name && e->var_type == var->type;
    for (std::size_t i = 1; i < e->args.size() && out < 2 && !shadowed; ++i) {
        out += uses(var, e->arg(i), seen);
    }
    out = std::min(out, 2);
    seen.put(e, out);
    return out;
}

bool calls(Expr e, IdMap<bool>& seen) {
    if (e->op == Op::CallExtern) return true;
    if (e->args.empty()) return false;
    if (const bool* known = seen.find(e)) return *known;
    const bool out =
        std::any_of(e->args.begin(), e->args.end(), [&seen](Expr a) { return calls(a, seen); });
    seen.put(e, out);
    return out;
}

}  // namespace

bool surely_definite(Expr e) {
    int nodes = 0;
    return definite(e, nodes);
}

int uses_of(Expr var, Expr e) {
    IdMap<int> seen;
    return uses(var, e, seen);
}

bool makes_opaque_call(Expr e) {
    IdMap<bool> seen;
    return calls(e, seen);
}

}  // namespace proviso::rewrite
