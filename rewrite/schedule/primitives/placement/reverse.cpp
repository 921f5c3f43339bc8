// reverse_compute_at, also of a stage that reads cells by digits of its loops, or by a sum of them:
//
//   for i in range(2048): C[i] = B[i // 32, i % 32] * 2
//
// No loop of it walks a dimension of B. So it is first walked in the order of B's cells
// (transform_block_layout): by the map of its iterators to what it reads, whose inverse is found.
#include <algorithm>

#include "analysis/memory/access.h"
#include "rewrite/passes/structure.h"
#include "rewrite/schedule/primitives/primitives.h"

namespace proviso::rewrite {

using namespace ir;
using namespace analysis;

namespace {

// Where the block reads what the loop's statement stores to: its iterators, with names of their
// own, and over them the cell, with the iterators that the cell does not depend on after it. Empty:
// it reads no such cell, several, or one of which each index is an iterator already.
std::pair<std::vector<Expr>, std::vector<Expr>> cell_read(Proposer& p, const Block& block,
                                                          const Site& producer) {
    Context& ctx = p.ctx();
    std::set<Buffer> stored;
    for (const Access& a : p.memory().all()) {
        if (a.is_store && producer.contains(a.statement)) stored.insert(a.buffer);
    }
    std::vector<Expr> cell;
    bool one = true;
    for_each_expr(block.body, [&](Expr e) {
        for_each_node(e, [&](Expr n) {
            if (n->op != Op::Load || stored.count(n->buffer) == 0) return;
            const std::vector<Expr> indices(n->args.begin(), n->args.end());
            one = one && (cell.empty() || cell == indices);
            cell = indices;
        });
    });
    std::erase_if(cell, [](Expr index) { return is_int_const(index); });
    const bool walks =
        std::all_of(cell.begin(), cell.end(), [](Expr index) { return index->op == Op::Var; });
    if (!one || walks) return {};
    Substitution own;
    std::vector<Expr> vars;
    for (const BlockIter& it : block.iters) {
        vars.push_back(ctx.var("x_" + *it.var->name, it.var->type));
        own[it.var] = vars.back();
        const bool named = std::any_of(cell.begin(), cell.end(),
                                       [&](Expr index) { return occurs_free(it.var, index); });
        if (!named) cell.push_back(it.var);
    }
    for (Expr& index : cell) {
        index = substitute(ctx, index, own);
        for (Expr v : free_vars(index)) {
            if (std::find(vars.begin(), vars.end(), v) == vars.end()) return {};
        }
    }
    return {vars, cell};
}

}  // namespace

Outcome Primitives::reverse_compute_at(const std::string& block, const std::string& loop,
                                       bool unit_loops) {
    Outcome first = place(block, loop, unit_loops, -1, true);
    const Refusal* no = std::get_if<Refusal>(&first);
    if (no == nullptr || no->rejection) return first;
    const std::optional<Site> at = p_.index().block(block);
    const std::optional<Site> producer = p_.index().loop(loop);
    if (!at || !producer) return first;
    const Block stage = *locate(p_.current(), *at)->stmt->as<Block>();
    const auto [vars, map] = cell_read(p_, stage, *producer);
    if (map.empty()) return first;
    const std::size_t start = p_.derivation().steps().size();
    Outcome walked = transform_block_layout(block, vars, map);
    if (std::holds_alternative<Names>(walked)) {
        simplify_expressions(p_, *p_.index().block(block));  // 32 * i + j over 32 is i
        walked = place(block, loop, unit_loops, -1, true);
    }
    if (std::holds_alternative<Names>(walked)) {
        note_ = "the loops of " + block + " walk what it reads; " + note_;
        return walked;
    }
    p_.derivation().roll_back(start);
    return first;
}

}  // namespace proviso::rewrite
