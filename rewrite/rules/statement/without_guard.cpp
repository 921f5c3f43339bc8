#include <algorithm>
#include <tuple>

#include "analysis/facts/formula.h"
#include "ir/planted.h"
#include "rewrite/rules/common.h"
#include "rewrite/rules/statement/drop_guard.h"

namespace proviso::rewrite {

using namespace ir;
using namespace analysis;

namespace {

// Every part of the condition is one of the old one.
bool has_fewer_parts(Expr now, Expr old) {
    const std::vector<Expr> parts = conjuncts(old);
    const std::vector<Expr> kept = conjuncts(now);
    return planted("drop-guard:another-condition") ||
           std::all_of(kept.begin(), kept.end(), [&](Expr part) {
               return std::find(parts.begin(), parts.end(), part) != parts.end();
           });
}

bool is_without_guard(const IfElse& old, Stmt now) {
    const Seq* rest = old.else_body == nullptr ? nullptr : old.else_body->as<Seq>();
    if (old.else_body != nullptr && (rest == nullptr || !rest->body.empty())) return false;
    const IfElse* less = now->as<IfElse>();
    return now == old.then_body ||
           (less != nullptr && less->else_body == nullptr && less->then_body == old.then_body &&
            has_fewer_parts(less->cond, old.cond));
}

bool is_without_guard(const Block& old, Block now) {
    if (now.iters.size() != old.iters.size()) return false;
    if (!has_fewer_parts(now.predicate, old.predicate)) return false;
    now.predicate = old.predicate;
    for (std::size_t i = 0; i < old.iters.size(); ++i) {
        now.iters[i].lo = old.iters[i].lo;
        now.iters[i].hi = old.iters[i].hi;
    }
    return now == old;
}

Status domains_may_differ(const Block& old, const Block& now) {
    for (std::size_t i = 0; i < old.iters.size(); ++i) {
        const BlockIter& was = old.iters[i];
        const BlockIter& is = now.iters[i];
        for (const auto& [end, changed] :
             {std::pair{is.lo, is.lo != was.lo}, {is.hi, is.hi != was.hi}}) {
            if (!changed || is_plain(end) || planted("drop-guard:domain-in-memory")) continue;
            return error("a domain is not read from memory");
        }
        // An init runs where every reduce iterator is at its start.
        if (old.init == nullptr || was.kind != IterKind::Reduce || is.lo == was.lo) continue;
        if (planted("drop-guard:start-of-a-reduction")) continue;
        return error("the initialisation runs at the start of " + *was.var->name +
                     ", which may not move");
    }
    return Unit{};
}

}  // namespace

Result<GuardRemoved> without_guard(Context& ctx, const Function& before, const Site& site,
                                   Stmt now) {
    const Result<Located> at = locate(before, site);
    if (!at) return at.error();
    const IfElse* branch = at->as<IfElse>();
    const Block* block = at->as<Block>();
    const bool same = branch != nullptr ? is_without_guard(*branch, now)
                                        : block != nullptr && now->is<Block>() &&
                                              is_without_guard(*block, *now->as<Block>());
    if (!same && !planted("drop-guard:another-text")) {
        return error("the new text is not the statement with less of its guard");
    }
    if (block != nullptr) {
        if (const Status ok = domains_may_differ(*block, *now->as<Block>()); !ok) return ok.error();
    }
    GuardRemoved out;
    out.guard = branch != nullptr ? branch->cond : block->predicate;
    out.after = replace_at(ctx, before, site, now);
    const Seq* list = now->as<Seq>();
    if (list == nullptr || site.steps.empty() || !locate(before, site.parent())->stmt->is<Seq>()) {
        out.scopes = {site};
        return out;
    }
    const std::size_t first = std::stoul(site.steps.back());
    for (std::size_t i = 0; i < list->body.size(); ++i) {
        out.scopes.push_back(site.parent().child(std::to_string(first + i)));
    }
    return out;
}

void domains_only_grow(Context& ctx, const Block& old, const Block& now,
                       const std::vector<Expr>& facts, std::vector<Obligation>& out) {
    for (std::size_t i = 0; i < old.iters.size(); ++i) {
        const BlockIter& was = old.iters[i];
        const BlockIter& is = now.iters[i];
        std::vector<Expr> goals;
        for (const auto& [end, changed, grows] :
             {std::tuple{is.lo, is.lo != was.lo, ctx.le(is.lo, was.lo)},
              std::tuple{is.hi, is.hi != was.hi, ctx.le(was.hi, is.hi)}}) {
            if (changed) append(goals, {no_fault(ctx, end), in_range(ctx, end), grows});
        }
        if (goals.empty()) continue;
        out.push_back(
            Obligation({Owed::DomainGrows, "the domain of " + *was.var->name + " only grows"},
                       facts, ctx.all_of(goals)));
    }
}

}  // namespace proviso::rewrite
