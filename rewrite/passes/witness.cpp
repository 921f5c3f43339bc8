#include "rewrite/passes/witness.h"

#include <algorithm>
#include <optional>

#include "analysis/facts/facts.h"
#include "analysis/solve/invert.h"
#include "ir/children.h"

namespace proviso::rewrite {

using namespace ir;
using analysis::solve::IndexMap;

namespace {

// A loop's range, as far as the access's domain says it in the form lo <= v, v < hi, and the only
// iteration at which the access runs, in the form v == only: the start of a block's reduction.
struct LoopBounds {
    Expr lo = nullptr;
    Expr hi = nullptr;
    Expr only = nullptr;
};

class Search {
  public:
    Search(analysis::Prover& prover, const Function& f, const analysis::Access& access,
           const std::vector<Expr>& cell, const std::vector<Expr>& shared, std::size_t limit)
        : prover_(prover),
          ctx_(prover.context()),
          access_(access),
          cell_(cell),
          shared_(shared),
          limit_(limit),
          known_(analysis::parameter_facts(ctx_, f)) {
        const std::vector<Expr> domain = conjuncts(access.may);
        for (Expr v : access.loops) bounds_.push_back(bounds_of(v, domain));
        for (Expr c : domain) {
            if (loaded_buffers(c).empty()) known_.push_back(c);
        }
    }

    std::vector<Substitution> run() {
        std::vector<Expr> in_cell;
        for (Expr v : access_.loops) {
            const bool occurs = std::any_of(access_.indices.begin(), access_.indices.end(),
                                            [&](Expr e) { return occurs_free(v, e); });
            if (occurs) in_cell.push_back(v);
        }
        determine(in_cell, {}, 2);
        return std::move(out_);
    }

  private:
    LoopBounds bounds_of(Expr v, const std::vector<Expr>& domain) const {
        LoopBounds out;
        for (Expr c : domain) {
            if (c->op == Op::Le && c->arg(1) == v && out.lo == nullptr) out.lo = c->arg(0);
            if (c->op == Op::Lt && c->arg(0) == v && out.hi == nullptr) out.hi = c->arg(1);
            if (c->op == Op::Eq && c->arg(0) == v && is_int_const(c->arg(1))) out.only = c->arg(1);
        }
        return out;
    }

    const LoopBounds& bounds(Expr v) const {
        const auto at = std::find(access_.loops.begin(), access_.loops.end(), v);
        return bounds_[static_cast<std::size_t>(at - access_.loops.begin())];
    }

    // The open loops from the cell; where that is not possible, with one of them fixed, and then
    // another (`depth` of them).
    void determine(const std::vector<Expr>& open, const Substitution& fixed, int depth) {
        if (out_.size() >= limit_) return;
        bool solved = false;
        for (Substitution s : solutions(open, fixed)) {
            s.insert(fixed.begin(), fixed.end());
            complete(0, s);
            solved = true;
        }
        if (solved || depth == 0) return;
        for (auto v = open.rbegin(); v != open.rend(); ++v) {
            std::vector<Expr> rest = open;
            rest.erase(std::find(rest.begin(), rest.end(), *v));
            for (Expr choice : choices(*v)) {
                Substitution more = fixed;
                more[*v] = choice;
                determine(rest, more, depth - 1);
            }
        }
    }

