#include "fuzz/gen/steps/witness.h"

#include <map>
#include <nlohmann/json.hpp>

#include "analysis/facts/path.h"
#include "ir/text.h"

namespace proviso::fuzz {

using namespace ir;

namespace {

// Solves `map` = `cell` for the loop variables in it: i, i + c, i * c + j.
void solve(Context& ctx, Expr map, Expr cell, std::map<Expr, Expr>& solution) {
    if (map->type != cell->type) return;
    if (map->op == Op::Var) {
        solution.emplace(map, cell);
        return;
    }
    const bool sum = map->op == Op::Add || map->op == Op::Sub;
    if (!sum) return;
    Expr left = map->arg(0);
    Expr right = map->arg(1);
    if (left->op == Op::Mul && is_int_const(left->arg(1)) && left->arg(1)->int_value() > 0) {
        solve(ctx, left->arg(0), ctx.floordiv(cell, left->arg(1)), solution);
        solve(ctx, right, ctx.floormod(cell, left->arg(1)), solution);
    } else if (is_const(right)) {
        Expr moved = map->op == Op::Add ? ctx.sub(cell, right) : ctx.add(cell, right);
        solve(ctx, left, moved, solution);
    }
}

}  // namespace

std::vector<Site> stores_of(const Function& f, Buffer buffer) {
    std::vector<Site> out;
    for (const auto& [site, s] : all_statements(f)) {
        const Store* store = s->as<Store>();
        if (store != nullptr && store->buffer == buffer) out.push_back(site);
    }
    return out;
}

nlohmann::json guess_witness(Context& ctx, const Function& f, const Site& writer,
                             const std::vector<Expr>& indices, Choice& choice) {
    const analysis::Path path = analysis::path_to(f, writer);
    Substitution iterators;
    std::vector<const For*> loops;
    for (const analysis::PathStep& step : path.steps) {
        if (step.stmt == nullptr) continue;
        if (const For* loop = step.stmt->as<For>()) loops.push_back(loop);
        if (const Block* block = step.stmt->as<Block>()) {
            for (const BlockIter& it : block->iters) {
                iterators[it.var] = substitute(ctx, it.binding, iterators);
            }
        }
    }
    const Store& store = *path.target.stmt->as<Store>();
    std::map<Expr, Expr> solution;
    for (std::size_t d = 0; d < store.indices.size() && d < indices.size(); ++d) {
        solve(ctx, substitute(ctx, store.indices[d], iterators), indices[d], solution);
    }
    nlohmann::json at = nlohmann::json::object();
    for (const For* loop : loops) {
        const auto found = solution.find(loop->var);
        Expr value = loop->var;
        if (found != solution.end()) {
            value = found->second;
        } else if (choice.chance(40)) {
            value = loop->lo;
        } else if (choice.chance(50)) {
            value = ctx.sub(loop->hi, ctx.int_imm(loop->hi->type, 1));
        }
        if (choice.chance(4)) value = ctx.add(value, ctx.int_imm(value->type, 1));
        at[*loop->var->name] = print(value);
    }
    return {{"statement", writer.str()}, {"at", at}};
}

}  // namespace proviso::fuzz
