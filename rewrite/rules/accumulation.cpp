#include "rewrite/rules/accumulation.h"

#include <algorithm>

#include "analysis/facts/path.h"
#include "ir/stmt.h"

namespace proviso::rewrite {

using namespace ir;

namespace {

bool reads(Expr e, Buffer b) {
    bool found = false;
    for_each_node(e, [&](Expr n) { found = found || (n->op == Op::Load && n->buffer == b); });
    return found;
}

bool is_cell(Expr e, const Store& store) {
    return e->op == Op::Load && e->buffer == store.buffer &&
           std::equal(e->args.begin(), e->args.end(), store.indices.begin(), store.indices.end());
}

// The operator that a store combines terms by; none: another one.
std::optional<Op> combining(Op op) {
    if (op == Op::Sub) return Op::Add;
    for (Op by : {Op::Add, Op::Min, Op::Max, Op::BitAnd, Op::BitOr, Op::BitXor, Op::And, Op::Or}) {
        if (op == by) return op;
    }
    return std::nullopt;
}

}  // namespace

bool is_free_of_order(Op by, ScalarType type) {
    return by == Op::Add ? type.is_wrapping_int() : !type.is_float();
}

std::optional<Accumulation> accumulation_at(const Function& f, const Site& statement) {
    const Result<Located> at = locate(f, statement);
    const Store* store = at && at->stmt != nullptr ? at->stmt->as<Store>() : nullptr;
    if (store == nullptr) return std::nullopt;
    const bool indirect = std::any_of(store->indices.begin(), store->indices.end(),
                                      [&](Expr i) { return reads(i, store->buffer); });
    if (indirect) return std::nullopt;
    const std::optional<Op> by = combining(store->value->op);
    if (!by) return std::nullopt;
    const bool lazy = *by == Op::And || *by == Op::Or;
    Site site = statement.child("value");
    Expr e = store->value;
    while (combining(e->op) == by) {
        if (e->op != Op::Sub && is_cell(e->arg(1), *store)) {
            if (reads(e->arg(0), store->buffer)) return std::nullopt;
            return Accumulation{site.child("a1"), *by};
        }
        if (lazy || reads(e->arg(1), store->buffer)) return std::nullopt;
        e = e->arg(0);
        site = site.child("a0");
    }
    if (!is_cell(e, *store)) return std::nullopt;
    return Accumulation{std::move(site), *by};
}

}  // namespace proviso::rewrite
