#include "backend/cpu/no_wrap.h"

#include <map>

#include "analysis/facts/facts.h"
#include "analysis/facts/formula.h"

namespace proviso::backend {

using namespace ir;

namespace {

class NoWrap {
  public:
    NoWrap(const rewrite::Derivation& d, analysis::Prover& prover)
        : ctx_(d.context()), function_(d.current()), prover_(prover) {}

    std::set<Expr> run() {
        for (const auto& [site, stmt] : all_statements(function_)) {
            for (const Child& c : children(stmt)) {
                if (c.expr == nullptr) continue;
                if (c.expr->size <= kLargest) {
                    expression(c.expr, site.child(c.label));
                } else {
                    unasked(c.expr);
                }
            }
            if (const Allocate* n = stmt->as<Allocate>()) extents(n->buffer);
        }
        for (Buffer b : function_.buffer_params()) extents(b);
        std::set<Expr> out;
        for (const auto& [e, everywhere] : in_range_) {
            if (everywhere) out.insert(e);
        }
        return out;
    }

  private:
    // Nodes of a whole expression. In a larger one every part would be a claim nearly as large as
    // the whole: its arithmetic is left without the hint, wherever else it stands.
    static constexpr std::uint32_t kLargest = 2'000;

    static bool is_ring(Expr e) {
        const bool ring =
            e->op == Op::Add || e->op == Op::Sub || e->op == Op::Mul || e->op == Op::Neg;
        return ring && e->type.is_exact_int();
    }

    // A node is the same one at every place where it stands, so it has the hint everywhere or
    // nowhere: of what nobody asks about here, no part may have it from elsewhere.
    void unasked(Expr e) {
        for_each_node(e, [&](Expr n) {
            if (is_ring(n)) in_range_[n] = false;
        });
    }

    void extents(Buffer b) {
        for (Expr extent : b->shape) unasked(extent);
    }

    void expression(Expr e, const Site& site) {
        for (std::size_t i = 0; i < e->args.size(); ++i) {
            expression(e->arg(i), site.child("a" + std::to_string(i)));
        }
        if (!is_ring(e)) return;
        const auto known = in_range_.find(e);
        if (known != in_range_.end() && !known->second) return;
        const std::vector<Expr> facts = analysis::facts_at(ctx_, function_, site);
        in_range_[e] = prover_.proves_cheaply(facts, analysis::in_range(ctx_, e));
    }

    Context& ctx_;
    const Function& function_;
    analysis::Prover& prover_;
    std::map<Expr, bool> in_range_;  // at every place seen so far
};

}  // namespace

std::set<Expr> proved_no_wrap(const rewrite::Derivation& derivation, analysis::Prover& prover) {
    return NoWrap(derivation, prover).run();
}

}  // namespace proviso::backend
