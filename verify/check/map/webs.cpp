#include "verify/check/map/webs.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "analysis/facts/facts.h"
#include "verify/check/map/reaching.h"

namespace proviso::verify {

using namespace ir;

namespace {

constexpr std::size_t kMostAccesses = 256;  // of one buffer: stores times loads

class Weaver {
  public:
    Weaver(analysis::Prover& prover, const Function& f, Stmt text, const std::vector<Leaf>& leaves,
           Buffer buffer)
        : prover_(prover),
          ctx_(prover.context()),
          facts_(analysis::parameter_facts(ctx_, f)),
          solver_(prover, facts_),
          text_(text),
          leaves_(leaves),
          buffer_(buffer) {}

    std::vector<Web> run() {
        if (!find() || stores_.size() * std::max<std::size_t>(loads_.size(), 1) > kMostAccesses) {
            return {};
        }
        of_.resize(stores_.size());
        std::iota(of_.begin(), of_.end(), 0);
        std::vector<std::size_t> read(loads_.size());
        for (std::size_t k = 0; k < loads_.size(); ++k) {
            const std::vector<std::size_t> from =
                reaching(leaves_[loads_[k].first], loads_[k].second);
            if (from.empty()) return {};
            for (std::size_t s : from) join(from[0], s);
            read[k] = from[0];
        }
        std::map<std::size_t, Web> webs;
        for (std::size_t s = 0; s < stores_.size(); ++s) {
            webs[root(s)].stores.push_back(stores_[s]);
        }
        for (std::size_t k = 0; k < loads_.size(); ++k) webs[root(read[k])].loads.insert(loads_[k]);
        std::vector<Web> out;
        for (auto& [first, web] : webs) out.push_back(std::move(web));
        return out;
    }

  private:
    // The stores and loads; false where there are others.
    bool find() {
        for (const Leaf& leaf : leaves_) {
            const Store* n = leaf.stmt->as<Store>();
            if (n != nullptr && n->buffer == buffer_) stores_.push_back(leaf.number);
            for (Expr load : loads_in(leaf, buffer_)) {
                for (Expr index : load->args) {
                    if (uses(index)) return false;
                }
                loads_.emplace_back(leaf.number, load);
            }
        }
        std::size_t all = 0;
        for_each_stmt(text_, [&](Stmt s) {
            for (const Child& c : children(s)) all += c.expr != nullptr && uses(c.expr) ? 1 : 0;
            const Store* n = s->as<Store>();
            all += n != nullptr && n->buffer == buffer_ ? 1 : 0;
            const Block* block = s->as<Block>();
            if (block != nullptr && (block->reads || block->writes)) all += kMostAccesses;
        });
        std::size_t known = stores_.size();
        for (const Leaf& leaf : leaves_) {
            if (leaf.stmt->is<Allocate>()) continue;
            for (const Child& c : children(leaf.stmt)) {
                known += c.expr != nullptr && uses(c.expr) ? 1 : 0;
            }
        }
        return all == known;
    }

    bool uses(Expr e) const {
        const std::vector<Buffer> all = loaded_buffers(e);
        return std::find(all.begin(), all.end(), buffer_) != all.end();
    }

    // Stores that the load may read: those before it up to one that has stored the cell whatever
    // happens, and those of earlier iterations since.
    std::vector<std::size_t> reaching(const Leaf& here, Expr load) {
        std::vector<std::size_t> out;
        const Leaf* last = nullptr;
        for (std::size_t s = stores_.size(); s-- > 0 && last == nullptr;) {
            const Leaf& store = leaves_[stores_[s]];
            if (store.number >= here.number || !may_touch(store, here, load, {})) continue;
            out.push_back(s);
            const auto at = last_instance(ctx_, solver_, text_, store, here, load);
            if (at && is_true(runs_for(ctx_, solver_, store, *at, here, load))) last = &store;
        }
        for (std::size_t s = 0; s < stores_.size(); ++s) {
            const Leaf& store = leaves_[stores_[s]];
            const bool before = store.number < here.number;
            if (before && last != nullptr && store.number <= last->number) continue;
            std::vector<Binder> shared;
            if (last != nullptr) shared = common_loops(text_, *last, here);
            std::vector<Expr> where;
            std::vector<Expr> another;
            for (const Binder& b : common_loops(text_, store, here)) {
                const bool fixed = std::any_of(shared.begin(), shared.end(),
                                               [&](const Binder& c) { return c.var == b.var; });
                if (fixed) where.push_back(ctx_.eq(other(b.var), b.var));
                if (!fixed) another.push_back(ctx_.ne(other(b.var), b.var));
            }
            if (another.empty()) continue;
            where.push_back(ctx_.any_of(another));
            if (may_touch(store, here, load, where)) out.push_back(s);
        }
        return out;
    }

    // A variable around the store, in another instance.
    Expr other(Expr v) { return ctx_.var(*v->name + "_other", v->type); }

    bool may_touch(const Leaf& store, const Leaf& here, Expr load, std::vector<Expr> facts) {
        facts.insert(facts.end(), facts_.begin(), facts_.end());
        facts.insert(facts.end(), here.conditions.begin(), here.conditions.end());
        Substitution apart;
        for (const Binder& b : store.binders) apart[b.var] = other(b.var);
        for (Expr c : store.conditions) facts.push_back(substitute(ctx_, c, apart));
        const std::vector<Expr>& stored = store.stmt->as<Store>()->indices;
        for (std::size_t d = 0; d < stored.size(); ++d) {
            facts.push_back(ctx_.eq(substitute(ctx_, stored[d], apart), load->arg(d)));
        }
        return prover_.prove(facts, ctx_.false_()).verdict != analysis::Verdict::Proved;
    }

    std::size_t root(std::size_t s) const {
        while (of_[s] != s) s = of_[s];
        return s;
    }
    void join(std::size_t a, std::size_t b) {
        const std::size_t x = root(a);
        const std::size_t y = root(b);
        of_[std::max(x, y)] = std::min(x, y);
    }

    analysis::Prover& prover_;
    Context& ctx_;
    const std::vector<Expr> facts_;
    InstanceSolver solver_;
    Stmt text_;
    const std::vector<Leaf>& leaves_;
    Buffer buffer_;
    std::vector<std::size_t> stores_;                  // numbers of leaves
    std::vector<std::pair<std::size_t, Expr>> loads_;  // of leaves
    std::vector<std::size_t> of_;                      // for each store, one of its web
};

}  // namespace

std::vector<Expr> loads_in(const Leaf& leaf, Buffer buffer) {
    std::vector<Expr> out;
    if (leaf.stmt->is<Allocate>()) return out;
    for (const Child& c : children(leaf.stmt)) {
        if (c.expr == nullptr) continue;
        for_each_node(c.expr, [&](Expr e) {
            const bool is_one = e->op == Op::Load && e->buffer == buffer;
            if (is_one && std::find(out.begin(), out.end(), e) == out.end()) out.push_back(e);
        });
    }
    return out;
}

std::vector<Web> webs_of(analysis::Prover& prover, const Function& f, Stmt text,
                         const std::vector<Leaf>& leaves, Buffer buffer) {
    return Weaver(prover, f, text, leaves, buffer).run();
}

}  // namespace proviso::verify
