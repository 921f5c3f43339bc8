#include "verify/harness/freedom.h"

#include <algorithm>

#include "ir/children.h"

namespace proviso::verify {

using namespace ir;

Freedom freedom_of(const Function& f) {
    const bool any_order = f.has_licence("reassociate");
    const bool any_zero = f.has_licence("no_signed_zero");
    Freedom out;
    bool decides = false;  // a float decides something else
    const auto look = [&](Expr e) {
        const bool call = e->op == Op::CallExtern;
        const bool adds = e->type.is_float() && (e->op == Op::Add || e->op == Op::Sub);
        const bool divides = e->type.is_float() && e->op == Op::Div;
        out.floats |= (any_order && adds) || (any_zero && (divides || call));
        const bool of_floats =
            std::any_of(e->args.begin(), e->args.end(), [](Expr a) { return a->type.is_float(); });
        decides |= of_floats && (call || !e->type.is_float());
    };
    for_each_expr(f.body, [&](Expr root) { for_each_node(root, look); });
    out.others = out.floats && decides;
    return out;
}

}  // namespace proviso::verify
