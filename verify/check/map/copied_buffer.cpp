#include "verify/check/map/copied_buffer.h"

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
#include "verify/check/map/instances.h"
#include "verify/check/map/spelling.h"

namespace proviso::verify {

using namespace ir;
using namespace rewrite;
using nlohmann::json;

namespace {

bool reads(Expr e, Buffer b) {
    const std::vector<Buffer> all = loaded_buffers(e);
    return std::find(all.begin(), all.end(), b) != all.end();
}

// A store to the buffer, and the store after it that keeps the same where it is copied to.
struct Kept {
    Leaf leaf;
    Site store, copy;           // in the function
    Substitution of_last;       // variables around the last store, over those around this one
    Expr cell = nullptr;        // that is copied to
    std::vector<Binder> again;  // loops whose iterations store to one cell, outermost first
};

class Keeper {
  public:
    Keeper(Proposer& p, Buffer buffer, std::vector<std::string>& tried)
        : p_(p),
          ctx_(p.ctx()),
          buffer_(buffer),
          tried_(tried),
          solver_(p.prover(), analysis::parameter_facts(p.ctx(), p.current())) {}

    bool run() {
        if (!find()) return fails("it is not just updated, and copied in the end");
        if (!copy()) return false;
        return read_copies() && drop();
    }

  private:
    bool fails(const std::string& why) {
        tried_.push_back(buffer_->name + ", which the first program alone allocates: " + why);
        return false;
    }
    bool refused(const std::string& what, const std::optional<Rejection>& no) {
        return fails(what + (no ? ": " + refusal_text(*no) : ""));
    }

    Site below(const Site& at) const {
        Site out = root_;
        out.steps.insert(out.steps.end(), at.steps.begin(), at.steps.end());
        return out;
    }

    bool find() {
        for (const auto& [site, s] : all_statements(p_.current())) {
            const Allocate* n = s->as<Allocate>();
            if (n == nullptr || n->buffer != buffer_) continue;
            root_ = site.child("body");
            text_ = n->body;
        }
        if (text_ == nullptr) return false;
        leaves_ = leaves_of(ctx_, text_);
        for (const Leaf& leaf : leaves_) {
            const Store* n = leaf.stmt->as<Store>();
            if (n == nullptr) return false;
            if (n->buffer == buffer_) {
                kept_.push_back({leaf, below(leaf.at), {}, {}, nullptr, {}});
            } else if (reads(n->value, buffer_)) {
                const bool copies = n->value->op == Op::Load && n->value->buffer == buffer_;
                if (last_ || !copies) return false;
                last_ = leaf;
            }
        }
        if (!last_ || kept_.size() < 2) return false;
        const Store& out = *last_->stmt->as<Store>();
        for (Kept& k : kept_) {
            const Store& store = *k.leaf.stmt->as<Store>();
            Leaf unknown = *last_;
            Leaf known = k.leaf;
            unknown.stmt =
                ctx_.store(buffer_, {out.value->args.begin(), out.value->args.end()}, out.value);
            known.stmt = ctx_.store(buffer_, store.indices, ctx_.load(buffer_, store.indices));
            const std::vector<Substitution> at = solver_.values(unknown, known);
            if (at.empty()) return false;
            k.of_last = at[0];
            std::vector<Expr> index;
            for (Expr e : out.indices) index.push_back(substitute(ctx_, e, k.of_last));
            k.cell = ctx_.load(out.buffer, index);
            for (const Binder& b : k.leaf.binders) {
                const bool named = std::any_of(store.indices.begin(), store.indices.end(),
                                               [&](Expr e) { return occurs_free(b.var, e); });
                if (b.value == nullptr && !named) k.again.push_back(b);
                if (b.value != nullptr) return false;
            }
        }
        return true;
    }

