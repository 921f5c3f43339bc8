// The canonical spelling of linear forms: see linear_form.h.
#include <algorithm>

#include "rewrite/simplify/linear_form.h"

namespace proviso::rewrite {

using ir::Expr;
using ir::Int128;
using ir::Op;
using ir::ScalarType;

namespace {

constexpr std::size_t kMostProducts = 24;

// A term as it is written: its coefficient is one of the type's values, or the least one's
// opposite.
struct Written {
    Expr monomial;
    std::int64_t coefficient;
};

std::int64_t size_of(const Written& t) {
    return t.coefficient < 0 ? -t.coefficient : t.coefficient;
}

// By size of coefficient, what is added before what is subtracted, products before other terms.
bool is_written_before(const Written& a, const Written& b) {
    if (a.coefficient != b.coefficient) {
        const std::int64_t x = size_of(a);
        const std::int64_t y = size_of(b);
        return x != y ? x > y : b.coefficient < 0;
    }
    const bool product = a.monomial->op == Op::Mul;
    if (product != (b.monomial->op == Op::Mul)) return product;
    return compare_structure(a.monomial, b.monomial) < 0;
}

// Terms as they are to be written.
using Order = InlineVector<Written, 12>;

void sort_for_writing(Order& terms) {
    constexpr std::size_t few = 8;
    if (terms.size() > few) {
        std::sort(terms.begin(), terms.end(), is_written_before);
        return;
    }
    for (std::size_t i = 1; i < terms.size(); ++i) {
        const Written t = terms[i];
        std::size_t at = i;
        for (; at > 0 && is_written_before(t, terms[at - 1]); --at) terms[at] = terms[at - 1];
        terms[at] = t;
    }
}

// A term beside products that may share its own self with them: x * 2 beside x * y.
bool may_be_factor(const LinearTerm& t) {
    return t.monomial->op != Op::Mul && magnitude(t.coefficient) != 1;
}

// The term that is `factor` itself, where x * y + x * 2 is shorter as x * (y + 2): not where it is
// x alone, as seen beside the products that have the factor, whatever they are all scaled by. Null
// where there is none.
const LinearTerm* lone_factor(const LinearForm::Terms& terms, Expr factor) {
    const LinearTerm* lone = nullptr;
    for (const LinearTerm& t : terms) {
        if (t.monomial == factor && may_be_factor(t)) lone = &t;
    }
    if (lone == nullptr) return nullptr;
    Int128 content = lone->coefficient;
    for (const LinearTerm& t : terms) {
        if (t.monomial->op != Op::Mul) continue;
        const Factors factors = factors_of(t.monomial);
        const bool shares = std::find(factors.begin(), factors.end(), factor) != factors.end();
        if (shares) content = gcd(content, t.coefficient);
    }
    return magnitude(lone->coefficient) != magnitude(content) ? lone : nullptr;
}

// The factor that most products among the terms share, and terms that are it, by structure among
// equals; null when no two share one.
Expr most_shared_factor(const LinearForm::Terms& terms) {
    struct Seen {
        Expr factor;
        int count;
    };
    boost::container::small_vector<Seen, 16> seen;
    std::size_t products = 0;
    for (const LinearTerm& t : terms) products += t.monomial->op == Op::Mul ? 1 : 0;
    if (products < 1 || products > kMostProducts) return nullptr;
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
    for (Seen& one : seen) one.count += lone_factor(terms, one.factor) != nullptr ? 1 : 0;
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
        const LinearTerm* const lone = lone_factor(form.terms, shared);
        for (const LinearTerm& t : form.terms) {
            if (&t == lone) {
                inner.constant = checked_add(inner.constant, t.coefficient);
                continue;
            }
            Expr left =
                t.monomial->op == Op::Mul ? without_factors(ctx, t.monomial, {shared}) : nullptr;
            (left == nullptr ? outer : inner)
                .add(left == nullptr ? t.monomial : left, t.coefficient);
        }
        const bool all_negative =
            inner.constant <= 0 &&
            std::all_of(inner.terms.begin(), inner.terms.end(),
                        [](const LinearTerm& t) { return t.coefficient < 0; });
        Int128 content = gcd(inner.content(), inner.constant);
        if (all_negative) content = -content;
        for (LinearTerm& t : inner.terms) t.coefficient /= content;
        inner.constant /= content;
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

// Where the run of terms that begins at `start` ends: (a + b - c) * 4 is one, each term without a
// factor is one by itself.
std::size_t end_of_run(const Order& terms, std::size_t start) {
    const std::int64_t size = size_of(terms[start]);
    std::size_t end = start + 1;
    if (size == 1) return end;
    while (end < terms.size() && size_of(terms[end]) == size) ++end;
    return end;
}

// Adds the run from `first` to `end` to a sum, which may be null. In a run what is added stands
// before what is subtracted.
Expr with_run(ir::Context& ctx, Expr sum, const Written* first, const Written* end) {
    Expr term = first->monomial;
    bool negative = first->coefficient < 0;
    for (const Written* t = first + 1; t != end; ++t) {
        term = joined(ctx, term, t->monomial, (t->coefficient < 0) != negative);
    }
    const std::int64_t size = size_of(*first);
    if (size != 1) {
        const bool leads = sum == nullptr && negative;  // x * -3
        term = ctx.mul(term, ctx.int_imm(term->type, leads ? -size : size));
        if (leads) negative = false;
    }
    return joined(ctx, sum, term, negative);
}

// Whether `e` is spelled as the run, without its sign.
bool is_run(Expr e, const Written* first, const Written* end) {
    if (const std::int64_t size = size_of(*first); size != 1) {
        if (e->op != Op::Mul || e->arg(1)->op != Op::IntImm || e->arg(1)->bits != size)
            return false;
        e = e->arg(0);
    }
    const bool negative = first->coefficient < 0;
    for (const Written* t = end - 1; t != first; --t) {
        const Op op = (t->coefficient < 0) != negative ? Op::Sub : Op::Add;
        if (e->op != op || e->arg(1) != t->monomial) return false;
        e = e->arg(0);
    }
    return e == first->monomial;
}

// Whether `e` is what `written` makes of sorted terms of which the first is added, and a constant;
// it may miss that.
bool is_written(Expr e, const Order& terms, std::int64_t constant) {
    if (terms.empty() || terms[0].coefficient < 0) return false;
    if (constant != 0) {
        const bool is_it = e->op == (constant < 0 ? Op::Sub : Op::Add) &&
                           e->arg(1)->op == Op::IntImm && constant != INT64_MIN &&
                           e->arg(1)->bits == (constant < 0 ? -constant : constant);
        if (!is_it) return false;
        e = e->arg(0);
    }
    const Written* const first = terms.data();
    std::size_t end = terms.size();
    while (true) {
        std::size_t start = end - 1;
        const std::int64_t size = size_of(terms[start]);
        while (size != 1 && start > 0 && size_of(terms[start - 1]) == size) --start;
        if (start == 0) return is_run(e, first, first + end);
        const Op op = terms[start].coefficient < 0 ? Op::Sub : Op::Add;
        if (e->op != op || !is_run(e->arg(1), first + start, first + end)) return false;
        e = e->arg(0);
        end = start;
    }
}

// Two products, or one and something else that may have its factor.
bool has_products(const LinearForm& form) {
    std::size_t products = 0;
    std::size_t others = 0;
    for (const LinearTerm& t : form.terms) {
        if (t.monomial->op == Op::Mul) {
            ++products;
        } else if (may_be_factor(t)) {
            ++others;
        }
    }
    return products > 1 || (products == 1 && others > 0);
}

// The form as it stands, with no factors to share.
Expr written(ir::Context& ctx, const LinearForm& form, Expr like) {
    const ScalarType type = form.type;
    const auto largest = static_cast<std::int64_t>(type.max_value());  // exact: signed
    Order terms;
    terms.reserve(form.terms.size());
    for (const LinearTerm& t : form.terms) {
        if (t.coefficient > largest || t.coefficient < -largest) return nullptr;
        terms.push_back({t.monomial, static_cast<std::int64_t>(t.coefficient)});
    }
    sort_for_writing(terms);
    auto constant = static_cast<std::int64_t>(form.constant);  // a value of the type
    if (like != nullptr && is_written(like, terms, constant)) return like;
    const std::size_t count = terms.size();
    // A sum starts with something positive where there is one.
    std::size_t positive = 0;
    while (positive < count && terms[positive].coefficient < 0) {
        positive = end_of_run(terms, positive);
    }
    Expr sum = nullptr;
    const Written* const first = terms.data();
    std::size_t after_positive = positive;
    if (positive < count) {
        after_positive = end_of_run(terms, positive);
        sum = with_run(ctx, sum, first + positive, first + after_positive);
    } else if (constant > 0 || count == 0) {
        sum = ctx.int_imm(type, constant);
        constant = 0;
    }
    for (std::size_t i = 0; i < count;) {
        if (i == positive) {
            i = after_positive;
            continue;
        }
        const std::size_t end = end_of_run(terms, i);
        sum = with_run(ctx, sum, first + i, first + end);
        i = end;
    }
    if (constant == 0) return sum;
    if (constant == type.min_value()) return ctx.add(sum, ctx.int_imm(type, constant));
    const bool negative = constant < 0;
    return joined(ctx, sum, ctx.int_imm(type, negative ? -constant : constant), negative);
}

}  // namespace

Expr to_expr(ir::Context& ctx, const LinearForm& given, Expr like) {
    const ScalarType type = given.type;
    if (!type.contains(given.constant)) return nullptr;
    if (given.terms.size() > 1 && has_products(given)) {
        LinearForm form = given;
        return share_factors(ctx, form) ? written(ctx, form, nullptr) : nullptr;
    }
    return written(ctx, given, like);
}

}  // namespace proviso::rewrite
