// Expressions that stand alone: arguments of steps, batch input, rules.
#include "ir/text.h"
#include "ir/text/expr_binder.h"

namespace proviso::ir {

Result<Expr> parse_expr(Context& ctx, std::string_view text, const Scope& scope,
                        std::optional<ScalarType> expected, const std::string& file) {
    const auto parsed = python::parse_python_expression(text, file);
    if (!parsed) return parsed.error();
    return guarded([&]() -> Expr {
        Names names;
        bind_scope(names, scope);
        ExprBinder binder(ctx, *parsed->source, names, true);
        if (expected) return binder.bind_typed(parsed->node, *expected, "this expression");
        return binder.bind(parsed->node);
    });
}

}  // namespace proviso::ir
