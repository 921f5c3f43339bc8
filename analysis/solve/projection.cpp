#include "analysis/solve/projection.h"

#include "analysis/facts/affine.h"
#include "analysis/solve/tidy.h"
#include "ir/children.h"

namespace proviso::analysis::solve {

using ir::Expr;

namespace {

class CaseProjector {
  public:
    CaseProjector(Prover& prover, const std::vector<Expr>& facts, Expr x, const Case& c)
        : prover_(prover),
          ctx_(prover.context()),
          build_(ctx_),
          facts_(facts),
          x_(x),
          case_(with_one_window(c)),
          known_(facts_) {
        known_.insert(known_.end(), case_.others.begin(), case_.others.end());
        lowers_ = case_.lowers;
        uppers_ = case_.uppers;
        if (!any_holds(case_.lowers, true)) lowers_.push_back(least());
        if (!any_holds(case_.uppers, false)) uppers_.push_back(most());
    }

    // There is an x in the case: every lower bound, moved up to the window, is below every upper
    // one. Exact, because the greatest lower bound is one of them and moving up keeps order.
    Expr formula() {
        std::vector<Expr> parts = case_.others;
        std::vector<Expr> firsts;  // of the least x they are the maximum
        for (Expr low : lowers_) {
            const bool single =
                case_.windows.empty() || ir::is_int_const(case_.windows[0].width, 0);
            if (!single) firsts.push_back(low);
            firsts.push_back(single ? aligned(low) : last_start(low));
        }
        for (Expr first : firsts) {
            if (first == nullptr) continue;
            for (Expr high : uppers_) {
                Expr part = build_.balanced(ctx_.le(first, high));
                const Affine gap = Affine::of(high) - Affine::of(first);
                if (gap.is_constant()) part = ctx_.bool_imm(gap.constant().sign() >= 0);
                std::vector<Expr> known = facts_;
                known.insert(known.end(), parts.begin(), parts.end());
                if (!prover_.proves_cheaply(known, part)) parts.push_back(part);
            }
        }
        return ctx_.all_of(parts);
    }

    // The least x, and before it what reads better and is not always in the case.
    std::vector<Expr> witnesses(Expr projection) {
        std::vector<Expr> out;
        known_.push_back(projection);
        drop_implied_ends(prover_, known_, case_.lowers, true);
        drop_implied_ends(prover_, known_, case_.uppers, false);
        const auto add = [&](Expr value) {
            if (value != nullptr) out.push_back(value);
        };
        if (!case_.lowers.empty()) {
            add(aligned(extremum(case_.lowers, true)));
        } else if (case_.uppers.empty()) {
            add(aligned(number(0)));
        } else if (case_.windows.empty()) {
            add(extremum(case_.uppers, false));
        }
        Expr low = extremum(lowers_, true);
        Expr last = aligned(low);
        add(last == nullptr ? low : last);
        return out;
    }

  private:
    Expr number(const ir::Integer& n) { return build_.number(x_->type, n); }
    Expr least() { return ctx_.int_imm(x_->type, x_->type.min_value()); }
    Expr most() { return ctx_.int_imm(x_->type, x_->type.max_value()); }

    Case with_one_window(Case c) {
        while (c.windows.size() > 1) {
            const Window second = c.windows.back();
            c.windows.pop_back();
            const auto one = joined(ctx_, c.windows.back(), second);
            if (!one) continue;
            c.windows.back() = one->window;
            if (one->compatible != nullptr) c.others.push_back(one->compatible);
        }
        drop_implied(prover_, facts_, c.others);
        return c;
    }

    Expr extremum(const std::vector<Expr>& ends, bool greatest) {
        Expr out = nullptr;
        for (Expr e : ends) {
            out = out == nullptr ? e : greatest ? ctx_.max(out, e) : ctx_.min(out, e);
        }
        return out;
    }

    // e modulo m, without the remainder taken where that is known to do nothing.
    Expr remainder(Expr e, Expr m) {
        Expr small = reduced_modulo(ctx_, e, m);
        if (small == nullptr) return nullptr;
        const bool fits = prover_.proves_cheaply(known_, ctx_.le(number(0), small)) &&
                          prover_.proves_cheaply(known_, ctx_.lt(small, m));
        return fits ? small : build_.remainder(small, m);
    }

    // From `low` to the start of the run of residues that ends at or after it.
    Expr step_to_start(Expr low) {
        const Window& w = case_.windows[0];
        Expr last = build_.sum(w.first, w.width);
        Expr distance = remainder(build_.difference(last, low), w.modulus);
        return build_.difference(distance, w.width);
    }
    Expr last_start(Expr low) { return build_.sum(low, step_to_start(low)); }

    // The smallest value from `low` up within the window: low + d for d = first - low modulo m;
    // with a width, d = max((first + width - low) % m - width, 0).
    Expr aligned(Expr low) {
        if (case_.windows.empty()) return low;
        const Window& w = case_.windows[0];
        Expr step = step_to_start(low);
        if (step == nullptr) return nullptr;
        const bool single = ir::is_int_const(w.width, 0);
        if (!single && ir::is_int_const(step)) {
            if (step->int_value() < 0) step = number(0);
        } else if (!single) {
            step = ctx_.max(step, number(0));
        }
        return build_.sum(low, step);
    }

    bool any_holds(const std::vector<Expr>& ends, bool lower) {
        for (Expr e : ends) {
            if (holds(lower ? ctx_.le(least(), e) : ctx_.le(e, most()))) return true;
        }
        return false;
    }
    // Bits are left to solvers.
    bool holds(Expr claim) {
        if (prover_.proves_cheaply(known_, claim)) return true;
        const bool bits = ir::has_op(claim, ir::Op::BitXor) || ir::has_op(claim, ir::Op::BitOr) ||
                          ir::has_op(claim, ir::Op::BitAnd);
        return bits && prover_.prove(known_, claim).verdict == Verdict::Proved;
    }

    Prover& prover_;
    ir::Context& ctx_;
    Builder build_;
    const std::vector<Expr>& facts_;
    Expr x_;
    Case case_;
    std::vector<Expr> known_;
    std::vector<Expr> lowers_;  // with the ends of x's type, where nothing is known to be in them
    std::vector<Expr> uppers_;
};

}  // namespace

ProjectedCase projected(Prover& prover, const std::vector<Expr>& facts, Expr x, const Case& c) {
    CaseProjector projector(prover, facts, x, c);
    Expr formula = projector.formula();
    return {formula, projector.witnesses(formula)};
}

}  // namespace proviso::analysis::solve
