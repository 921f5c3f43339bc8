#include "analysis/solve/equations.h"

#include <algorithm>

#include "analysis/facts/affine.h"
#include "ir/children.h"
#include "ir/domains/congruence.h"

namespace proviso::analysis::solve {

using ir::Expr;
using ir::Integer;
using ir::Op;

namespace {

constexpr int kMostRounds = 64;

// left = right, for a form over the map's variables and an expression without them.
struct Equation {
    Affine left;
    Expr right;
    bool used = false;
};

// (of // weight) % modulus = value; a quotient when there is no modulus.
struct Digit {
    Expr of;
    Expr weight;
    Expr modulus;
    Expr value;
    bool used = false;
};

class EquationSolver {
  public:
    EquationSolver(Prover& prover, const IndexMap& map, const std::vector<Expr>& physical)
        : prover_(prover),
          ctx_(prover.context()),
          build_(ctx_),
          map_(map),
          domain_(map.domain(ctx_)) {
        for (std::size_t k = 0; k < map.results.size(); ++k) {
            enter(Affine::of(map.results[k]), physical[k]);
        }
    }

    std::optional<std::vector<Expr>> run() {
        for (int round = 0; round < kMostRounds && !solved(); ++round) {
            if (!terms() && !digits() && !eliminate() && !single_values()) return std::nullopt;
        }
        if (!solved()) return std::nullopt;
        std::vector<Expr> out;
        for (Expr v : map_.vars) out.push_back(found_.at(v));
        return out;
    }

  private:
    bool solved() const { return found_.size() == map_.vars.size(); }
    Expr number(const Integer& n) { return build_.number(map_.type(), n); }
    Expr expr(const Affine& form) { return form.expr(ctx_, map_.type()); }

    // Variables that are still open occur in e.
    bool open(Expr e) const {
        return std::any_of(map_.vars.begin(), map_.vars.end(),
                           [&](Expr v) { return found_.count(v) == 0 && mentions(e, v); });
    }
    bool proves(Expr claim) { return claim != nullptr && prover_.proves_cheaply(domain_, claim); }
    // 0 <= e < limit on the whole domain.
    bool within(Expr e, Expr limit) {
        return e != nullptr && limit != nullptr && proves(ctx_.le(number(0), e)) &&
               proves(ctx_.lt(e, limit));
    }

    void enter(const Affine& left, Expr right) {
        if (right != nullptr && equations_.size() < 64) equations_.push_back({left, right, false});
    }
    void enter(Expr left, Expr right) {
        if (left != nullptr) enter(Affine::of(left), right);
    }

    // What is found goes to the right side.
    bool refresh(Equation& e) {
        Expr left = expr(e.left);
        if (left == nullptr) return false;
        const Affine now = Affine::of(substitute(ctx_, left, found_));
        Affine known = now.constant();
        Affine rest;
        for (const auto& [t, factor] : now.terms()) {
            (open(t) ? rest : known).add(Affine::term(t, factor));
        }
        e.left = rest;
        e.right = build_.difference(e.right, expr(known));
        return e.right != nullptr;
    }

    // Variables that nothing says anything of and that have one value only.
    bool single_values() {
        bool progress = false;
        for (std::size_t i = 0; i < map_.vars.size(); ++i) {
            Expr v = map_.vars[i];
            if (found_.count(v) != 0 || !proves(ctx_.le(map_.extents[i], number(1)))) continue;
            found_[v] = number(0);
            progress = true;
        }
        return progress;
    }

    bool terms() {
        bool progress = false;
        for (std::size_t i = 0; i < equations_.size(); ++i) {
            if (equations_[i].used) continue;
            if (!refresh(equations_[i])) {
                equations_[i].used = true;
                continue;
            }
            const Equation e = equations_[i];
            bool done = e.left.terms().empty();
            if (!done && e.left.terms().size() == 1) {
                const auto& [t, factor] = e.left.terms()[0];
                Expr value = factor.sign() < 0 ? build_.difference(number(0), e.right) : e.right;
                done = term(t, build_.floored(value, number(abs(factor))));
            } else if (!done) {
                done = split(e) || split_symbolic(e);
            }
            equations_[i].used = done;
            progress = progress || (done && !e.left.terms().empty());
        }
        return progress;
    }

