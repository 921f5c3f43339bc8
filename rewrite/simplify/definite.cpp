#include "rewrite/simplify/definite.h"

#include <algorithm>
#include <optional>
#include <vector>

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

}  // namespace

bool surely_definite(Expr e) {
    int nodes = 0;
    return definite(e, nodes);
}

// The next two keep their own stacks: sums may be thousands of terms deep.

int uses_of(Expr var, Expr e) {
    IdMap<int> seen;
    const auto known = [&](Expr n) -> std::optional<int> {
        if (n == var) return 1;
        if (n->args.empty()) return 0;
        const int* at = seen.find(n);
        return at != nullptr ? std::optional<int>(*at) : std::nullopt;
    };
    std::vector<Expr> open{e};
    while (!open.empty()) {
        Expr n = open.back();
        if (known(n)) {
            open.pop_back();
            continue;
        }
        const bool shadowed = n->op == Op::Let && n->name == var->name && n->var_type == var->type;
        const std::size_t count = shadowed ? 1 : n->args.size();
        const std::size_t depth = open.size();
        int sum = 0;
        for (std::size_t i = 0; i < count; ++i) {
            if (const auto part = known(n->arg(i)))
                sum += *part;
            else
                open.push_back(n->arg(i));
        }
        if (open.size() == depth) seen.put(n, std::min(sum, 2));
    }
    return *known(e);
}

bool makes_opaque_call(Expr e) {
    IdMap<bool> seen;
    std::vector<Expr> open{e};
    while (!open.empty()) {
        Expr n = open.back();
        open.pop_back();
        if (n->op == Op::CallExtern) return true;
        if (n->args.empty() || seen.find(n) != nullptr) continue;
        seen.put(n, true);
        open.insert(open.end(), n->args.begin(), n->args.end());
    }
    return false;
}

}  // namespace proviso::rewrite
