#include "verify/check/map/mirror.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "analysis/facts/facts.h"
#include "analysis/memory/access.h"
#include "ir/text.h"
#include "rewrite/passes/claim_search.h"
#include "rewrite/passes/passes.h"
#include "rewrite/rules/fresh_copy.h"
#include "rewrite/schedule/primitives/stored_value.h"
#include "rewrite/schedule/reader/interpreter/unused.h"
#include "rewrite/schedule/restated.h"
#include "verify/check/map/reaching.h"
#include "verify/check/map/spelling.h"

namespace proviso::verify {

using namespace ir;
using namespace rewrite;
using nlohmann::json;

Mirror::Mirror(Proposer& p, Buffer buffer)
    : p_(p),
      ctx_(p.ctx()),
      buffer_(buffer),
      solver_(p.prover(), analysis::parameter_facts(p.ctx(), p.current())) {
    for (const auto& [site, s] : all_statements(p_.current())) {
        const Allocate* n = s->as<Allocate>();
        if (n == nullptr || n->buffer != buffer_) continue;
        root_ = site.child("body");
        text_ = n->body;
        for (const Allocate* in = n; (in = in->body->as<Allocate>()) != nullptr;) {
            root_ = root_.child("body");
            text_ = in->body;
        }
    }
    if (text_ != nullptr) leaves_ = leaves_of(ctx_, text_);
}

bool Mirror::fails(const std::string& what, const std::optional<Rejection>& no) {
    why_ = what + (no ? ": " + refusal_text(*no) : "");
    return false;
}

Site Mirror::below(const Site& at) const {
    Site out = root_;
    out.steps.insert(out.steps.end(), at.steps.begin(), at.steps.end());
    return out;
}

Site Mirror::site_of(const Leaf& leaf) const {
    for (const Kept& k : kept_) {
        if (k.leaf.number == leaf.number) return k.store;
    }
    return below(leaf.at);
}

void Mirror::keep(const Leaf& store, Expr cell, Substitution of_dead) {
    kept_.push_back({store, cell, std::move(of_dead), below(store.at), {}, {}});
}

bool Mirror::put(const Leaf& dead) {
    std::set<std::string> used = used_names(p_.current());
    Restated r;
    r.after = text_;
    for (const Leaf& leaf : leaves_) {
        Part own;
        own.now = own.origin = leaf.at;
        const auto kept = std::find_if(kept_.begin(), kept_.end(),
                                       [&](const Kept& k) { return k.leaf.number == leaf.number; });
        if (kept == kept_.end()) {
            r.parts.push_back(std::move(own));
            continue;
        }
        kept->unit = fresh_name("kept", used);
        Expr unit = ctx_.var(kept->unit, kInt32);
        Expr zero = ctx_.int_imm(kInt32, 0);
        Stmt copy = substitute(ctx_, dead.stmt, kept->of_dead);
        Stmt both = ctx_.seq({leaf.stmt, ctx_.if_(ctx_.false_(), copy)});
        r.after = with_statement(
            ctx_, r.after, leaf.at,
            ctx_.stmt(For{unit, zero, ctx_.int_imm(kInt32, 1), ForKind::Serial, "", both}));
        own.now = leaf.at.child("body").child("0");
        own.to[unit] = zero;
        Part more;
        more.now = leaf.at.child("body").child("1").child("then");
        more.origin = dead.at;
        more.from = kept->of_dead;
        for (const Binder& b : leaf.binders) more.to[b.var] = ctx_.int_imm(b.var->type, 0);
        more.to[unit] = zero;
        more.when = more.where = ctx_.false_();
        kept->store = below(own.now);
        kept->copy = below(leaf.at.child("body").child("1"));
        r.parts.push_back(std::move(own));
        r.parts.push_back(std::move(more));
    }
    std::optional<Rejection> no;
    if (!p_.try_apply("restate", root_, restate_arguments(text_, r), &no)) {
        return fails("a copy behind each store", no);
    }
    for (auto k = kept_.rbegin(); k != kept_.rend(); ++k) {
        const Site copy = k->copy.child("then");
        std::vector<std::pair<Site, Expr>> wanted;
        for (std::size_t d = 0; d < k->cell->args.size(); ++d) {
            wanted.emplace_back(copy.child("index" + std::to_string(d)), k->cell->arg(d));
        }
        wanted.emplace_back(copy.child("value"),
                            ctx_.load(buffer_, k->leaf.stmt->as<Store>()->indices));
        for (const auto& [at, e] : wanted) {
            if (locate(p_.current(), at)->expr == e) continue;
            if (p_.try_apply("replace", at, {{"to", print(e)}}, &no)) continue;
            return fails("what is copied", no);
        }
        // Nobody reads what it stores, or not before something else is there.
        const json unseen = {{"stores", {{k->copy.str(), {{"mode", "dead"}}}}}};
        if (p_.try_apply("drop-guard", k->copy, unseen)) continue;
        no.reset();
        if (!drop_guard(p_, k->copy, no)) {
            return fails("what " + print(k->cell) + " held before may be wanted", no);
        }
    }
    return true;
}

// That the cell holds what the copy of `k` stored at these iterations, last of all.
json Mirror::last_write(Expr cell, const Kept& k, const Substitution& at, Expr when) {
    json indices = json::array();
    for (Expr i : cell->args) indices.push_back(print(i));
    Substitution all;
    for (Expr v : analysis::point_at(ctx_, p_.current(), k.copy).loops) {
        const auto found = at.find(v);
        all[v] = found != at.end()    ? found->second
                 : *v->name == k.unit ? ctx_.int_imm(v->type, 0)
                                      : v;
    }
    json out = {{"kind", "last-write"},
                {"buffer", cell->buffer->name},
                {"indices", std::move(indices)},
                {"writer", witness_json(k.copy, all)}};
    if (when != nullptr && !is_true(when)) out["when"] = print(when);
    return out;
}

// What the other buffer holds in `cell` where the leaf loads: what the last of the stores before
// has kept there. Of a leaf that stores to the loaded cell itself, that is the iteration before.
std::optional<json> Mirror::claims(const Leaf& here, Expr load, Expr cell) {
    std::size_t before = 0;
    while (before < kept_.size() && kept_[before].leaf.number < here.number) ++before;
    json out = json::array();
    Expr when = nullptr;
    const bool own = before < kept_.size() && kept_[before].leaf.number == here.number;
    if (own) {
        const Kept& k = kept_[before];
        const std::vector<Expr>& stored = k.leaf.stmt->as<Store>()->indices;
        const bool same = std::equal(stored.begin(), stored.end(), load->args.begin());
        Substitution at;
        for (const Binder& b : k.leaf.binders) at[b.var] = b.var;
        std::vector<Expr> first;
        const std::vector<Binder> loops =
            loops_again(text_, k.leaf, before > 0 ? &kept_[before - 1].leaf : nullptr);
        for (auto b = loops.rbegin(); same && b != loops.rend(); ++b) {
            at[b->var] = ctx_.sub(b->var, ctx_.int_imm(b->var->type, 1));
            std::vector<Expr> later = first;
            later.push_back(ctx_.lt(b->lo, b->var));
            out.push_back(last_write(cell, k, at, ctx_.all_of(later)));
            at[b->var] = last_iteration(ctx_, *b);
            first.push_back(ctx_.eq(b->var, b->lo));
        }
        if (!first.empty()) when = ctx_.all_of(first);
    }
    for (std::size_t k = before; k-- > 0;) {
        const auto at = last_instance(ctx_, solver_, text_, kept_[k].leaf, here, load);
        if (!at) return std::nullopt;
        Expr some = runs_for(ctx_, solver_, kept_[k].leaf, *at, here, load);
        if (is_false(some)) continue;
        out.push_back(
            last_write(cell, kept_[k], *at, when == nullptr ? some : ctx_.and_(when, some)));
        if (is_true(some)) return out;
        Expr none = ctx_.not_(some);
        when = when == nullptr ? none : ctx_.and_(when, none);
    }
    return out;
}

std::optional<Site> Mirror::load_in(const Site& at) const {
    Expr e = locate(p_.current(), at)->expr;
    if (e->op == Op::Load && e->buffer == buffer_) return at;
    for (std::size_t k = 0; k < e->args.size(); ++k) {
        if (auto found = load_in(at.child("a" + std::to_string(k)))) return found;
    }
    return std::nullopt;
}

bool Mirror::read(const Leaf& here, const Site& load, Expr cell) {
    Expr now = locate(p_.current(), load)->expr;
    const std::optional<json> held = claims(here, now, cell);
    if (!held) return fails("what stores to " + print(now) + " is not found", std::nullopt);
    std::optional<Rejection> no;
    const json args = {{"to", print(cell)}, {"claims", *held}};
    return p_.try_apply("replace", load, args, &no) ||
           fails(print(cell) + " in the place of " + print(now), no);
}

bool Mirror::store_values() {
    for (const Kept& k : kept_) {
        const Site value = k.copy.child("value");
        const LoadAt load{value, k.copy, locate(p_.current(), value)->expr};
        if (auto no = put_stored_value(p_, load, k.store)) return fails("the value of a copy", no);
    }
    return true;
}

bool Mirror::drop() {
    for (auto k = kept_.rbegin(); k != kept_.rend(); ++k) {
        std::optional<Rejection> no;
        if (!drop_store(p_, p_.memory(), k->store, no)) {
            return fails("a store to " + buffer_->name + " stays", no);
        }
    }
    drop_allocation(p_, buffer_);
    return true;
}

bool Mirror::move(Buffer to, const Leaf& dead, const CellOf& cell_of, bool drops_dead) {
    for (const Leaf& leaf : leaves_) {
        const Store* n = leaf.stmt->as<Store>();
        if (n == nullptr || n->buffer != buffer_) continue;
        Substitution start;
        for (const Binder& b : dead.binders) {
            start[b.var] = b.var->type.is_float() ? ctx_.float_imm(b.var->type, 0)
                                                  : ctx_.int_imm(b.var->type, 0);
        }
        keep(leaf, ctx_.load(to, cell_of(n->indices)), std::move(start));
    }
    if (!put(dead)) return false;
    std::optional<Rejection> no;
    if (drops_dead && !drop_store(p_, p_.memory(), below(dead.at), no)) {
        return fails("what is stored first stays", no);
    }
    for (const Leaf& leaf : leaves_) {
        if (leaf.stmt->is<Allocate>() || (drops_dead && leaf.number == dead.number)) continue;
        for (const Child& c : children(leaf.stmt)) {
            if (c.expr == nullptr) continue;
            for (std::optional<Site> load; (load = load_in(site_of(leaf).child(c.label)));) {
                Expr now = locate(p_.current(), *load)->expr;
                Expr cell = ctx_.load(to, cell_of({now->args.begin(), now->args.end()}));
                if (!read(leaf, *load, cell)) return false;
            }
        }
    }
    if (!store_values() || !drop()) return false;
    for (auto k = kept_.rbegin(); k != kept_.rend(); ++k) {
        if (!take_apart(p_, k->unit)) return fails("a loop of one iteration stays", std::nullopt);
    }
    return true;
}

}  // namespace proviso::verify