    std::vector<Substitution> solutions(const std::vector<Expr>& open, const Substitution& fixed) {
        if (open.empty()) return {Substitution{}};
        IndexMap map;
        map.facts = known_;
        Substitution shifted = fixed;
        std::vector<Expr> starts;
        for (Expr v : open) {
            const LoopBounds& b = bounds(v);
            if (b.lo == nullptr || b.hi == nullptr) return {};
            const bool from_zero = is_int_const(b.lo) && b.lo->int_value() == 0;
            starts.push_back(from_zero ? nullptr : b.lo);
            Expr steps = from_zero ? v : ctx_.var(*v->name + "_from_start", v->type);
            map.vars.push_back(steps);
            map.extents.push_back(from_zero ? b.hi : ctx_.sub(b.hi, b.lo));
            if (!from_zero) shifted[v] = ctx_.add(steps, b.lo);
        }
        for (Expr& fact : map.facts) fact = substitute(ctx_, fact, shifted);
        for (Expr& extent : map.extents) extent = substitute(ctx_, extent, shifted);
        std::vector<Expr> physical;
        Substitution at_cell;
        for (std::size_t k = 0; k < cell_.size(); ++k) {
            map.results.push_back(substitute(ctx_, access_.indices[k], shifted));
            physical.push_back(ctx_.var("cell_" + std::to_string(k), cell_[k]->type));
            at_cell[physical[k]] = cell_[k];
        }
        for (const auto* list : {&map.vars, &map.extents, &map.results}) {
            for (Expr e : *list) {
                if (e->type != map.type() || !e->type.is_exact_int()) return {};
            }
        }
        std::vector<Substitution> out;
        for (const auto& [method, inverse] :
             analysis::solve::inverse_candidates(prover_, map, physical)) {
            Substitution at;
            for (std::size_t k = 0; k < open.size(); ++k) {
                Expr value = substitute(ctx_, inverse[k], at_cell);
                at[open[k]] = starts[k] == nullptr ? value : ctx_.add(value, starts[k]);
            }
            out.push_back(std::move(at));
        }
        return out;
    }

    // The only iteration; else its own one, if it is shared, the first and the last one.
    std::vector<Expr> choices(Expr v) const {
        if (bounds(v).only != nullptr) return {bounds(v).only};
        std::vector<Expr> out;
        if (std::find(shared_.begin(), shared_.end(), v) != shared_.end()) out.push_back(v);
        const LoopBounds& b = bounds(v);
        const auto usable = [&](Expr e) {  // bounds that depend on other loops are no guess
            return e != nullptr && std::none_of(access_.loops.begin(), access_.loops.end(),
                                                [&](Expr loop) { return occurs_free(loop, e); });
        };
        if (usable(b.lo)) out.push_back(b.lo);
        if (!usable(b.hi)) return out;
        const bool constant = is_int_const(b.hi);
        Expr last = constant ? ctx_.int_imm(b.hi->type, b.hi->int_value() - 1)
                             : ctx_.sub(b.hi, ctx_.int_imm(b.hi->type, 1));
        if (std::find(out.begin(), out.end(), last) == out.end()) out.push_back(last);
        return out;
    }

    // Loops from the k-th one that have no value yet.
    void complete(std::size_t k, const Substitution& so_far) {
        while (k < access_.loops.size() && so_far.count(access_.loops[k]) != 0) ++k;
        if (out_.size() >= limit_) return;
        if (k == access_.loops.size()) {
            if (std::find(out_.begin(), out_.end(), so_far) == out_.end()) out_.push_back(so_far);
            return;
        }
        for (Expr choice : choices(access_.loops[k])) {
            Substitution next = so_far;
            next[access_.loops[k]] = choice;
            complete(k + 1, next);
        }
    }

    analysis::Prover& prover_;
    Context& ctx_;
    const analysis::Access& access_;
    const std::vector<Expr>& cell_;
    const std::vector<Expr>& shared_;
    std::size_t limit_;
    std::vector<Expr> known_;
    std::vector<LoopBounds> bounds_;
    std::vector<Substitution> out_;
};

}  // namespace

std::vector<Substitution> iterations_touching(analysis::Prover& prover, const Function& f,
                                              const analysis::Access& access,
                                              const std::vector<Expr>& cell,
                                              const std::vector<Expr>& shared, std::size_t limit) {
    if (cell.size() != access.indices.size()) return {};
    for (std::size_t k = 0; k < cell.size(); ++k) {
        if (cell[k]->type != access.indices[k]->type) return {};
    }
    return Search(prover, f, access, cell, shared, limit).run();
}

}  // namespace proviso::rewrite
