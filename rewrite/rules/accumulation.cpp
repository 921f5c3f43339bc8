#include "rewrite/rules/accumulation.h"

#include <algorithm>

#include "analysis/path.h"
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

}  // namespace

std::optional<Site> accumulated_load(const Function& f, const Site& statement) {
    const Result<Located> at = locate(f, statement);
    const Store* store = at && at->stmt != nullptr ? at->stmt->as<Store>() : nullptr;
    if (store == nullptr) return std::nullopt;
    const bool indirect = std::any_of(store->indices.begin(), store->indices.end(),
                                      [&](Expr i) { return reads(i, store->buffer); });
    if (indirect) return std::nullopt;
    Site site = statement.child("value");
    Expr e = store->value;
    while (e->op == Op::Add || e->op == Op::Sub) {
        if (e->op == Op::Add && is_cell(e->arg(1), *store)) {
            if (reads(e->arg(0), store->buffer)) return std::nullopt;
            return site.child("a1");
        }
        if (reads(e->arg(1), store->buffer)) return std::nullopt;
        e = e->arg(0);
        site = site.child("a0");
    }
    if (e == store->value || !is_cell(e, *store)) return std::nullopt;
    return site;
}

}  // namespace proviso::rewrite
