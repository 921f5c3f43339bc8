#include "analysis/bounds/repeats.h"

#include <algorithm>

#include "analysis/regions/linear_reader.h"
#include "analysis/regions/region.h"

namespace proviso::analysis {

using ir::Expr;
using ir::Integer;

namespace {

// The numbers that a value is made of: indices of what is read, and what else loops decide. False:
// there is something that is no number.
bool numbers_of(Expr e, std::vector<Expr>& out) {
    if (ir::free_vars(e).empty() && ir::loaded_buffers(e).empty()) return true;
    if (e->type.is_int() && ir::loaded_buffers(e).empty()) {
        if (std::find(out.begin(), out.end(), e) == out.end()) out.push_back(e);
        return true;
    }
    if (e->op == ir::Op::Var) return false;
    return std::all_of(e->args.begin(), e->args.end(),
                       [&](Expr arg) { return numbers_of(arg, out); });
}

class Pair {
  public:
    Pair(ir::Context& ctx, const RepeatedStore& repeated) : ctx_(ctx), store_(*repeated.store) {
        std::vector<Expr> varying = store_.loops;
        varying.insert(varying.end(), store_.opaque.begin(), store_.opaque.end());
        for (std::size_t k = 0; k < varying.size(); ++k) {
            Expr v = varying[k];
            const bool reduction = k >= repeated.shared && k < store_.loops.size() &&
                                   std::none_of(
                                       store_.indices.begin(), store_.indices.end(),
                                       [&](Expr index) { return ir::occurs_free(v, index); });
            if (reduction) sums_ = true;
            if (k < repeated.life || reduction) continue;
            other_[v] = ctx.var("other " + std::to_string(k), v->type);
        }
        for (const auto& [v, copy] : other_) varying.push_back(copy);
        reader_.emplace(ctx, varying);
        facts_ = RegionScope(ctx, {}, repeated.known).known();
        known_ = numbers_of(store_.value, numbers_);
        if (!known_) return;
        cases_ = both(reader_->conditions(store_.may), reader_->conditions(there(store_.may)));
        for (Expr index : store_.indices) cases_ = both(cases_, same(index));
        known_ = cases_.size() <= kMostCases;
    }

    bool readable() const { return known_; }
    bool sums() const { return sums_; }
    const std::vector<Expr>& numbers() const { return numbers_; }
    std::vector<Conjunction>& cases() { return cases_; }

    std::vector<Conjunction> same(Expr e) {
        std::vector<Conjunction> out;
        const std::vector<GuardedForm> second = reader_->forms(there(e));
        for (const GuardedForm& a : reader_->forms(e)) {
            for (const GuardedForm& b : second) {
                out.push_back(a.when);
                out.back().add(b.when).equal(a.form - b.form);
            }
        }
        return out;
    }

    // The number is the same in both iterations, in all cases.
    bool never_apart(Expr e) {
        const std::vector<GuardedForm> first = reader_->forms(e);
        const std::vector<GuardedForm> second = reader_->forms(there(e));
        for (const Conjunction& c : cases_) {
            for (const GuardedForm& a : first) {
                for (const GuardedForm& b : second) {
                    Conjunction at = c;
                    at.add(a.when).add(b.when).add(facts_).add(reader_->known());
                    if (!known_at_least_zero(at, a.form - b.form) ||
                        !known_at_least_zero(at, b.form - a.form)) {
                        return false;
                    }
                }
            }
        }
        return true;
    }

  private:
    Expr there(Expr e) const { return ir::substitute(ctx_, e, other_); }

    ir::Context& ctx_;
    const Access& store_;
    ir::Substitution other_;
    std::optional<LinearReader> reader_;
    Conjunction facts_;
    std::vector<Expr> numbers_;
    std::vector<Conjunction> cases_;  // in which both store to one cell
    bool known_ = false;
    bool sums_ = false;
};

}  // namespace

bool same_value_again(ir::Context& ctx, const RepeatedStore& repeated) {
    Pair pair(ctx, repeated);
    return pair.readable() && std::all_of(pair.numbers().begin(), pair.numbers().end(),
                                          [&](Expr e) { return pair.never_apart(e); });
}

bool another_value_each_time(ir::Context& ctx, const RepeatedStore& repeated) {
    Pair pair(ctx, repeated);
    if (!pair.readable() || pair.sums()) return false;
    for (Expr e : pair.numbers()) {
        pair.cases() = both(pair.cases(), pair.same(e));
        if (pair.cases().size() > kMostCases) return false;
    }
    for (std::size_t k = repeated.life; k < repeated.shared; ++k) {
        if (!pair.never_apart(repeated.store->loops[k])) return false;
    }
    return true;
}

}  // namespace proviso::analysis