    // t = value.
    bool term(Expr t, Expr value) {
        if (value == nullptr) return false;
        switch (t->op) {
            case Op::Var: found_[t] = value; return true;
            case Op::FloorDiv:
            case Op::FloorMod:
            case Op::Shr:
            case Op::BitAnd: {
                const std::optional<Digit> d = digit(t, value);
                if (d) digits_.push_back(*d);
                return d.has_value();
            }
            case Op::Mul:
                for (const auto& [u, s] :
                     {std::pair(t->arg(0), t->arg(1)), std::pair(t->arg(1), t->arg(0))}) {
                    if (open(s)) continue;
                    enter(u, build_.floored(value, substitute(ctx_, s, found_)));
                    return true;
                }
                return false;
            case Op::BitXor:
                for (const auto& [u, s] :
                     {std::pair(t->arg(0), t->arg(1)), std::pair(t->arg(1), t->arg(0))}) {
                    if (open(s)) continue;
                    enter(u, ctx_.make(Op::BitXor, {value, substitute(ctx_, s, found_)}));
                    return true;
                }
                return disjoint(t, value);
            case Op::BitOr: return disjoint(t, value);
            default: return false;
        }
    }

    // Without a common bit, | and ^ are sums.
    bool disjoint(Expr t, Expr value) {
        Expr sum = ctx_.add(t->arg(0), t->arg(1));
        if (!proves(ctx_.eq(t, sum))) return false;
        enter(sum, value);
        return true;
    }

    // The quotient or remainder that t is, nested ones as one.
    std::optional<Digit> digit(Expr t, Expr value) {
        Digit d{t->arg(0), number(1), nullptr, value, false};
        Expr by = substitute(ctx_, t->arg(1), found_);
        if (t->op == Op::Shr || t->op == Op::BitAnd) {
            if (!ir::is_int_const(by)) return std::nullopt;
            const Integer c = by->int_value();
            if (c.sign() < 0 || (t->op == Op::Shr && c >= Integer(t->type.bits - 1))) {
                return std::nullopt;
            }
            by = t->op == Op::Shr
                     ? number(Integer::power_of_two(static_cast<unsigned>(*c.to_int128())))
                     : number(c + 1);
            const bool mask = t->op == Op::Shr || (by != nullptr && is_power_of_two(by));
            if (!mask) return std::nullopt;
        }
        if (open(by) || by == nullptr) return std::nullopt;
        const bool quotient = t->op == Op::FloorDiv || t->op == Op::Shr;
        (quotient ? d.weight : d.modulus) = by;
        while (true) {  // what is inside
            Expr in = d.of;
            const bool divides = in->op == Op::FloorDiv && !open(in->arg(1));
            const bool wraps = in->op == Op::FloorMod && !open(in->arg(1));
            if (divides) {
                d.weight = build_.product(d.weight, in->arg(1));
            } else if (wraps && d.modulus == nullptr && multiple(in->arg(1), d.weight)) {
                d.modulus = number(
                    floordiv(Integer(in->arg(1)->int_value()), Integer(d.weight->int_value())));
            } else if (!(wraps && d.modulus != nullptr && d.weight == number(1) &&
                         multiple(in->arg(1), d.modulus))) {
                return d.weight == nullptr ? std::nullopt : std::optional<Digit>(d);
            }
            d.of = in->arg(0);
        }
    }

    static bool is_power_of_two(Expr e) {
        const ir::Int128 c = e->int_value();
        return c > 0 && (c & (c - 1)) == 0;
    }
    static bool multiple(Expr a, Expr b) {
        return ir::is_int_const(a) && ir::is_int_const(b) && b->int_value() > 0 &&
               a->int_value() % b->int_value() == 0;
    }

    // Terms that are multiples of a constant g, and the others within [lo, lo + g).
    bool split(const Equation& e) {
        std::vector<Integer> sizes;
        for (const auto& [t, factor] : e.left.terms()) sizes.push_back(abs(factor));
        std::sort(sizes.begin(), sizes.end(),
                  [](const Integer& a, const Integer& b) { return b < a; });
        for (const Integer& g : sizes) {
            Affine high;
            Affine rest;
            for (const auto& [t, factor] : e.left.terms()) {
                const bool whole = floormod(factor, g).is_zero();
                (whole ? high : rest).add(Affine::term(t, whole ? floordiv(factor, g) : factor));
            }
            if (g == 1 || rest.terms().empty() || high.terms().empty()) continue;
            const std::optional<Affine> lo = least(rest);
            if (!lo || !within(expr(rest - *lo), number(g))) continue;
            Expr right = build_.difference(e.right, expr(*lo));
            enter(high, build_.floored(right, number(g)));
            enter(rest, build_.sum(build_.remainder(right, number(g)), expr(*lo)));
            return true;
        }
        return false;
    }

