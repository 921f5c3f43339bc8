#include "rewrite/simplify/linear_form.h"

#include <algorithm>
#include <utility>

#include "rewrite/simplify/range.h"
#include "rewrite/simplify/sum_walk.h"

namespace proviso::rewrite {

using ir::Expr;
using ir::Int128;
using ir::Op;
using ir::ScalarType;

namespace {

template <typename T>
int order(const T& a, const T& b) {
    if (a < b) return -1;
    return b < a ? 1 : 0;
}

int compare_names(const std::string* a, const std::string* b) {
    if (a == b) return 0;
    if (a == nullptr || b == nullptr) return a == nullptr ? -1 : 1;
    return order(*a, *b);
}

int compare_buffers(ir::Buffer a, ir::Buffer b) {
    if (a == b) return 0;
    if (a == nullptr || b == nullptr) return a == nullptr ? -1 : 1;
    const int by_name = order(a->name, b->name);
    return by_name != 0 ? by_name : order(a->id, b->id);
}

bool by_id(const LinearTerm& a, const LinearTerm& b) {
    return a.monomial->id < b.monomial->id;
}

}  // namespace

int compare_structure(Expr a, Expr b) {
    if (a == b) return 0;
    // Variables before everything else, then small expressions before large ones.
    if ((a->op == Op::Var) != (b->op == Op::Var)) return a->op == Op::Var ? -1 : 1;
    int by = order(a->size, b->size);
    if (by == 0) by = order(a->op, b->op);
    if (by == 0) by = order(a->type, b->type);
    if (by == 0) by = compare_names(a->name, b->name);
    if (by == 0) by = order(a->bits, b->bits);
    if (by == 0) by = compare_buffers(a->buffer, b->buffer);
    if (by == 0) by = order(a->var_type, b->var_type);
    if (by == 0) by = order(a->args.size(), b->args.size());
    for (std::size_t i = 0; by == 0 && i < a->args.size(); ++i) {
        by = compare_structure(a->arg(i), b->arg(i));
    }
    return by;
}

Int128 gcd(Int128 a, Int128 b) {
    a = magnitude(a);
    b = magnitude(b);
    while (b != 0) {
        if (is_narrow(a) && is_narrow(b)) {
            auto x = static_cast<std::int64_t>(a);
            auto y = static_cast<std::int64_t>(b);
            while (y != 0) x = std::exchange(y, x % y);
            return x;
        }
        const Int128 r = a % b;
        a = b;
        b = r;
    }
    return a;
}

Int128 LinearForm::coefficient_of(Expr monomial) const {
    for (const LinearTerm& t : terms) {
        if (t.monomial == monomial) return t.coefficient;
    }
    return 0;
}

Int128 LinearForm::content() const {
    Int128 out = 0;
    for (const LinearTerm& t : terms) {
        out = gcd(out, t.coefficient);
        if (out == 1) break;
    }
    return out;
}

void LinearForm::scale(Int128 factor) {
    if (factor == 1) return;
    if (factor == 0) {
        terms.clear();
        constant = 0;
        return;
    }
    for (LinearTerm& t : terms) t.coefficient = checked_mul(t.coefficient, factor);
    constant = checked_mul(constant, factor);
}

void LinearForm::add(Expr monomial, Int128 coefficient) {
    if (coefficient == 0) return;
    const LinearTerm term{monomial, coefficient};
    LinearTerm* const at = std::lower_bound(terms.begin(), terms.end(), term, by_id);
    if (at == terms.end() || at->monomial != monomial) {
        terms.insert(at, term);
        return;
    }
    at->coefficient = checked_add(at->coefficient, coefficient);
    if (at->coefficient == 0) terms.erase(at);
}

void LinearForm::add(const LinearForm& other, Int128 factor) {
    constant = checked_add(constant, checked_mul(other.constant, factor));
    if (factor == 0 || other.terms.empty()) return;
    Terms merged;
    merged.reserve(terms.size() + other.terms.size());
    std::size_t i = 0;
    std::size_t j = 0;
    while (i < terms.size() || j < other.terms.size()) {
        if (j == other.terms.size() || (i < terms.size() && by_id(terms[i], other.terms[j]))) {
            merged.push_back(terms[i++]);
            continue;
        }
        Int128 coefficient = checked_mul(other.terms[j].coefficient, factor);
        if (i < terms.size() && terms[i].monomial == other.terms[j].monomial) {
            coefficient = checked_add(coefficient, terms[i++].coefficient);
        }
        if (coefficient != 0) merged.push_back({other.terms[j].monomial, coefficient});
        ++j;
    }
    terms = std::move(merged);
}

namespace {

// Sorts and merges terms collected in any order.
void tidy(LinearForm::Terms& terms) {
    if (terms.size() < 2) return;
    constexpr std::size_t few = 12;
    if (terms.size() <= few) {  // each to its place
        std::size_t kept = 1;
        for (std::size_t i = 1; i < terms.size(); ++i) {
            const LinearTerm t = terms[i];
            std::size_t at = kept;
            while (at > 0 && by_id(t, terms[at - 1])) --at;
            if (at > 0 && terms[at - 1].monomial == t.monomial) {
                terms[at - 1].coefficient = checked_add(terms[at - 1].coefficient, t.coefficient);
                continue;
            }
            for (std::size_t j = kept++; j > at; --j) terms[j] = terms[j - 1];
            terms[at] = t;
        }
        terms.shrink(kept);
        const auto is_gone = [](const LinearTerm& t) { return t.coefficient == 0; };
        if (std::any_of(terms.begin(), terms.end(), is_gone)) {
            terms.erase(std::remove_if(terms.begin(), terms.end(), is_gone), terms.end());
        }
        return;
    }
    if (!std::is_sorted(terms.begin(), terms.end(), by_id)) {
        std::sort(terms.begin(), terms.end(), by_id);
    } else if (std::adjacent_find(terms.begin(), terms.end(),
                                  [](const LinearTerm& a, const LinearTerm& b) {
                                      return a.monomial == b.monomial;
                                  }) == terms.end()) {
        return;
    }
    std::size_t kept = 0;
    for (std::size_t i = 0; i < terms.size();) {
        LinearTerm t = terms[i++];
        while (i < terms.size() && terms[i].monomial == t.monomial) {
            t.coefficient = checked_add(t.coefficient, terms[i++].coefficient);
        }
        if (t.coefficient != 0) terms[kept++] = t;
    }
    terms.erase(terms.begin() + kept, terms.end());
}

// The factors of a product, constants multiplied into `coefficient`. A factor that is a sum stays
// one, unless it has a single term.
void collect_factors(ir::Context& ctx, Expr e, Factors& out, Int128& coefficient) {
    switch (e->op) {
        case Op::IntImm: coefficient = checked_mul(coefficient, e->int_value()); return;
        case Op::Mul:
            collect_factors(ctx, e->arg(0), out, coefficient);
            collect_factors(ctx, e->arg(1), out, coefficient);
            return;
        case Op::Neg:
            coefficient = -coefficient;
            collect_factors(ctx, e->arg(0), out, coefficient);
            return;
        case Op::Add:
        case Op::Sub: {
            const LinearForm form = linear_form(ctx, e);
            if (form.terms.empty()) {
                coefficient = checked_mul(coefficient, form.constant);
                return;
            }
            if (form.terms.size() == 1 && form.constant == 0) {
                coefficient = checked_mul(coefficient, form.terms[0].coefficient);
                collect_factors(ctx, form.terms[0].monomial, out, coefficient);
                return;
            }
            out.push_back(e);
            return;
        }
        default: out.push_back(e);
    }
}

// Adds k * e, a product of two terms that are no literals.
void add_product(ir::Context& ctx, LinearForm& out, Expr e, Int128 k) {
    Factors factors;
    Int128 coefficient = k;
    collect_factors(ctx, e, factors, coefficient);
    if (coefficient == 0) return;
    if (factors.empty()) {
        out.constant = checked_add(out.constant, coefficient);
        return;
    }
    if (factors.size() == 1) {  // the others were constants in disguise
        const LinearForm one = linear_form(ctx, factors[0], coefficient);
        out.constant = checked_add(out.constant, one.constant);
        for (const LinearTerm& t : one.terms) out.terms.push_back(t);
        return;
    }
    sort_factors(factors);
    out.terms.push_back({product_of(ctx, out.type, factors), coefficient});
}

// The terms of k * e in the order in which they stand, for expressions so small that what they
// share does not matter.
void gather(ir::Context& ctx, LinearForm& out, Expr e, Int128 k) {
    switch (e->op) {
        case Op::IntImm:
            out.constant = checked_add(out.constant, checked_mul(k, e->int_value()));
            return;
        case Op::Neg: return gather(ctx, out, e->arg(0), -k);
        case Op::Add:
        case Op::Sub:
            gather(ctx, out, e->arg(0), k);
            return gather(ctx, out, e->arg(1), e->op == Op::Add ? k : -k);
        case Op::Mul:
            for (const std::size_t i : {1, 0}) {
                if (!ir::is_int_const(e->arg(i))) continue;
                return gather(ctx, out, e->arg(1 - i), checked_mul(k, e->arg(i)->int_value()));
            }
            return add_product(ctx, out, e, k);
        default:
            if (k != 0) out.terms.push_back({e, k});
    }
}

}  // namespace

LinearForm linear_form(ir::Context& ctx, Expr root, Int128 factor) {
    PROVISO_CHECK(root->type.is_exact_int(), "linear form of something that is not exact");
    LinearForm out{root->type, {}, 0};
    constexpr std::uint32_t small = 48;
    if (root->size <= small) {
        gather(ctx, out, root, factor);
        tidy(out.terms);
        return out;
    }
    SumWalk<Int128> walk;
    walk.push(root, factor);
    bool products = false;
    while (!walk.empty()) {
        const auto [e, k] = walk.pop();
        switch (e->op) {
            case Op::IntImm:
                out.constant = checked_add(out.constant, checked_mul(k, e->int_value()));
                break;
            case Op::Neg: walk.push(e->arg(0), -k); break;
            case Op::Add:
            case Op::Sub:
                walk.push(e->arg(1), e->op == Op::Add ? k : -k);
                walk.push(e->arg(0), k);
                break;
            case Op::Mul: {
                if (ir::is_int_const(e->arg(1))) {
                    walk.push(e->arg(0), checked_mul(k, e->arg(1)->int_value()));
                    break;
                }
                if (ir::is_int_const(e->arg(0))) {
                    walk.push(e->arg(1), checked_mul(k, e->arg(0)->int_value()));
                    break;
                }
                products = true;
                add_product(ctx, out, e, k);
                break;
            }
            default:
                if (k != 0) out.terms.push_back({e, k});
        }
    }
    // The walk goes down by ids and meets each term once.
    std::reverse(out.terms.begin(), out.terms.end());
    if (products) tidy(out.terms);
    return out;
}

void sort_factors(Factors& factors) {
    std::sort(factors.begin(), factors.end(),
              [](Expr l, Expr r) { return compare_structure(l, r) < 0; });
}

Factors factors_of(Expr monomial) {
    Factors out;
    while (monomial->op == Op::Mul) {  // products are spelled to the left
        out.push_back(monomial->arg(1));
        monomial = monomial->arg(0);
    }
    out.push_back(monomial);
    std::reverse(out.begin(), out.end());
    return out;
}

Expr product_of(ir::Context& ctx, ScalarType type, const Factors& factors) {
    if (factors.empty()) return ctx.int_imm(type, 1);
    Expr out = factors[0];
    for (std::size_t i = 1; i < factors.size(); ++i) out = ctx.mul(out, factors[i]);
    return out;
}

Expr without_factors(ir::Context& ctx, Expr monomial, const Factors& divisor) {
    Factors own = factors_of(monomial);
    for (Expr f : divisor) {
        const auto at = std::find(own.begin(), own.end(), f);
        if (at == own.end()) return nullptr;
        own.erase(at);
    }
    return product_of(ctx, monomial->type, own);
}

namespace {

constexpr std::size_t kMostExpanded = 24;

bool is_sum(Expr e) {
    return e->op == Op::Add || e->op == Op::Sub;
}

bool has_sum_factor(Expr monomial) {
    if (monomial->op != Op::Mul) return false;
    return is_sum(monomial->arg(1)) || is_sum(monomial->arg(0)) || has_sum_factor(monomial->arg(0));
}

// a * b, term by term.
LinearForm multiplied(ir::Context& ctx, const LinearForm& a, const LinearForm& b) {
    LinearForm out{a.type, {}, checked_mul(a.constant, b.constant)};
    for (const LinearTerm& x : a.terms) out.add(x.monomial, checked_mul(x.coefficient, b.constant));
    for (const LinearTerm& y : b.terms) out.add(y.monomial, checked_mul(y.coefficient, a.constant));
    for (const LinearTerm& x : a.terms) {
        for (const LinearTerm& y : b.terms) {
            Factors factors = factors_of(x.monomial);
            for (Expr f : factors_of(y.monomial)) factors.push_back(f);
            sort_factors(factors);
            out.add(product_of(ctx, a.type, factors), checked_mul(x.coefficient, y.coefficient));
        }
    }
    return out;
}

}  // namespace

LinearForm expanded(ir::Context& ctx, const LinearForm& form) {
    const auto expandable = [](const LinearTerm& t) { return has_sum_factor(t.monomial); };
    if (std::none_of(form.terms.begin(), form.terms.end(), expandable)) return form;
    LinearForm out{form.type, {}, form.constant};
    for (const LinearTerm& t : form.terms) {
        if (!expandable(t)) {
            out.add(t.monomial, t.coefficient);
            continue;
        }
        LinearForm part{form.type, {}, t.coefficient};
        for (Expr f : factors_of(t.monomial)) {
            const LinearForm factor = expanded(ctx, linear_form(ctx, f));
            if (part.terms.size() * factor.terms.size() > kMostExpanded) return form;
            part = multiplied(ctx, part, factor);
        }
        out.add(part);
        if (out.terms.size() > kMostExpanded) return form;
    }
    return out;
}

MonomialKinds kinds_of(const LinearForm& form) {
    MonomialKinds out = 0;
    for (const LinearTerm& t : form.terms) {
        switch (t.monomial->op) {
            case Op::Var: break;
            case Op::Mul: out |= kProducts; break;
            case Op::FloorDiv:
            case Op::TruncDiv: out |= kQuotients; break;
            case Op::FloorMod:
            case Op::TruncMod: out |= kRemainders; break;
            case Op::Min:
            case Op::Max: out |= kExtrema; break;
            default: out |= kOthers;
        }
    }
    return out;
}

const LinearForm* LinearForms::keep(LinearForm&& form) {
    if (used_ == kBlock) {
        blocks_.push_back(std::make_unique<std::array<LinearForm, kBlock>>());
        used_ = 0;
    }
    LinearForm& place = (*blocks_.back())[used_++];
    place = std::move(form);
    return &place;
}

void LinearForms::make_plain(About& about, Expr e) {
    about.plain = keep(linear_form(ctx_, e));
    about.kinds = kinds_of(*about.plain);
}

const LinearForm& LinearForms::expanded(Expr e) {
    About& about = about_plain(e);
    if ((about.kinds & kProducts) == 0) return *about.plain;
    if (about.expanded != nullptr) return *about.expanded;
    const LinearForm& form = *about.plain;
    const bool products = std::any_of(form.terms.begin(), form.terms.end(),
                                      [](const auto& t) { return has_sum_factor(t.monomial); });
    about.expanded = products ? keep(rewrite::expanded(ctx_, form)) : &form;
    return *about.expanded;
}

bool LinearForms::is_sum_of_digits(Expr e) {
    constexpr std::uint32_t largest = 128;
    if (e->op == Op::Var || e->op == Op::IntImm) return true;
    if (e->size > largest) return false;
    if (about_[e].sum_of_digits) return true;
    const bool digit = e->op == Op::FloorDiv || e->op == Op::FloorMod;
    bool out = false;
    if (digit) {
        out = ir::is_int_const(e->arg(1)) && e->arg(1)->int_value() > 1 &&
              is_sum_of_digits(e->arg(0));
    } else if (is_spelled(e)) {
        const LinearForm& form = plain(e);
        out = std::all_of(form.terms.begin(), form.terms.end(), [&](const LinearTerm& t) {
            const Op op = t.monomial->op;
            return op == Op::Var ||
                   ((op == Op::FloorDiv || op == Op::FloorMod) && is_sum_of_digits(t.monomial));
        });
    }
    about_[e].sum_of_digits = out;
    return out;
}

LinearForms::Occurring LinearForms::occurring(Expr e) {
    constexpr std::uint32_t largest = 128;
    if (e->size > largest) return ~Occurring{0};
    if (e->args.empty() && e->op != Op::Var && e->op != Op::Load) return 0;
    About& about = about_[e];
    if (about.counted) return about.occurring;
    Occurring out = 0;
    if (e->op == Op::Var || e->op == Op::Load) {
        out = Occurring{1} << ((e->id * 0x9e3779b97f4a7c15ULL >> 32) % 63);
    }
    for (Expr a : e->args) out = both(out, occurring(a));
    about.occurring = out;
    about.counted = true;
    return out;
}

void add_tile(TileSizes& sizes, Int128 size) {
    if (size <= 1) return;
    Int128* at = sizes.begin();
    while (at != sizes.end() && *at > size) ++at;
    if (at == sizes.end() || *at != size) sizes.insert(at, size);
}

SplitForm split_by(const LinearForm& form, Int128 divisor) {
    SplitForm out{{form.type, {}, floor_div(form.constant, divisor)},
                  {form.type, {}, floor_mod(form.constant, divisor)}};
    for (const LinearTerm& t : form.terms) {
        if (is_multiple(t.coefficient, divisor)) {
            out.multiple.terms.push_back({t.monomial, quotient_of(t.coefficient, divisor)});
        } else {
            out.rest.terms.push_back(t);
        }
    }
    return out;
}

}  // namespace proviso::rewrite
