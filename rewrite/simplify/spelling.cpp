// The canonical spelling of linear forms: see linear_form.h.
#include <algorithm>
#include <span>

#include "rewrite/simplify/linear_form.h"

namespace proviso::rewrite {

using ir::Expr;
using ir::Int128;
using ir::Op;
using ir::ScalarType;

namespace {

constexpr std::size_t kMostProducts = 24;

// Terms in the order in which they are written: by size of coefficient, what is added before what
// is subtracted, products before other terms.
bool is_written_before(const LinearTerm& a, const LinearTerm& b) {
    const Int128 x = magnitude(a.coefficient);
    const Int128 y = magnitude(b.coefficient);
    if (x != y) return x > y;
    if ((a.coefficient < 0) != (b.coefficient < 0)) return b.coefficient < 0;
    const bool product = a.monomial->op == Op::Mul;
    if (product != (b.monomial->op == Op::Mul)) return product;
    return compare_structure(a.monomial, b.monomial) < 0;
}

void sort_for_writing(LinearForm::Terms& terms) {
    constexpr std::size_t few = 8;
    if (terms.size() > few) return std::sort(terms.begin(), terms.end(), is_written_before);
    for (std::size_t i = 1; i < terms.size(); ++i) {
        const LinearTerm t = terms[i];
        std::size_t at = i;
        for (; at > 0 && is_written_before(t, terms[at - 1]); --at) terms[at] = terms[at - 1];
        terms[at] = t;
    }
}

// The factor that most products among the terms share, by structure among equals; null when no two
// share one.
Expr most_shared_factor(const LinearForm::Terms& terms) {
    struct Seen {
        Expr factor;
        int count;
    };
    boost::container::small_vector<Seen, 16> seen;
    std::size_t products = 0;
    for (const LinearTerm& t : terms) products += t.monomial->op == Op::Mul ? 1 : 0;
    if (products < 2 || products > kMostProducts) return nullptr;
    for (const LinearTerm& t : terms) {
        if (t.monomial->op != Op::Mul) continue;
        const Factors factors = factors_of(t.monomial);
        for (std::size_t i = 0; i < factors.size(); ++i) {
            if (i > 0 && factors[i] == factors[i - 1]) continue;
            const auto at = std::find_if(seen.begin(), seen.end(),
                                         [&](const Seen& s) { return s.factor == factors[i]; });
            if (at == seen.end()) {
                seen.push_back({factors[i], 1});
            } else {
                ++at->count;
            }
        }
    }
    const Seen* best = nullptr;
    for (const Seen& s : seen) {
        if (s.count < 2) continue;
        if (best == nullptr || s.count > best->count ||
            (s.count == best->count && compare_structure(s.factor, best->factor) < 0)) {
            best = &s;
        }
    }
    return best == nullptr ? nullptr : best->factor;
}

// x*n + y*n  becomes one term  n*(x + y). Null when something does not fit its type.
bool share_factors(ir::Context& ctx, LinearForm& form) {
    while (Expr shared = most_shared_factor(form.terms)) {
        LinearForm inner{form.type, {}, 0};
        LinearForm outer{form.type, {}, form.constant};
        for (const LinearTerm& t : form.terms) {
            Expr left =
                t.monomial->op == Op::Mul ? without_factors(ctx, t.monomial, {shared}) : nullptr;
            (left == nullptr ? outer : inner)
                .add(left == nullptr ? t.monomial : left, t.coefficient);
        }
        const bool all_negative =
            std::all_of(inner.terms.begin(), inner.terms.end(),
                        [](const LinearTerm& t) { return t.coefficient < 0; });
        const Int128 content = all_negative ? -inner.content() : inner.content();
        for (LinearTerm& t : inner.terms) t.coefficient /= content;
        Expr sum = to_expr(ctx, inner);
        if (sum == nullptr) return false;
        Factors factors = {shared};
        if (sum->op == Op::Mul) {
            for (Expr f : factors_of(sum)) factors.push_back(f);
        } else {
            factors.push_back(sum);
        }
        sort_factors(factors);
        outer.add(product_of(ctx, form.type, factors), content);
        if (outer.terms.size() >= form.terms.size()) return true;
        form = std::move(outer);
    }
    return true;
}

Expr joined(ir::Context& ctx, Expr sum, Expr term, bool negative) {
    if (sum == nullptr) return negative ? ctx.neg(term) : term;
    return negative ? ctx.sub(sum, term) : ctx.add(sum, term);
}

// A run of terms with one magnitude of coefficients: (a + b - c) * 4, and the sign that it stands
// with.
struct Group {
    Expr sum = nullptr;
    Int128 magnitude = 0;
    bool negative = false;
};

using TermSpan = std::span<const LinearTerm>;

Group group_of(ir::Context& ctx, TermSpan run) {
    Group out{nullptr, magnitude(run[0].coefficient), false};
    if (run.size() == 1) return {run[0].monomial, out.magnitude, run[0].coefficient < 0};
    const auto positive =
        std::find_if(run.begin(), run.end(), [](const LinearTerm& t) { return t.coefficient > 0; });
    out.negative = positive == run.end();
    if (!out.negative) out.sum = positive->monomial;
    for (auto t = run.begin(); t != run.end(); ++t) {
        if (t == positive) continue;
        const bool minus = (t->coefficient < 0) != out.negative;
        out.sum = joined(ctx, out.sum, t->monomial, minus);
    }
    return out;
}

}  // namespace

Expr to_expr(ir::Context& ctx, const LinearForm& given) {
    const ScalarType type = given.type;
    if (!type.contains(given.constant)) return nullptr;
    LinearForm form = given;
    if (form.terms.size() > 1) {
        if (!share_factors(ctx, form)) return nullptr;
        sort_for_writing(form.terms);
    }
    boost::container::small_vector<Group, 6> groups;
    for (std::size_t i = 0; i < form.terms.size();) {
        std::size_t end = i + 1;
        const Int128 size = magnitude(form.terms[i].coefficient);
        if (!type.contains(size)) return nullptr;
        while (size != 1 && end < form.terms.size() &&
               magnitude(form.terms[end].coefficient) == size) {
            ++end;
        }
        groups.push_back(group_of(ctx, TermSpan(form.terms.data() + i, end - i)));
        i = end;
    }
    // A sum starts with something positive where there is one.
    const auto positive =
        std::find_if(groups.begin(), groups.end(), [](const Group& g) { return !g.negative; });
    Expr sum = nullptr;
    Int128 constant = form.constant;
    if (positive != groups.end()) {
        std::rotate(groups.begin(), positive, positive + 1);
    } else if (constant > 0 || groups.empty()) {
        sum = ctx.int_imm(type, constant);
        constant = 0;
    }
    for (const Group& g : groups) {
        Expr term = g.sum;
        bool negative = g.negative;
        if (g.magnitude != 1) {
            const bool first = sum == nullptr && negative;  // x * -3
            term = ctx.mul(term, ctx.int_imm(type, first ? -g.magnitude : g.magnitude));
            if (first) negative = false;
        }
        sum = joined(ctx, sum, term, negative);
    }
    if (constant == 0) return sum;
    if (constant == type.min_value()) return ctx.add(sum, ctx.int_imm(type, constant));
    return joined(ctx, sum, ctx.int_imm(type, magnitude(constant)), constant < 0);
}

}  // namespace proviso::rewrite