    // The least value of what variables with negative factors take away; none where a term is no
    // variable.
    std::optional<Affine> least(const Affine& form) const {
        Affine out;
        for (const auto& [t, factor] : form.terms()) {
            if (factor.sign() > 0) continue;
            const auto at = std::find(map_.vars.begin(), map_.vars.end(), t);
            if (at == map_.vars.end()) return std::nullopt;
            Expr extent = map_.extents[static_cast<std::size_t>(at - map_.vars.begin())];
            out.add(Affine::of(extent) - Affine(1), factor);
        }
        return out;
    }

    // u * s + rest with 0 <= rest < s for a symbolic s.
    bool split_symbolic(const Equation& e) {
        std::vector<Expr> candidates;
        for (const auto& [t, factor] : e.left.terms()) {
            std::vector<Expr> fixed;
            factors(t, fixed);
            if (fixed.empty()) continue;
            Expr all = fixed[0];
            for (std::size_t i = 1; i < fixed.size(); ++i) all = ctx_.mul(all, fixed[i]);
            candidates.push_back(all);
            candidates.insert(candidates.end(), fixed.begin(), fixed.end());
        }
        for (Expr s : candidates) {
            Affine high;
            Affine rest;
            for (const auto& [t, factor] : e.left.terms()) {
                Expr u = without_factor(t, s);
                (u != nullptr ? high : rest)
                    .add(u != nullptr ? Affine::of(u) : Affine::term(t), factor);
            }
            if (high.terms().empty() || rest.terms().empty() || !within(expr(rest), s)) continue;
            enter(high, build_.floored(e.right, s));
            enter(rest, build_.remainder(e.right, s));
            return true;
        }
        return false;
    }

    // The factors of a product that are known.
    void factors(Expr t, std::vector<Expr>& fixed) const {
        if (t->op == Op::Mul) {
            factors(t->arg(0), fixed);
            factors(t->arg(1), fixed);
        } else if (!open(t) && !ir::is_int_const(t)) {
            fixed.push_back(t);
        }
    }

    // t / s where s is among its factors; null otherwise.
    Expr without_factor(Expr t, Expr s) const {
        if (t->op != Op::Mul) return nullptr;
        std::vector<Expr> divisors;
        std::vector<Expr> left;
        flatten(s, divisors);
        flatten(t, left);
        for (Expr d : divisors) {
            const auto at = std::find(left.begin(), left.end(), d);
            if (at == left.end()) return nullptr;
            left.erase(at);
        }
        if (left.empty()) return nullptr;
        Expr out = left[0];
        for (std::size_t i = 1; i < left.size(); ++i) out = ctx_.mul(out, left[i]);
        return out;
    }
    static void flatten(Expr t, std::vector<Expr>& out) {
        if (t->op != Op::Mul) return out.push_back(t);
        flatten(t->arg(0), out);
        flatten(t->arg(1), out);
    }

    // Digits that make a longer one, and digits that are all there is.
    bool digits() {
        bool progress = false;
        for (std::size_t i = 0; i < digits_.size(); ++i) {
            if (digits_[i].used) continue;
            digits_[i].of = substitute(ctx_, digits_[i].of, found_);
            progress = alone(i) || progress;
            for (std::size_t j = 0; j < digits_.size() && !digits_[i].used; ++j) {
                progress = joined(i, j) || progress;
            }
            for (std::size_t j = 0; j < digits_.size() && !digits_[i].used; ++j) {
                progress = coprime(i, j) || progress;
            }
        }
        return progress;
    }

    // The lower digit i with the next one up, j.
    bool joined(std::size_t i, std::size_t j) {
        const Digit low = digits_[i];
        const Digit high = digits_[j];
        if (i == j || low.used || high.used || low.modulus == nullptr) return false;
        if (substitute(ctx_, high.of, found_) != low.of) return false;
        if (high.weight != build_.product(low.weight, low.modulus)) return false;
        digits_[i].used = digits_[j].used = true;
        Expr value = build_.sum(build_.product(high.value, low.modulus), low.value);
        Expr modulus =
            high.modulus == nullptr ? nullptr : build_.product(high.modulus, low.modulus);
        if (value == nullptr || (high.modulus != nullptr && modulus == nullptr)) return false;
        settle({low.of, low.weight, modulus, value, false});
        return true;
    }

