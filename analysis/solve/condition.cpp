#include "analysis/solve/condition.h"

#include "analysis/affine.h"
#include "ir/children.h"
#include "ir/text.h"

namespace proviso::analysis::solve {

using ir::Expr;

namespace {

Status solvable(Expr x) {
    if (x->op != ir::Op::Var) return error("not a variable: " + ir::print(x));
    if (!x->type.is_exact_int()) {
        return error("cannot solve for " + *x->name + ": " + x->type.str(),
                     "solving is for int32 and int64, which do not wrap");
    }
    return Unit{};
}

Checked check(Prover& prover, const char* purpose, std::vector<Expr> facts, Expr given, Expr goal) {
    if (!ir::is_true(given)) facts.push_back(given);
    Obligation obligation{purpose, std::move(facts), goal};
    Answer answer = prover.prove(obligation);
    return {std::move(obligation), std::move(answer)};
}

constexpr const char* kNecessary = "where the condition holds, the answer holds";
constexpr const char* kSufficient = "where the answer holds, the condition holds";
constexpr const char* kWitness = "where the answer holds, this value satisfies the condition";

class BoundsSolver {
  public:
    BoundsSolver(Prover& prover, const std::vector<Expr>& facts, Expr x, Expr condition)
        : prover_(prover), facts_(facts), x_(x), condition_(condition) {}

    Solutions run() {
        Solutions out;
        const Isolated most = isolate(prover_, facts_, x_, condition_, true);
        Solved over = formula_of(most);
        const Checked necessary = check(prover_, kNecessary, facts_, condition_, over.formula);
        const Checked sufficient = check(prover_, kSufficient, facts_, over.formula, condition_);
        if (necessary.proved() && sufficient.proved()) {
            over.checks = {necessary, sufficient};
            out.answers = {over};
            return out;
        }
        if (necessary.proved()) {
            over.direction = Direction::Over;
            over.checks = {necessary};
            out.answers.push_back(over);
        } else {
            out.failed.push_back(necessary);
        }
        const Isolated least = isolate(prover_, facts_, x_, condition_, false);
        Solved under = formula_of(least);
        const Checked enough = check(prover_, kSufficient, facts_, under.formula, condition_);
        if (enough.proved()) {
            under.direction = Direction::Under;
            under.checks = {enough};
            out.answers.push_back(under);
        } else {
            out.failed.push_back(enough);
        }
        return out;
    }

  private:
    Solved formula_of(const Isolated& found) {
        ir::Context& ctx = prover_.context();
        Solved out;
        out.cases = found.cases;
        std::vector<Expr> each;
        for (const Case& c : found.cases) {
            each.push_back(c.formula(ctx, x_));
            if (ir::is_true(each.back())) {  // the others add nothing
                out.cases = {c};
                each = {each.back()};
                break;
            }
        }
        out.formula = ctx.any_of(each);
        return out;
    }

    Prover& prover_;
    const std::vector<Expr>& facts_;
    Expr x_;
    Expr condition_;
};

class Projector {
  public:
    Projector(Prover& prover, const std::vector<Expr>& facts, Expr x, Expr condition)
        : prover_(prover), ctx_(prover.context()), build_(ctx_), x_(x) {
        std::vector<Expr> parts;
        for (Expr f : facts) (mentions(f, x) ? parts : facts_).push_back(f);
        parts.push_back(condition);
        condition_ = ctx_.all_of(parts);
    }

    Solutions run() {
        Solutions out;
        const Isolated most = isolate(prover_, facts_, x_, condition_, true);
        std::vector<Expr> all;
        std::vector<Expr> enough;
        std::vector<Checked> witnessed;
        bool every = !most.dropped;
        for (const Case& c : most.cases) {
            Expr p = projected(c);
            if (p == nullptr) return failed_entirely(out);
            all.push_back(p);
            const Checked w = witness(c, p);
            if (w.proved()) {
                enough.push_back(p);
                witnessed.push_back(w);
            } else {
                every = false;
                out.failed.push_back(w);
            }
        }
        Solved over{Direction::Over, {}, ctx_.any_of(all), {}};
        const Checked necessary = check(prover_, kNecessary, facts_, condition_, over.formula);
        if (necessary.proved()) {
            over.checks = {necessary};
            if (every || (witnessed.size() == most.cases.size())) {
                over.direction = Direction::Exact;
                over.checks.insert(over.checks.end(), witnessed.begin(), witnessed.end());
                out.failed.clear();
                out.answers = {over};
                return out;
            }
            out.answers.push_back(over);
        } else {
            out.failed.push_back(necessary);
        }
        add_under(out, enough, witnessed);
        return out;
    }

