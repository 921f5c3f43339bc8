#include "analysis/solve/tidy.h"

#include "analysis/facts/affine.h"

namespace proviso::analysis::solve {

using ir::Expr;

namespace {

bool is_remainder(Prover& prover, const std::vector<Expr>& known, Expr e, Expr modulus) {
    ir::Context& ctx = prover.context();
    return e != nullptr && prover.proves_cheaply(known, ctx.le(ctx.int_imm(e->type, 0), e)) &&
           prover.proves_cheaply(known, ctx.lt(e, modulus));
}

// Of m consecutive numbers one has the remainder that is asked for.
void make_point(Prover& prover, const std::vector<Expr>& known, Case& c) {
    if (c.lowers.size() != 1 || c.uppers.size() != 1 || c.windows.size() != 1) return;
    const Window& w = c.windows[0];
    const Affine count = Affine::of(c.uppers[0]) - Affine::of(c.lowers[0]) + Affine(1);
    if (!ir::is_int_const(w.width, 0) || !(count == Affine::of(w.modulus))) return;
    const Builder build(prover.context());
    Expr step = reduced_modulo(prover.context(), build.difference(w.first, c.lowers[0]), w.modulus);
    Expr value = build.sum(c.lowers[0], step);
    if (value == nullptr || !is_remainder(prover, known, step, w.modulus)) return;
    c = Case{{value}, {value}, {}, c.others};
}

}  // namespace

void drop_implied_ends(Prover& prover, const std::vector<Expr>& known, std::vector<Expr>& ends,
                       bool lower) {
    ir::Context& ctx = prover.context();
    for (std::size_t i = 0; i < ends.size();) {
        bool implied = false;
        for (std::size_t j = 0; j < ends.size() && !implied; ++j) {
            if (i == j) continue;
            Expr claim = lower ? ctx.le(ends[i], ends[j]) : ctx.le(ends[j], ends[i]);
            implied = prover.proves_cheaply(known, claim);
        }
        if (implied) {
            ends.erase(ends.begin() + static_cast<std::ptrdiff_t>(i));
        } else {
            ++i;
        }
    }
}

void drop_implied(Prover& prover, const std::vector<Expr>& facts, std::vector<Expr>& conditions) {
    for (std::size_t i = conditions.size(); i-- > 0;) {
        std::vector<Expr> known = facts;
        for (std::size_t j = 0; j < conditions.size(); ++j) {
            if (j != i) known.push_back(conditions[j]);
        }
        if (!prover.proves_cheaply(known, conditions[i])) continue;
        conditions.erase(conditions.begin() + static_cast<std::ptrdiff_t>(i));
    }
}

bool tidy(Prover& prover, const std::vector<Expr>& facts, Expr x, Case& c) {
    drop_implied(prover, facts, c.others);
    std::vector<Expr> known = facts;
    known.insert(known.end(), c.others.begin(), c.others.end());
    drop_implied_ends(prover, known, c.lowers, true);
    drop_implied_ends(prover, known, c.uppers, false);
    for (Window& w : c.windows) w.is_remainder = is_remainder(prover, known, w.first, w.modulus);
    make_point(prover, known, c);
    known.push_back(c.formula(prover.context(), x));
    return !prover.proves_cheaply(known, prover.context().false_());
}

}  // namespace proviso::analysis::solve
