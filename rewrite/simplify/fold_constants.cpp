#include "rewrite/simplify/fold_constants.h"

#include <boost/container/small_vector.hpp>

#include "ir/domains/evaluate.h"

namespace proviso::rewrite {

using ir::Expr;
using ir::Op;

Expr fold_constants(ir::Context& ctx, Expr e) {
    for (Expr a : e->args) {
        if (!ir::is_const(a)) return nullptr;
    }
    switch (e->op) {
        case Op::Let:
        case Op::Load:
        case Op::CallExtern:
        case Op::Defined:
        case Op::Same: return nullptr;
        case Op::Math:
            // libm's value of the others need not be that of a back end.
            if (!ir::math_fn_info(e->math_fn()).exact) return nullptr;
            break;
        default: break;
    }
    boost::container::small_vector<ir::Value, 3> values;
    for (Expr a : e->args) values.push_back(*ir::constant_value(a));
    const ir::Evaluated out = ir::eval_op(*e, {values.data(), values.size()});
    if (!out.ok()) return nullptr;
    Expr after = ir::constant_expr(ctx, e->type, out.value);
    return after == e ? nullptr : after;
}

}  // namespace proviso::rewrite