    // Remainders by coprime divisors make one by their product (Chinese remainder).
    bool coprime(std::size_t i, std::size_t j) {
        const Digit a = digits_[i];
        const Digit b = digits_[j];
        const bool both = i != j && !a.used && !b.used && a.modulus != nullptr &&
                          b.modulus != nullptr && a.weight == b.weight;
        if (!both || !ir::is_int_const(a.modulus) || !ir::is_int_const(b.modulus)) return false;
        if (substitute(ctx_, b.of, found_) != a.of) return false;
        const ir::Congruence first = ir::Congruence::of(a.modulus->int_value(), 1);
        const auto one = meet(first, ir::Congruence::of(b.modulus->int_value(), 0));
        const auto other = meet(ir::Congruence::of(a.modulus->int_value(), 0),
                                ir::Congruence::of(b.modulus->int_value(), 1));
        Expr modulus = build_.product(a.modulus, b.modulus);
        if (!one || !other || modulus == nullptr) return false;
        digits_[i].used = digits_[j].used = true;
        Expr sum = build_.sum(build_.product(a.value, number(one->remainder)),
                              build_.product(b.value, number(other->remainder)));
        settle({a.of, a.weight, modulus, build_.remainder(sum, modulus), false});
        return true;
    }

    void settle(const Digit& d) {
        if (d.modulus == nullptr && d.weight == number(1)) {
            enter(d.of, d.value);
        } else {
            digits_.push_back(d);
        }
    }

    bool alone(std::size_t i) {
        Digit& d = digits_[i];
        if (!open(d.of)) {
            d.used = true;
            return false;
        }
        if (d.modulus == nullptr) {
            if (d.weight != number(1)) return false;
            d.used = true;
            enter(d.of, d.value);
            return true;
        }
        Expr limit = build_.product(d.weight, d.modulus);
        if (within(d.of, limit)) {  // the modulus takes nothing away
            const Digit whole{d.of, d.weight, nullptr, d.value, false};
            d.used = true;
            settle(whole);
            return true;
        }
        return d.weight == number(1) && shifted(i);
    }

    // (U + known) % m = value, for U within [0, m); or U = c * v with v within [0, m).
    bool shifted(std::size_t i) {
        const Digit d = digits_[i];
        const Affine form = Affine::of(d.of);
        Affine known = form.constant();
        Affine part;
        for (const auto& [t, factor] : form.terms()) {
            (open(t) ? part : known).add(Affine::term(t, factor));
        }
        Expr value = build_.difference(d.value, expr(known));
        if (value == nullptr) return false;
        if (within(expr(part), d.modulus)) {
            digits_[i].used = true;
            enter(part, build_.remainder(value, d.modulus));
            return true;
        }
        if (part.terms().size() != 1 || !within(part.terms()[0].first, d.modulus)) return false;
        const auto& [t, factor] = part.terms()[0];
        Integer inverse = factor == -1 ? Integer(-1) : Integer(0);
        if (inverse.is_zero() && ir::is_int_const(d.modulus)) {
            const Integer m = d.modulus->int_value();
            for (Integer c = 1; c < m && m <= Integer(4096); c = c + 1) {
                if (floormod(c * factor - 1, m).is_zero()) inverse = c;
            }
        }
        if (inverse.is_zero()) return false;
        digits_[i].used = true;
        Expr turned = build_.product(value, number(inverse));
        enter(Affine::term(t), build_.remainder(turned, d.modulus));
        return true;
    }

    // A linear system: a variable with factor 1 or -1 is taken out of the other equations.
    bool eliminate() {
        for (std::size_t i = 0; i < equations_.size(); ++i) {
            if (equations_[i].used) continue;
            for (const auto& [t, factor] : equations_[i].left.terms()) {
                if (t->op != Op::Var || abs(factor) != 1) continue;
                bool progress = false;
                for (std::size_t j = 0; j < equations_.size(); ++j) {
                    const Integer k = equations_[j].left.factor_of(t) * factor;
                    if (i == j || equations_[j].used || k.is_zero()) continue;
                    if (std::find(pivots_.begin(), pivots_.end(), std::pair(j, t)) !=
                        pivots_.end()) {
                        continue;
                    }
                    Equation& e = equations_[j];
                    e.left.add(equations_[i].left, -k);
                    e.right =
                        build_.difference(e.right, build_.product(equations_[i].right, number(k)));
                    if (e.right == nullptr) e.used = true;
                    progress = true;
                }
                pivots_.emplace_back(i, t);
                if (progress) return true;
            }
        }
        return false;
    }

    Prover& prover_;
    ir::Context& ctx_;
    Builder build_;
    const IndexMap& map_;
    std::vector<Expr> domain_;
    std::vector<Equation> equations_;
    std::vector<Digit> digits_;
    std::vector<std::pair<std::size_t, Expr>> pivots_;
    ir::Substitution found_;
};

}  // namespace

std::optional<std::vector<Expr>> solve_equations(Prover& prover, const IndexMap& map,
                                                 const std::vector<Expr>& physical) {
    return EquationSolver(prover, map, physical).run();
}

}  // namespace proviso::analysis::solve
