#include "rewrite/passes/observation_search.h"

#include <algorithm>

#include "analysis/facts/path.h"
#include "analysis/memory/claims.h"
#include "ir/children.h"
#include "rewrite/passes/witness.h"

namespace proviso::rewrite {

using namespace ir;
using namespace analysis;

namespace {

constexpr std::size_t kMostLookedAt = 64;  // statements
constexpr std::size_t kMostGiven = 6;      // observations
constexpr std::size_t kMostIterations = 2;

class Search {
  public:
    Search(Context& ctx, const Function& f, Prover& prover, Expr e, const Site& site)
        : ctx_(ctx), f_(f), prover_(prover), site_(site), shared_(point_at(ctx, f, site).loops) {
        const std::vector<Expr> free = free_vars(e);
        add_parameters(free);
        // What a loop's variable is compared with may be known of the loop's bounds.
        for (const PassedNode& step : passed_on_the_way(f, site)) {
            const For* loop = step.stmt == nullptr ? nullptr : step.stmt->as<For>();
            if (loop == nullptr || !is_in(free, loop->var)) continue;
            for (Expr bound : {loop->lo, loop->hi}) add_parameters(free_vars(bound));
        }
        for_each_node(e, [&](Expr n) {
            if (n->op == Op::Load && !is_in(loads_, n)) loads_.push_back(n);
        });
        for (Expr load : loads_) buffers_.push_back(load->buffer);
    }

    std::vector<Observation> run() {
        if (scalars_.empty() && loads_.empty()) return {};
        const std::vector<PassedNode> steps = passed_on_the_way(f_, site_);
        auto end = site_.steps.end();
        for (auto step = steps.rbegin(); step != steps.rend() && !done(); ++step) {
            const Site at{{site_.steps.begin(), --end}};
            if (step->stmt == nullptr) continue;
            if (const Seq* list = step->stmt->as<Seq>()) {
                for (std::size_t k = std::stoul(step->label); k-- > 0 && !done();) {
                    below(list->body[k], at.child(std::to_string(k)));
                }
            } else {
                one(step->stmt, at);
            }
        }
        return std::move(out_);
    }

  private:
    template <typename T>
    static bool is_in(const std::vector<T>& list, const T& x) {
        return std::find(list.begin(), list.end(), x) != list.end();
    }

    void add_parameters(const std::vector<Expr>& free) {
        const std::vector<Expr> parameters = f_.scalar_params();
        for (Expr v : free) {
            if (is_in(parameters, v) && !is_in(scalars_, v)) scalars_.push_back(v);
        }
    }

    bool done() const { return looked_at_ >= kMostLookedAt || out_.size() >= kMostGiven; }

    void below(Stmt s, const Site& site) {
        if (done()) return;
        one(s, site);
        for (const Child& c : children(s)) {
            if (c.stmt != nullptr) below(c.stmt, site.child(c.label));
        }
    }

    bool mentions(Expr e) const {
        const std::vector<Buffer> read = loaded_buffers(e);
        return std::any_of(scalars_.begin(), scalars_.end(),
                           [&](Expr v) { return occurs_free(v, e); }) ||
               std::any_of(read.begin(), read.end(), [&](Buffer b) { return is_in(buffers_, b); });
    }

    void one(Stmt s, const Site& where) {
        ++looked_at_;
        const std::vector<Child> parts = children(s);
        const bool relevant = std::any_of(parts.begin(), parts.end(), [&](const Child& c) {
            return c.expr != nullptr && mentions(c.expr);
        });
        if (!relevant) return;
        std::vector<Substitution> all;
        std::vector<Buffer> reads;
        for (Expr part : observed_by(ctx_, s)) {
            if (!mentions(part)) continue;
            for (Buffer b : loaded_buffers(part)) {
                if (!is_in(reads, b)) reads.push_back(b);
            }
            iterations(part, where, all);
        }
        for (const Substitution& at : all) out_.push_back(Observation{where, at, reads});
    }

    // At which it speaks of a cell that is asked for; of parameters, at any.
    void iterations(Expr part, const Site& where, std::vector<Substitution>& out) {
        const auto add = [&](const std::vector<Expr>& indices, const std::vector<Expr>& cell) {
            Access position = point_at(ctx_, f_, where);
            position.indices.clear();
            for (Expr i : indices) {
                position.indices.push_back(substitute(ctx_, i, position.lets));
            }
            for (const Substitution& at :
                 iterations_touching(prover_, f_, position, cell, shared_, kMostIterations)) {
                if (!is_in(out, at)) out.push_back(at);
            }
        };
        bool reads = false;
        for_each_node(part, [&](Expr n) {
            if (n->op != Op::Load || !is_in(buffers_, n->buffer)) return;
            reads = true;
            for (Expr load : loads_) {
                if (load->buffer != n->buffer) continue;
                add({n->args.begin(), n->args.end()}, {load->args.begin(), load->args.end()});
            }
        });
        if (!reads) add({}, {});
    }

    Context& ctx_;
    const Function& f_;
    Prover& prover_;
    const Site& site_;
    std::vector<Expr> shared_;
    std::vector<Expr> scalars_;
    std::vector<Expr> loads_;
    std::vector<Buffer> buffers_;
    std::vector<Observation> out_;
    std::size_t looked_at_ = 0;
};

}  // namespace

std::vector<Observation> observations_of(Context& ctx, const Function& f, Prover& prover, Expr e,
                                         const Site& site) {
    return Search(ctx, f, prover, e, site).run();
}

}  // namespace proviso::rewrite