    // Behind each store, in a loop of one iteration with it, what is copied in the end.
    bool copy() {
        std::set<std::string> used = used_names(p_.current());
        Restated r;
        r.after = text_;
        const Store& out = *last_->stmt->as<Store>();
        for (const Leaf& leaf : leaves_) {
            Part own;
            own.now = own.origin = leaf.at;
            const auto kept = std::find_if(kept_.begin(), kept_.end(), [&](const Kept& k) {
                return k.leaf.number == leaf.number;
            });
            if (kept == kept_.end()) {
                r.parts.push_back(std::move(own));
                continue;
            }
            Expr unit = ctx_.var(fresh_name("kept", used), kInt32);
            Expr zero = ctx_.int_imm(kInt32, 0);
            const std::vector<Expr> held(kept->cell->args.begin(), kept->cell->args.end());
            Stmt copy = ctx_.store(out.buffer, held, substitute(ctx_, out.value, kept->of_last));
            Stmt both = ctx_.seq({leaf.stmt, ctx_.if_(ctx_.false_(), copy)});
            r.after = with_statement(
                ctx_, r.after, leaf.at,
                ctx_.stmt(For{unit, zero, ctx_.int_imm(kInt32, 1), ForKind::Serial, "", both}));
            own.now = leaf.at.child("body").child("0");
            own.to[unit] = zero;
            Part more;
            more.now = leaf.at.child("body").child("1").child("then");
            more.origin = last_->at;
            more.from = kept->of_last;
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
            return refused("a copy behind each store", no);
        }
        for (auto k = kept_.rbegin(); k != kept_.rend(); ++k) {
            Expr value = ctx_.load(buffer_, k->leaf.stmt->as<Store>()->indices);
            const Site at = k->copy.child("then").child("value");
            if (locate(p_.current(), at)->expr != value &&
                !p_.try_apply("replace", at, {{"to", print(value)}}, &no)) {
                return refused("what is copied", no);
            }
            no.reset();
            if (!drop_guard(p_, k->copy, no)) return refused("a copy that is overwritten", no);
        }
        return true;
    }

    // That the cell holds what the copy `k` stored at these iterations, last of all.
    json last_write(Expr cell, const Kept& k, const Substitution& at, Expr when) {
        json indices = json::array();
        for (Expr i : cell->args) indices.push_back(print(i));
        Substitution all;
        for (Expr v : analysis::point_at(ctx_, p_.current(), k.copy).loops) {
            const auto found = at.find(v);
            const bool unit = v->name->rfind("kept", 0) == 0;
            all[v] = found != at.end() ? found->second : unit ? ctx_.int_imm(v->type, 0) : v;
        }
        json out = {{"kind", "last-write"},
                    {"buffer", cell->buffer->name},
                    {"indices", std::move(indices)},
                    {"writer", witness_json(k.copy, all)}};
        if (when != nullptr && !is_true(when)) out["when"] = print(when);
        return out;
    }

    Expr before_end(const Binder& b) { return ctx_.sub(b.hi, ctx_.int_imm(b.var->type, 1)); }

    // The iterations of `of` that store to the cell of `here`, each loop of the others at its end.
    std::optional<Substitution> last_of(const Kept& of, const Leaf& here, Stmt cell) {
        Leaf unknown = of.leaf;
        Leaf known = here;
        const Store& store = *of.leaf.stmt->as<Store>();
        unknown.stmt = ctx_.store(buffer_, store.indices, ctx_.load(buffer_, store.indices));
        for (const Binder& b : of.again) {
            std::erase_if(unknown.binders, [&](const Binder& x) { return x.var == b.var; });
        }
        std::erase_if(unknown.conditions, [&](Expr c) {
            return std::any_of(of.again.begin(), of.again.end(),
                               [&](const Binder& b) { return occurs_free(b.var, c); });
        });
        known.stmt = cell;
        const std::vector<Substitution> at = solver_.values(unknown, known);
        if (at.empty()) return std::nullopt;
        Substitution out = at[0];
        for (const Binder& b : of.again) out[b.var] = substitute(ctx_, before_end(b), out);
        return out;
    }

    // Claims of what the cell holds at `here`, before `count` of the stores.
    std::optional<json> claims_before(std::size_t count, const Leaf& here, Stmt cell, Expr copied,
                                      Expr when, json claims) {
        for (std::size_t k = count; k-- > 0;) {
            const std::optional<Substitution> at = last_of(kept_[k], here, cell);
            if (!at) return std::nullopt;
            std::vector<Expr> runs;
            for (const Binder& b : kept_[k].again) {
                runs.push_back(substitute(ctx_, ctx_.lt(b.lo, b.hi), *at));
            }
            Expr some = ctx_.all_of(runs);
            claims.push_back(
                last_write(copied, kept_[k], *at, when == nullptr ? some : ctx_.and_(when, some)));
            if (is_true(some)) return claims;
            Expr none = ctx_.not_(some);
            when = when == nullptr ? none : ctx_.and_(when, none);
        }
        return claims;
    }

