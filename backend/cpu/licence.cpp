#include "backend/cpu/licence.h"

#include <algorithm>

#include "ir/children.h"

namespace proviso::backend {

using namespace ir;

bool may_contract(const Function& f) {
    if (!f.has_licence("contract")) return false;
    bool decides = false;
    for_each_expr(f.body, [&](Expr root) {
        for_each_node(root, [&](Expr e) {
            const bool of_floats = std::any_of(e->args.begin(), e->args.end(),
                                               [](Expr a) { return a->type.is_float(); });
            decides |= of_floats && (e->op == Op::CallExtern || !e->type.is_float());
        });
    });
    return !decides;
}

unsigned wanted_vector_bits(const Function& f) {
    constexpr unsigned widest = 512;
    bool wants = false;
    for_each_stmt(f.body, [&](Stmt s) {
        const auto* loop = s->as<For>();
        if (loop == nullptr || loop->kind != ForKind::Vectorized) return;
        if (!is_int_const(loop->lo) || !is_int_const(loop->hi)) return;
        const Int128 lanes = loop->hi->int_value() - loop->lo->int_value();
        for_each_stmt(loop->body, [&](Stmt inside) {
            const auto* store = inside->as<Store>();
            if (store == nullptr || lanes <= 0) return;
            wants |= lanes * store->buffer->type.bytes() * 8 % widest == 0;
        });
    });
    return wants ? widest : 0;
}

}  // namespace proviso::backend