  private:
    Solutions failed_entirely(Solutions out) {
        Solved nothing{Direction::Over, {}, ctx_.true_(), {}};
        nothing.checks = {check(prover_, kNecessary, facts_, condition_, nothing.formula)};
        out.answers = {nothing};
        return out;
    }

    void add_under(Solutions& out, std::vector<Expr> enough, std::vector<Checked> witnessed) {
        const Isolated least = isolate(prover_, facts_, x_, condition_, false);
        for (const Case& c : least.cases) {
            Expr p = projected(c);
            if (p == nullptr) continue;
            bool known = false;
            for (Expr e : enough) known = known || e == p;
            if (known) continue;
            const Checked w = witness(c, p);
            if (!w.proved()) {
                out.failed.push_back(w);
                continue;
            }
            enough.push_back(p);
            witnessed.push_back(w);
        }
        Solved under{Direction::Under, {}, ctx_.any_of(enough), witnessed};
        out.answers.push_back(under);
    }

    // The smallest value from `low` up with the case's remainder.
    Expr aligned(const Case& c, Expr low) {
        if (c.modulus == nullptr) return low;
        Expr step = build_.remainder(build_.difference(c.remainder, low), c.modulus);
        return build_.sum(low, step);
    }

    std::vector<Expr> lowers(const Case& c) {
        std::vector<Expr> out = c.lowers;
        Expr least = ctx_.int_imm(x_->type, x_->type.min_value());
        for (Expr e : c.lowers) {
            if (prover_.proves_cheaply(facts_, ctx_.le(least, e))) return out;
        }
        out.push_back(least);
        return out;
    }
    std::vector<Expr> uppers(const Case& c) {
        std::vector<Expr> out = c.uppers;
        Expr most = ctx_.int_imm(x_->type, x_->type.max_value());
        for (Expr e : c.uppers) {
            if (prover_.proves_cheaply(facts_, ctx_.le(e, most))) return out;
        }
        out.push_back(most);
        return out;
    }

    // There is an x in the case: every lower bound, moved up to the remainder, is below every upper
    // one. Exact, because the greatest lower bound is one of them and moving up keeps order.
    Expr projected(const Case& c) {
        std::vector<Expr> parts = c.others;
        for (Expr low : lowers(c)) {
            Expr first = aligned(c, low);
            if (first == nullptr) return nullptr;
            for (Expr high : uppers(c)) {
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

    // In the case's projection, its least x satisfies the condition and is a value of x's type.
    Checked witness(const Case& c, Expr projection) {
        Expr low = nullptr;
        for (Expr e : lowers(c)) low = low == nullptr ? e : ctx_.max(low, e);
        Expr value = aligned(c, low);
        if (value == nullptr) value = low;
        const ir::ScalarType type = x_->type;
        Expr goal = ctx_.all_of({substitute(ctx_, condition_, {{x_, value}}),
                                 ctx_.le(ctx_.int_imm(type, type.min_value()), value),
                                 ctx_.le(value, ctx_.int_imm(type, type.max_value()))});
        Checked out = check(prover_, kWitness, facts_, projection, goal);
        out.obligation.purpose += ": " + *x_->name + " = " + ir::print(value);
        return out;
    }

    Prover& prover_;
    ir::Context& ctx_;
    Builder build_;
    Expr x_;
    std::vector<Expr> facts_;  // those without x
    Expr condition_;
};

}  // namespace

Result<Solutions> bounds(Prover& prover, const std::vector<Expr>& facts, Expr x, Expr condition) {
    if (const Status ok = solvable(x); !ok) return ok.error();
    return BoundsSolver(prover, facts, x, condition).run();
}

Result<Solutions> project(Prover& prover, const std::vector<Expr>& facts, Expr x, Expr condition) {
    if (const Status ok = solvable(x); !ok) return ok.error();
    return Projector(prover, facts, x, condition).run();
}

}  // namespace proviso::analysis::solve
