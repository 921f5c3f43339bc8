// drop-guard: a branch by harmless extra work (over-compute).
//
//   before   if c: S                       after   S
//            block with T.where(c)                 block without
//
// Where c is false the source does nothing; so there, everything that S does must go unnoticed. Of
// a conjunction, parts may stay: `if p and q: S` becomes `if p: S`. The extra iterations are then
// those where p holds and q does not, and p is evaluated in all. A block's iterators may have other
// domains, which the extra iterations fit in.
// Arguments of the new text:
//   "keep": [0, 2], the parts of the guard that stay (absent: none);
//   "domains": {ITERATOR: HI or [LO, HI]}, for a block: iterator domains that the extra iterations
//   fit in.
// Others: "stores", "claims" and "strict", why the extra work goes unnoticed
// (rules/reschedule/extra.h), with sites and witnesses in the rewritten program.
#include <nlohmann/json.hpp>

#include "analysis/facts/path.h"
#include "rewrite/derived/derived_rule.h"
#include "rewrite/derived/guards/remove_guard.h"
#include "rewrite/kernel/arguments.h"
#include "rewrite/kernel/only_members.h"
#include "rewrite/rules/common.h"
#include "rewrite/rules/statement/statement_rules.h"

namespace proviso::rewrite {

using namespace ir;
using namespace analysis;

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

// The branch without its guard, or with the kept parts of it.
Result<Stmt> bare_branch(Context& ctx, const IfElse& n, const nlohmann::json& args) {
    const Seq* rest = n.else_body == nullptr ? nullptr : n.else_body->as<Seq>();
    if (n.else_body != nullptr && (rest == nullptr || !rest->body.empty())) {
        return error("the branch has an else part");
    }
    const Result<Expr> kept = kept_guard(ctx, n.cond, args);
    if (!kept) return kept.error();
    if (is_true(*kept)) return n.then_body;
    return ctx.if_(*kept, n.then_body);
}

Result<Expr> domain_end(Context& ctx, const Scope& scope, const nlohmann::json& text,
                        ScalarType type) {
    return arg_expr(ctx, {{"end", text}}, "end", scope, type);
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

Result<Stmt> bare_block(Context& ctx, const Scope& scope, Block block, const nlohmann::json& args) {
    if (is_true(block.predicate)) return error("the block has no predicate");
    const Result<Expr> kept = kept_guard(ctx, block.predicate, args);
    if (!kept) return kept.error();
    block.predicate = *kept;
    const nlohmann::json domains =
        args.is_object() ? args.value("domains", nlohmann::json()) : nlohmann::json();
    std::string iters;
    for (const BlockIter& it : block.iters) iters += *it.var->name + " ";
    const Status known = domains.is_null() ? Unit{} : only_members(domains, iters);
    if (!known) return known.error();
    for (BlockIter& it : block.iters) {
        if (!domains.is_object() || !domains.contains(*it.var->name)) continue;
        Expr start = it.lo;
        const Status ok = widen(ctx, scope, domains, it);
        if (!ok) return ok.error();
        // Else some visited iteration is missed: init runs where every reduce iterator starts.
        if (block.init == nullptr || it.kind != IterKind::Reduce || it.lo == start) continue;
        return error("the initialisation runs at the start of " + *it.var->name +
                     ", which may not move");
    }
    return ctx.stmt(block);
}

// The statement without its guard, or with less of it.
Result<Stmt> bare(Context& ctx, const Function& f, const Site& site, const nlohmann::json& args) {
    const Result<Located> at = locate(f, site);
    if (!at) return at.error();
    if (at->stmt != nullptr) {
        if (const IfElse* n = at->stmt->as<IfElse>()) return bare_branch(ctx, *n, args);
        if (const Block* n = at->stmt->as<Block>()) {
            return bare_block(ctx, scope_at(ctx, f, site), *n, args);
        }
    }
    return error("drop-guard works on an if without else, or on a block with a predicate");
}

// A part that runs where the guard was true.
Part guarded_part(const std::string& now, const std::string& origin, Expr guard) {
    Part out;
    if (!now.empty()) out.now = Site{}.child(now);
    out.origin = Site{}.child(origin);
    out.where = guard;
    return out;
}

std::vector<Part> parts_of(const IfElse& n, Stmt now) {
    const bool bare = now == n.then_body;
    const Part whole = guarded_part(bare ? "" : "then", "then", n.cond);
    return bare ? as_parts(now, whole) : std::vector<Part>{whole};
}

std::vector<Part> parts_of(const Block& n) {
    std::vector<Part> out = {guarded_part("body", "body", n.predicate)};
    if (n.init != nullptr) out.push_back(guarded_part("init", "init", n.predicate));
    for (Part& part : out) {
        for (const BlockIter& it : n.iters) part.from[it.var] = part.to[it.var] = it.var;
    }
    return out;
}

class DropGuard final : public RescheduleRule {
  public:
    std::string name() const override { return "drop-guard"; }
    int version() const override { return 2; }
    std::string summary() const override {
        return "a branch by its body, with unobservable extra work (over-compute)";
    }

    Result<Rescheduling> rescheduling(Context& ctx, const Function& before, const Site& site,
                                      const nlohmann::json& args) const override {
        const Result<Stmt> now = bare(ctx, before, site, args);
        if (!now) return now.error();
        Rescheduling out;
        out.after = *now;
        if (const Block* wider = (*now)->as<Block>(); locate(before, site)->stmt->is<Block>()) {
            Block silent = *wider;
            silent.reads.reset();
            silent.writes.reset();
            out.after = ctx.stmt(std::move(silent));
            out.parts = parts_of(*locate(before, site)->stmt->as<Block>());
        } else {
            out.parts = parts_of(*locate(before, site)->stmt->as<IfElse>(), *now);
        }
        nlohmann::json extra = args;
        extra.erase("keep");
        extra.erase("domains");
        out.extra = extra.dump();
        return out;
    }
};

}  // namespace

Result<GuardRemoved> remove_guard(Context& ctx, const Function& before, const Site& site,
                                  const nlohmann::json& args) {
    const Result<Stmt> now = bare(ctx, before, site, args);
    if (!now) return now.error();
    const IfElse* branch = locate(before, site)->stmt->as<IfElse>();
    GuardRemoved out;
    out.guard =
        branch != nullptr ? branch->cond : locate(before, site)->stmt->as<Block>()->predicate;
    out.after = replace_at(ctx, before, site, *now);
    const Seq* list = (*now)->as<Seq>();
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

const Rule& drop_guard_rule() {
    static const DropGuard rule;
    return rule;
}

}  // namespace proviso::rewrite
