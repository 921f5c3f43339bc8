#include "analysis/regions/polynomial.h"

#include <algorithm>

#include "ir/domains/evaluate.h"
#include "ir/text.h"

namespace proviso::analysis {

using ir::Expr;
using ir::Integer;

// Higher degrees first, so that they are printed first.
bool Polynomial::ByContent::operator()(const Monomial& a, const Monomial& b) const {
    if (a.size() != b.size()) return a.size() > b.size();
    return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(),
                                        [](Expr x, Expr y) { return x->id < y->id; });
}

Polynomial::Polynomial(const Integer& constant) {
    add({}, constant);
}

Polynomial Polynomial::of(const Affine& form) {
    Polynomial out(form.constant());
    for (const auto& [term, factor] : form.terms()) out.add({term}, factor);
    return out;
}

void Polynomial::add(const Monomial& monomial, const Integer& factor) {
    Integer& there = terms_[monomial];
    there = there + factor;
    if (there.is_zero()) terms_.erase(monomial);
}

void Polynomial::reduce() {
    Integer common = divisor_;
    for (const auto& [monomial, factor] : terms_) common = gcd(common, factor);
    if (common == 1) return;
    divisor_ = floordiv(divisor_, common);
    for (auto& [monomial, factor] : terms_) factor = floordiv(factor, common);
}

Polynomial operator+(const Polynomial& a, const Polynomial& b) {
    Polynomial out;
    out.divisor_ = a.divisor_ * b.divisor_;
    for (const auto& [monomial, factor] : a.terms_) out.add(monomial, factor * b.divisor_);
    for (const auto& [monomial, factor] : b.terms_) out.add(monomial, factor * a.divisor_);
    out.reduce();
    return out;
}

Polynomial operator-(const Polynomial& a, const Polynomial& b) {
    return a + b * Polynomial(-1);
}

Polynomial operator*(const Polynomial& a, const Polynomial& b) {
    Polynomial out;
    out.divisor_ = a.divisor_ * b.divisor_;
    for (const auto& [x, f] : a.terms_) {
        for (const auto& [y, g] : b.terms_) {
            Polynomial::Monomial both = x;
            both.insert(both.end(), y.begin(), y.end());
            std::sort(both.begin(), both.end(), [](Expr p, Expr q) { return p->id < q->id; });
            out.add(both, f * g);
        }
    }
    out.reduce();
    return out;
}

Polynomial Polynomial::over(const Integer& divisor) const {
    Polynomial out = *this;
    out.divisor_ = out.divisor_ * divisor;
    out.reduce();
    return out;
}

std::size_t Polynomial::degree_in(Expr variable) const {
    std::ptrdiff_t out = 0;
    for (const auto& [monomial, factor] : terms_) {
        out = std::max(out, std::count(monomial.begin(), monomial.end(), variable));
    }
    return static_cast<std::size_t>(out);
}

Polynomial Polynomial::coefficient(Expr variable, std::size_t power) const {
    Polynomial out;
    out.divisor_ = divisor_;
    for (const auto& [monomial, factor] : terms_) {
        Monomial rest;
        std::copy_if(monomial.begin(), monomial.end(), std::back_inserter(rest),
                     [&](Expr e) { return e != variable; });
        if (monomial.size() - rest.size() == power) out.add(rest, factor);
    }
    out.reduce();
    return out;
}

bool Polynomial::hides(Expr variable) const {
    for (const auto& [monomial, factor] : terms_) {
        for (Expr e : monomial) {
            if (e != variable && ir::occurs_free(variable, e)) return true;
        }
    }
    return false;
}

std::optional<Integer> Polynomial::constant() const {
    if (terms_.empty()) return Integer(0);
    if (terms_.size() != 1 || !terms_.begin()->first.empty() || divisor_ != 1) return std::nullopt;
    return terms_.begin()->second;
}

std::optional<Integer> Polynomial::at(ir::Context& ctx, const ir::Substitution& values) const {
    Integer sum = 0;
    for (const auto& [monomial, factor] : terms_) {
        Integer product = factor;
        for (Expr e : monomial) {
            const Affine value = with_values(ctx, Affine::term(e), values);
            if (!value.is_constant()) return std::nullopt;
            product = product * value.constant();
        }
        sum = sum + product;
    }
    return floordiv(sum, divisor_);
}

std::string Polynomial::str() const {
    if (terms_.empty()) return "0";
    std::string out;
    for (const auto& [monomial, factor] : terms_) {
        const Integer size = abs(factor);
        std::string term = monomial.empty() || size != 1 ? size.str() : "";
        for (Expr e : monomial) {
            const bool simple =
                e->op == ir::Op::Var || e->op == ir::Op::Max || e->op == ir::Op::Min;
            const std::string text = simple ? ir::print(e) : "(" + ir::print(e) + ")";
            term += (term.empty() ? "" : " * ") + text;
        }
        if (out.empty()) {
            out = (factor.sign() < 0 ? "-" : "") + term;
        } else {
            out += (factor.sign() < 0 ? " - " : " + ") + term;
        }
    }
    if (divisor_ == 1) return out;
    return "(" + out + ") // " + divisor_.str();
}

std::optional<Polynomial> sum_over(const Polynomial& f, Expr variable, const Polynomial& lo,
                                   const Polynomial& hi) {
    if (f.hides(variable) || f.degree_in(variable) > 2) return std::nullopt;
    const auto squares = [](const Polynomial& n) {  // of 1 .. n
        return (n * (n + 1) * (n * 2 + 1)).over(6);
    };
    const Polynomial below = lo - 1;
    Polynomial out = f.coefficient(variable, 0) * (hi - below);
    out = out + f.coefficient(variable, 1) * (hi * (hi + 1) - below * (below + 1)).over(2);
    return out + f.coefficient(variable, 2) * (squares(hi) - squares(below));
}

Affine with_values(ir::Context& ctx, const Affine& form, const ir::Substitution& values) {
    Affine out = form.constant();
    for (const auto& [term, factor] : form.terms()) {
        Expr e = ir::substitute(ctx, term, values);
        if (e == term) {
            out.add(Affine::term(term, factor));
            continue;
        }
        const bool closed = ir::is_plain_term(e) && ir::free_vars(e).empty();
        const ir::Evaluation value = closed ? ir::evaluate(e, {}) : ir::Evaluation{{}, ir::Fault{}};
        if (closed && value.ok()) {
            out.add(Affine(value.value.integer()), factor);
        } else {
            out.add(Affine::of(e), factor);
        }
    }
    return out;
}

}  // namespace proviso::analysis
