// Primitives about where a block's data lives, made of those that copy a buffer and those that give
// one another layout.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "analysis/facts/path.h"
#include "analysis/memory/access.h"
#include "ir/buffer_scope.h"
#include "ir/text.h"
#include "ir/well_formed.h"
#include "rewrite/schedule/fresh_buffer.h"
#include "rewrite/schedule/primitives/primitives.h"
#include "rewrite/schedule/reader/interpreter/unused.h"

namespace proviso::rewrite {

using namespace ir;

Outcome Primitives::set_scope(const std::string& block, Buffer buffer, const std::string& scope) {
    if (buffer->scope == scope || (scope == "global" && buffer->scope.empty())) return Names{};
    std::optional<Site> at;
    for (const auto& [site, stmt] : all_statements(p_.current())) {
        const Allocate* n = stmt->as<Allocate>();
        if (n != nullptr && n->buffer == buffer) at = site;
    }
    if (!at) {
        return refuse(buffer->name + " is a parameter: its memory is the caller's",
                      "sch.cache_read and sch.cache_write make a copy in another scope");
    }
    const std::size_t start = p_.derivation().steps().size();
    reserved_.clear();
    std::vector<Expr> cell;
    nlohmann::json args =
        whole_copy(buffer, buffer->name + "_" + scope_as_name(scope), scope, cell);
    const std::string copy = args["block"].get<std::string>();
    const std::string name = args["name"].get<std::string>();
    const Outcome through = write_through(std::move(args), buffer, cell, at->child("body"),
                                          "the scope of " + buffer->name);
    if (const Refusal* no = std::get_if<Refusal>(&through)) return *no;
    remove_no_op(p_, copy);  // nothing reads what is copied back
    drop_allocation(p_, buffer);
    bool there = p_.index().block(copy).has_value();
    for (const auto& [site, stmt] : all_statements(p_.current())) {
        const Allocate* n = stmt->as<Allocate>();
        there = there || (n != nullptr && n->buffer == buffer);
    }
    if (there) {
        p_.derivation().roll_back(start);
        return refuse("what block " + block + " stores to " + buffer->name +
                      " cannot be taken out of its memory");
    }
    note_ = buffer->name + " is " + name + " now";
    return Names{};
}

namespace {

// What the block's iterators are in an access, where the indices are different iterators each:
// `lambda vi, vj: (vj, vi)` of `A[vi, vj]` over A's dimensions. Null: they are not.
std::optional<std::vector<Expr>> over_dimensions(Context& ctx, const Block& block, Buffer buffer,
                                                 bool store, const std::vector<Expr>& vars,
                                                 const std::vector<Expr>& map,
                                                 const std::vector<Expr>& dimensions) {
    std::vector<Expr> indices;
    bool one = true;
    const auto take = [&](const std::vector<Expr>& found) {
        if (indices.empty()) indices = found;
        one = one && indices == found;
    };
    for_each_stmt(block.body, [&](Stmt s) {
        const Store* n = s->as<Store>();
        if (store && n != nullptr && n->buffer == buffer) take(n->indices);
    });
    if (!store) {
        for_each_expr(block.body, [&](Expr e) {
            for_each_node(e, [&](Expr n) {
                if (n->op == Op::Load && n->buffer == buffer) {
                    take({n->args.begin(), n->args.end()});
                }
            });
        });
    }
    if (!one || indices.size() != buffer->rank() || vars.size() != block.iters.size()) {
        return std::nullopt;
    }
    Substitution by;
    for (std::size_t k = 0; k < vars.size(); ++k) {
        for (std::size_t d = 0; d < indices.size(); ++d) {
            if (indices[d] != block.iters[k].var) continue;
            if (by.count(vars[k]) != 0 || vars[k]->type != dimensions[d]->type) return std::nullopt;
            by[vars[k]] = dimensions[d];
        }
    }
    if (by.size() != indices.size()) return std::nullopt;
    std::vector<Expr> out;
    for (Expr e : map) {
        Expr over = substitute(ctx, e, by);
        for (Expr v : free_vars(over)) {
            if (std::find(dimensions.begin(), dimensions.end(), v) == dimensions.end()) {
                return std::nullopt;
            }
        }
        out.push_back(over);
    }
    return out;
}

}  // namespace

namespace {

// One cell that a block reads of a buffer, where its indices are more than different iterators:
// P[vh + vr, vw + vs]; and the iterators that name it, in their order.
struct Gathered {
    Expr load = nullptr;
    std::vector<BlockIter> over;
};

std::optional<Gathered> gathered_cell(const Block& block, Buffer buffer) {
    Gathered out;
    bool one = true;
    for_each_expr(block.body, [&](Expr e) {
        for_each_node(e, [&](Expr n) {
            if (n->op != Op::Load || n->buffer != buffer) return;
            one = one && (out.load == nullptr || out.load == n);
            out.load = n;
        });
    });
    if (out.load == nullptr || !one) return std::nullopt;
    std::set<Expr> named;
    bool plain = true;  // different iterators
    for (Expr index : out.load->args) {
        if (has_any(index, {Op::Load, Op::CallExtern, Op::Undef})) return std::nullopt;
        plain = plain && index->op == Op::Var && named.count(index) == 0;
        for (Expr v : free_vars(index)) named.insert(v);
    }
    for (const BlockIter& it : block.iters) {
        if (named.erase(it.var) == 0) continue;
        const bool counts = is_int_const(it.lo, 0) && is_int_const(it.hi) &&
                            (out.over.empty() || out.over[0].var->type == it.var->type);
        if (!counts) return std::nullopt;
        out.over.push_back(it);
    }
    if (plain || !named.empty() || out.over.empty()) return std::nullopt;
    return out;
}

// The buffer, filled before the stage of the block, which reads it instead of `load`; or why not.
std::optional<Rejection> gather(Proposer& p, const FreshBuffer& b, const std::string& block,
                                Expr load) {
    std::optional<Rejection> why;
    if (!put_fresh_buffer(p, b, why)) return why;
    Buffer made = locate(p.current(), store_of_block(p, b.block))->stmt->as<Store>()->buffer;
    const nlohmann::json args = {
        {"to", print(p.ctx().load(made, b.vars))},
        {"claims", nlohmann::json::array({filled(p, made, b.block, b.loops, b.vars)})}};
    while (true) {
        const Site stage = *p.index().block(block);
        std::optional<Site> next;
        for (const analysis::Access& a : p.memory().all()) {
            if (a.is_store || !stage.contains(a.statement)) continue;
            const Result<Located> there = locate(p.current(), a.site);
            if (there && there->expr == load) next = a.site;
        }
        if (!next) return std::nullopt;
        if (!p.try_apply("replace", *next, args, &why)) return why;
    }
}

}  // namespace

Outcome Primitives::reindex_cache(const std::string& block, Buffer buffer, bool write,
                                  const std::string& scope, const std::vector<Expr>& vars,
                                  const std::vector<Expr>& map) {
    const std::optional<Site> at = p_.index().block(block);
    if (!at) return Refusal{no_block(block), std::nullopt};
    Context& ctx = p_.ctx();
    std::vector<Expr> dimensions;
    for (std::size_t d = 0; d < buffer->rank(); ++d) {
        dimensions.push_back(ctx.var("d" + std::to_string(d), buffer->shape[d]->type));
    }
    const auto over = over_dimensions(ctx, *locate(p_.current(), *at)->stmt->as<Block>(), buffer,
                                      write, vars, map, dimensions);
    if (!over) {
        return refuse("block " + block + " does not access " + buffer->name +
                          " at one place that names each cell by an iterator of its own",
                      "sch.cache_read or sch.cache_write, and sch.transform_layout of the copy");
    }
    const std::size_t start = p_.derivation().steps().size();
    Outcome copied = write ? cache_write(block, buffer, scope)
                           : cache_read(block, buffer, scope, std::vector<std::string>{block});
    if (std::holds_alternative<Refusal>(copied)) return copied;
    const std::string copy = std::get<Names>(copied).front();
    const Block& made = *locate(p_.current(), *p_.index().block(copy))->stmt->as<Block>();
    const Store* store = made.body->as<Store>();
    LayoutRequest request;
    request.block = copy;
    request.buffer = write ? store->value->buffer : store->buffer;
    request.vars = dimensions;
    request.map = *over;
    const Outcome changed = transform_layout(request);
    if (const Refusal* no = std::get_if<Refusal>(&changed)) {
        Refusal out = *no;
        p_.derivation().roll_back(start);
        return out;
    }
    return Names{copy};
}

Outcome Primitives::reindex(const std::string& block, Buffer buffer, bool write) {
    const std::optional<Site> at = p_.index().block(block);
    if (!at) return Refusal{no_block(block), std::nullopt};
    if (!write) {
        const Block& reads = *locate(p_.current(), *at)->stmt->as<Block>();
        const std::optional<Gathered> gathered = gathered_cell(reads, buffer);
        if (gathered) {
            FreshBuffer b;
            b.around = stage_of(p_.current(), *at);
            reserved_.clear();
            b.name = fresh(buffer->name + "_reindex");
            b.type = buffer->type;
            b.scope = "global";
            b.value = gathered->load;
            b.block = fresh_block(b.name);
            for (const BlockIter& it : gathered->over) {
                const std::string d = std::to_string(b.vars.size());
                b.vars.push_back(it.var);
                b.shape.push_back(it.hi);
                b.loops.push_back(fresh_loop("ax" + d));
                b.indices.push_back(fresh("v" + d));
            }
            const std::size_t start = p_.derivation().steps().size();
            std::optional<Rejection> why = gather(p_, b, block, gathered->load);
            if (!why) return Names{b.block};
            p_.derivation().roll_back(start);
            p_.derivation().record(*why);
            Outcome no = refuse(std::move(*why));
            std::get<Refusal>(no).diagnostic.hint =
                "the copy has a cell for each value that the iterators may have by their domains, "
                "and is made before the stage of block " +
                block;
            return no;
        }
    }
    // The iterators that the access names, in their order.
    const Block b = *locate(p_.current(), *at)->stmt->as<Block>();
    std::set<Expr> named;
    const auto take = [&](Expr index) {
        for (Expr v : free_vars(index)) named.insert(v);
    };
    for_each_stmt(b.body, [&](Stmt s) {
        const Store* n = s->as<Store>();
        if (n == nullptr || n->buffer != buffer) return;
        for (Expr e : n->indices) take(e);
    });
    for_each_expr(b.body, [&](Expr e) {
        for_each_node(e, [&](Expr n) {
            if (n->op != Op::Load || n->buffer != buffer) return;
            for (Expr index : n->args) take(index);
        });
    });
    std::vector<Expr> vars, map;
    for (const BlockIter& it : b.iters) {
        vars.push_back(p_.ctx().var("x_" + *it.var->name, it.var->type));
        if (named.count(it.var) != 0) map.push_back(vars.back());
    }
    const Outcome made = reindex_cache(block, buffer, write, "global", vars, map);
    // The loops of the copy in the order of the iterators, where that is only another one.
    const Names* copy = std::get_if<Names>(&made);
    if (copy == nullptr) return made;
    const Site site = *p_.index().block(copy->front());
    const Block& b2 = *locate(p_.current(), site)->stmt->as<Block>();
    const Store* store = b2.body->as<Store>();
    const std::vector<Expr>* reindexed = &store->indices;
    std::vector<Expr> loaded;
    if (write) {
        loaded.assign(store->value->args.begin(), store->value->args.end());
        reindexed = &loaded;
    }
    Names loops;
    std::vector<std::int64_t> order;
    for (Expr index : *reindexed) {
        for (std::size_t k = 0; k < b2.iters.size(); ++k) {
            if (b2.iters[k].var != index || b2.iters[k].binding->op != Op::Var) continue;
            loops.push_back(*b2.iters[k].binding->name);
            order.push_back(static_cast<std::int64_t>(k));
        }
    }
    if (order.size() == b2.iters.size()) {
        const Outcome first = reorder(loops);
        if (std::holds_alternative<Names>(first)) reorder_block_iter_var(copy->front(), order);
    }
    return made;
}

}  // namespace proviso::rewrite
