#include "rewrite/simplify/definite.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "rewrite/simplify/id_map.h"

namespace proviso::rewrite {

using ir::Expr;
using ir::Op;

bool surely_definite(Expr e) {
    return ir::is_plain_term(e);  // `Defined` speaks of a load
}

// Keeps its own stack: sums may be thousands of terms deep.
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
    return (e->within & ir::kCallWithin) != 0;
}

}  // namespace proviso::rewrite
