// A guard taken away, in part or as a whole, and the domains of a block's iterators made wider: the
// program that drop-guard and guard-inside make.
#include <nlohmann/json.hpp>
#include <tuple>

#include "analysis/formula.h"
#include "analysis/path.h"
#include "ir/planted.h"
#include "rewrite/kernel/arguments.h"
#include "rewrite/kernel/only_members.h"
#include "rewrite/rules/common.h"
#include "rewrite/rules/statement/drop_guard.h"

namespace proviso::rewrite {

using namespace ir;
using namespace analysis;

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
        out.push_back(Obligation{"the domain of " + *was.var->name + " only grows", facts,
                                 ctx.all_of(goals)});
    }
}

std::vector<Expr> guard_parts(Expr guard) {
    if (guard->op != Op::And) return {guard};
    std::vector<Expr> out = guard_parts(guard->arg(0));
    append(out, guard_parts(guard->arg(1)));
    return out;
}

namespace {

// What stays of the guard; true where nothing does.
Result<Expr> kept_guard(Context& ctx, Expr guard, const nlohmann::json& args) {
    if (!args.is_object() || !args.contains("keep")) return ctx.true_();
    const nlohmann::json& keep = args["keep"];
    const std::vector<Expr> parts = guard_parts(guard);
    std::vector<Expr> kept;
    std::optional<std::size_t> last;
    if (!keep.is_array()) return error("'keep' is not a list of numbers");
    for (const nlohmann::json& k : keep) {
        if (!k.is_number_unsigned() || k.get<std::size_t>() >= parts.size() ||
            (last && k.get<std::size_t>() <= *last)) {
            return error("'keep' does not name parts of the guard in order",
                         "it has " + std::to_string(parts.size()) + ", counted from 0");
        }
        last = k.get<std::size_t>();
        kept.push_back(parts[*last]);
    }
    if (kept.size() == parts.size()) return error("every part of the guard is kept");
    return ctx.all_of(kept);
}

Result<GuardRemoved> remove_branch(Context& ctx, const Function& before, const Site& site,
                                   const IfElse& n, const nlohmann::json& args) {
    const Seq* rest = n.else_body == nullptr ? nullptr : n.else_body->as<Seq>();
    if (n.else_body != nullptr && (rest == nullptr || !rest->body.empty())) {
        return error("the branch has an else part");
    }
    const Result<Expr> kept = kept_guard(ctx, n.cond, args);
    if (!kept) return kept.error();
    GuardRemoved out;
    out.guard = n.cond;
    if (!is_true(*kept)) {
        out.after = replace_at(ctx, before, site, ctx.if_(*kept, n.then_body));
        out.scopes = {site};
        return out;
    }
    out.after = replace_at(ctx, before, site, n.then_body);
    const Seq* list = n.then_body->as<Seq>();
    const bool flattened =
        list != nullptr && !site.steps.empty() && locate(before, site.parent())->stmt->is<Seq>();
    if (!flattened) {
        out.scopes = {site};
        return out;
    }
    const std::size_t first = std::stoul(site.steps.back());
    for (std::size_t i = 0; i < list->body.size(); ++i) {
        out.scopes.push_back(site.parent().child(std::to_string(first + i)));
    }
    return out;
}

// One end of a domain: an expression over variables.
Result<Expr> domain_end(Context& ctx, const Scope& scope, const nlohmann::json& text,
                        ScalarType type) {
    const nlohmann::json args = {{"end", text}};
    const Result<Expr> end = arg_expr(ctx, args, "end", scope, type);
    if (!end) return end;
    if (has_op(*end, Op::Load) || has_op(*end, Op::Undef) || makes_call(*end)) {
        return error("a domain is not read from memory");
    }
    return end;
}

// The iterator's domain as `domains` has it: its end, or start and end.
Status widen(Context& ctx, const Scope& scope, const nlohmann::json& domains, BlockIter& it) {
    const nlohmann::json& given = domains[*it.var->name];
    const bool both = given.is_array() && given.size() == 2;
    const Result<Expr> hi = domain_end(ctx, scope, both ? given[1] : given, it.hi->type);
    if (!hi) return hi.error();
    it.hi = *hi;
    if (!both) return Unit{};
    const Result<Expr> lo = domain_end(ctx, scope, given[0], it.lo->type);
    if (!lo) return lo.error();
    it.lo = *lo;
    return Unit{};
}

// An init runs where every reduce iterator is at its start.
Status same_starts(const Block& old, const Block& now) {
    for (std::size_t i = 0; i < old.iters.size(); ++i) {
        if (old.init == nullptr || old.iters[i].kind != IterKind::Reduce) continue;
        if (old.iters[i].lo == now.iters[i].lo) continue;
        if (planted("drop-guard:start-of-a-reduction")) continue;
        return error("the initialisation runs at the start of " + *old.iters[i].var->name +
                     ", which may not move");
    }
    return Unit{};
}

Result<GuardRemoved> remove_predicate(Context& ctx, const Function& before, const Site& site,
                                      Block block, const nlohmann::json& args) {
    if (is_true(block.predicate)) return error("the block has no predicate");
    const Result<Expr> kept = kept_guard(ctx, block.predicate, args);
    if (!kept) return kept.error();
    GuardRemoved out;
    out.guard = block.predicate;
    block.predicate = *kept;
    const nlohmann::json domains =
        args.is_object() ? args.value("domains", nlohmann::json()) : nlohmann::json();
    const Scope scope = scope_at(ctx, before, site);
    std::string iters;
    for (const BlockIter& it : block.iters) iters += *it.var->name + " ";
    const Status known = domains.is_null() ? Unit{} : only_members(domains, iters);
    if (!known) return known.error();
    for (BlockIter& it : block.iters) {
        if (!domains.is_object() || !domains.contains(*it.var->name)) continue;
        const Status ok = widen(ctx, scope, domains, it);
        if (!ok) return ok.error();
    }
    const Status ok = same_starts(*locate(before, site)->stmt->as<Block>(), block);
    if (!ok) return ok.error();
    out.after = replace_at(ctx, before, site, ctx.stmt(block));
    out.scopes = {site};
    return out;
}

}  // namespace

Result<GuardRemoved> remove_guard(Context& ctx, const Function& before, const Site& site,
                                  const nlohmann::json& args) {
    const Result<Located> at = locate(before, site);
    if (!at) return at.error();
    if (at->stmt != nullptr) {
        if (const IfElse* n = at->stmt->as<IfElse>()) {
            return remove_branch(ctx, before, site, *n, args);
        }
        if (const Block* n = at->stmt->as<Block>()) {
            return remove_predicate(ctx, before, site, *n, args);
        }
    }
    return error("drop-guard works on an if without else, or on a block with a predicate");
}

}  // namespace proviso::rewrite
