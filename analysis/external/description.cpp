#include "analysis/external/description.h"

#include <algorithm>
#include <numeric>

namespace proviso::analysis {

using namespace ir;

namespace {

bool read_into(Context& ctx, Stmt s, const Site& site, std::vector<For> loops,
               const Substitution& iterators, std::vector<Leaf>& out) {
    const auto over = [&](Expr e) { return substitute(ctx, e, iterators); };
    if (const Seq* n = s->as<Seq>()) {
        for (std::size_t k = 0; k < n->body.size(); ++k) {
            const Site at = site.child(std::to_string(k));
            if (!read_into(ctx, n->body[k], at, loops, iterators, out)) return false;
        }
        return true;
    }
    if (const For* n = s->as<For>()) {
        if (!is_int_const(n->lo, 0) || !is_int_const(n->hi)) return false;
        loops.push_back(*n);
        return read_into(ctx, n->body, site.child("body"), loops, iterators, out);
    }
    if (const Block* n = s->as<Block>()) {
        if (n->init != nullptr || !is_true(n->predicate)) return false;
        Substitution inner = iterators;
        for (const BlockIter& it : n->iters) inner[it.var] = over(it.binding);
        return read_into(ctx, n->body, site.child("body"), loops, inner, out);
    }
    const Store* n = s->as<Store>();
    if (n == nullptr) return false;
    Leaf leaf{loops, *n, site};
    for (Expr& index : leaf.store.indices) index = over(index);
    leaf.store.value = over(leaf.store.value);
    out.push_back(std::move(leaf));
    return true;
}

// Whether the operands may change places.
bool is_symmetric(Expr e) {
    switch (e->op) {
        case Op::Min:
        case Op::Max: return !e->type.is_float();
        case Op::Add:
        case Op::Mul:
        case Op::BitAnd:
        case Op::BitOr:
        case Op::BitXor:
        case Op::Eq:
        case Op::Ne: return true;
        // The second one is not evaluated where the first one decides; it may have a fault there.
        case Op::And:
        case Op::Or:
            return !has_any(e, {Op::Load, Op::FloorDiv, Op::FloorMod, Op::TruncDiv, Op::TruncMod,
                                Op::Shl, Op::Shr, Op::Cast});
        default: return false;
    }
}

// But for their operands.
bool same_node(Expr a, Expr b) {
    const bool named = a->name != nullptr;
    if (named != (b->name != nullptr) || (named && *a->name != *b->name)) return false;
    return a->op == b->op && a->type == b->type && a->bits == b->bits &&
           a->var_type == b->var_type && a->args.size() == b->args.size();
}

bool is_unit(const For& loop) {
    return is_int_const(loop.hi, 1);
}

}  // namespace

std::optional<std::vector<Leaf>> read_leaves(Context& ctx, Stmt s) {
    std::vector<Leaf> out;
    if (!read_into(ctx, s, Site{}, {}, {}, out)) return std::nullopt;
    return out;
}

DescriptionMatch::DescriptionMatch(const Leaf& description, const Leaf& found)
    : description_(description), found_(found) {
    std::vector<For> loops[2];
    for (const Leaf* leaf : {&description, &found}) {
        for (const For& l : leaf->loops) {
            if (is_unit(l)) {
                unit_loops_[leaf == &found ? 1 : 0].push_back(l.var);
            } else {
                loops[leaf == &found ? 1 : 0].push_back(l);
            }
        }
    }
    same_loops_ = loops[0].size() == loops[1].size();
    for (std::size_t k = 0; k < loops[0].size() && same_loops_; ++k) {
        const For& ours = loops[0][k];
        const For& theirs = loops[1][k];
        same_loops_ =
            ours.hi->int_value() == theirs.hi->int_value() && ours.var->type == theirs.var->type;
        by_loop_[ours.var] = theirs.var;
    }
}

bool DescriptionMatch::same_store() {
    const Store& described = description_.store;
    const Store& found = found_.store;
    return same_loops_ &&
           same_cell(described.buffer, described.indices, found.buffer, found.indices) &&
           same(described.value, found.value);
}

bool DescriptionMatch::same(Expr described, Expr found) {
    if (++compared_ > kMostCompared) return false;
    if (described->op == Op::Load) {
        return found->op == Op::Load &&
               same_cell(described->buffer, described->args, found->buffer, found->args);
    }
    const auto loop = by_loop_.find(described);
    if (loop != by_loop_.end()) return loop->second == found;
    if (is_zero(described, 0)) {  // not the loop that has its name outside
        return is_zero(found, 1) && described->type == found->type;
    }
    if (!same_node(described, found)) return false;
    if (found->op == Op::Let) lets_.insert(*found->name);
    // Operands may stand in another order: programs are simplified.
    const auto before = views_;
    std::vector<std::size_t> order(found->args.size());
    std::iota(order.begin(), order.end(), 0);
    do {
        bool all = true;
        for (std::size_t k = 0; k < order.size() && all; ++k) {
            all = same(described->arg(k), found->arg(order[k]));
        }
        if (all) return true;
        views_ = before;
    } while (is_symmetric(described) && std::next_permutation(order.begin(), order.end()));
    return false;
}

bool DescriptionMatch::is_zero(Expr e, int nest) const {
    const std::vector<Expr>& zero = unit_loops_[nest];
    return is_int_const(e, 0) || std::find(zero.begin(), zero.end(), e) != zero.end();
}

bool DescriptionMatch::is_fixed(Expr term) const {
    bool out = std::none_of(found_.loops.begin(), found_.loops.end(),
                            [&](const For& l) { return occurs_free(l.var, term); });
    for_each_node(term, [&](Expr e) {
        if (e->op == Op::Var && lets_.count(*e->name) != 0) out = false;
    });
    return out;
}

Affine DescriptionMatch::without_unit_loops(Affine index, int nest) const {
    for (Expr v : unit_loops_[nest]) index = index.without(v);
    return index;
}

std::optional<Affine> DescriptionMatch::over_found(Expr described) const {
    const Affine index = without_unit_loops(Affine::of(described), 0);
    Affine out = index.constant();
    for (const auto& [term, factor] : index.terms()) {
        const auto loop = by_loop_.find(term);
        if (loop == by_loop_.end()) return std::nullopt;
        out = out + Affine::term(loop->second, factor);
    }
    return out;
}

bool DescriptionMatch::same_cell(Buffer parameter, std::span<const Expr> described, Buffer buffer,
                                 std::span<const Expr> found) {
    if (found.size() < described.size() || parameter->type != buffer->type) return false;
    const std::size_t more = found.size() - described.size();
    View view{
        parameter, buffer, {}, {found.begin(), found.end()}, {described.begin(), described.end()}};
    for (std::size_t d = 0; d < found.size(); ++d) {
        Affine at = without_unit_loops(Affine::of(found[d]), 1);
        if (d >= more) {
            const std::optional<Affine> inside = over_found(described[d - more]);
            if (!inside) return false;
            at = at - *inside;
        }
        for (const auto& [term, factor] : at.terms()) {
            if (!is_fixed(term)) return false;
        }
        view.begin.push_back(std::move(at));
    }
    const auto known = views_.try_emplace(parameter->name, view).first->second;
    return known.buffer == buffer && known.begin == view.begin;
}

}  // namespace proviso::analysis
