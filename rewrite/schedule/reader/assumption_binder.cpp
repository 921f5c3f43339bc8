#include "rewrite/schedule/reader/assumption_binder.h"

#include "analysis/facts/path.h"
#include "ir/text/reader/expressions/expr_binder.h"
#include "ir/text/reader/python/failure.h"

namespace proviso::rewrite {

using namespace ir;

Exported bind_assumption(Proposer& p, const python::Module& module, const python::Node& lambda,
                         const Site& site, const std::vector<Expr>& vars) {
    if (lambda.names.size() < vars.size()) {
        std::string loops;
        for (Expr v : vars) loops += (loops.empty() ? "" : ", ") + *v->name;
        fail(module.at(lambda,
                       "the lambda takes a parameter for each of the " +
                           std::to_string(vars.size()) + " loops",
                       "lambda " + loops + ": …"));
    }
    Context& ctx = p.ctx();
    Exported out;
    ir::Names names;
    const Scope scope = analysis::scope_at(ctx, p.current(), site);
    for (const auto& [name, var] : scope.vars) names.bind(name, NameEntry{var, nullptr});
    for (const auto& [name, b] : scope.buffers) names.bind(name, NameEntry{nullptr, b});
    for (std::size_t k = 0; k < lambda.names.size(); ++k) {
        if (k >= vars.size()) out.for_all.push_back(ctx.var(lambda.names[k], kInt32));
        names.bind(lambda.names[k],
                   NameEntry{k < vars.size() ? vars[k] : out.for_all.back(), nullptr});
    }
    ExprBinder binder(ctx, *module.source, names, false);
    out.condition = binder.bind_typed(lambda.items[0], kBool, "the assumption");
    return out;
}

}  // namespace proviso::rewrite