    bool read_copies() {
        // In the end.
        const Store& out = *last_->stmt->as<Store>();
        Expr copied = ctx_.load(out.buffer, out.indices);
        Stmt cell =
            ctx_.store(buffer_, {out.value->args.begin(), out.value->args.end()}, out.value);
        auto claims = claims_before(kept_.size(), *last_, cell, copied, nullptr, json::array());
        if (!claims) return fails("what is copied last is not found");
        if (!instead(below(last_->at).child("value"), copied, *claims)) return false;
        // In the updates: the one before, or what comes before all of them.
        for (std::size_t n = 0; n < kept_.size(); ++n) {
            const Kept& k = kept_[n];
            const Store& store = *k.leaf.stmt->as<Store>();
            if (!reads(store.value, buffer_)) continue;
            json before = json::array();
            Substitution at;
            for (const Binder& b : k.leaf.binders) at[b.var] = b.var;
            std::vector<Expr> first;
            for (auto b = k.again.rbegin(); b != k.again.rend(); ++b) {
                at[b->var] = ctx_.sub(b->var, ctx_.int_imm(b->var->type, 1));
                std::vector<Expr> when = first;
                when.push_back(ctx_.lt(b->lo, b->var));
                before.push_back(last_write(k.cell, k, at, ctx_.all_of(when)));
                at[b->var] = before_end(*b);
                first.push_back(ctx_.eq(b->var, b->lo));
            }
            Stmt here = ctx_.store(buffer_, store.indices, ctx_.load(buffer_, store.indices));
            claims = claims_before(n, k.leaf, here, k.cell,
                                   first.empty() ? nullptr : ctx_.all_of(first), before);
            if (!claims) return fails("what an update reads is not found");
            for (std::optional<Site> load; (load = load_in(k.store.child("value")));) {
                if (!instead(*load, k.cell, *claims)) return false;
            }
        }
        // And what is copied is what was stored just before.
        for (const Kept& k : kept_) {
            const Site value = k.copy.child("value");
            const LoadAt load{value, k.copy, locate(p_.current(), value)->expr};
            if (auto no = put_stored_value(p_, load, k.store)) {
                return refused("the value of a copy", no);
            }
        }
        return true;
    }

    // The first load of the buffer there.
    std::optional<Site> load_in(const Site& at) {
        Expr e = locate(p_.current(), at)->expr;
        if (e->op == Op::Load && e->buffer == buffer_) return at;
        for (std::size_t k = 0; k < e->args.size(); ++k) {
            if (auto found = load_in(at.child("a" + std::to_string(k)))) return found;
        }
        return std::nullopt;
    }

    bool instead(const Site& load, Expr now, const json& claims) {
        std::optional<Rejection> no;
        const json args = {{"to", print(now)}, {"claims", claims}};
        return p_.try_apply("replace", load, args, &no) || refused("a copy in its place", no);
    }

    bool drop() {
        std::optional<Rejection> no;
        if (!drop_store(p_, p_.memory(), below(last_->at), no)) {
            return refused("the last copy", no);
        }
        for (auto k = kept_.rbegin(); k != kept_.rend(); ++k) {
            no.reset();
            if (!drop_store(p_, p_.memory(), k->store, no)) return refused("a store to it", no);
        }
        drop_allocation(p_, buffer_);
        return true;
    }

    Proposer& p_;
    Context& ctx_;
    Buffer buffer_;
    std::vector<std::string>& tried_;
    InstanceSolver solver_;
    Site root_;
    Stmt text_ = nullptr;  // in which it is allocated
    std::vector<Leaf> leaves_;
    std::vector<Kept> kept_;
    std::optional<Leaf> last_;  // the store that copies
};

}  // namespace

bool keep_where_copied(Proposer& p, Buffer buffer, std::vector<std::string>& tried) {
    return Keeper(p, buffer, tried).run();
}

}  // namespace proviso::verify
