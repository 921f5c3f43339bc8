#include "rewrite/simplify/surroundings.h"

#include <algorithm>

#include "analysis/facts/formula.h"
#include "ir/children.h"

namespace proviso::rewrite {

using ir::Expr;
using ir::Int128;
using ir::Op;

namespace {

std::size_t hash_of(const LinearForm& form) {
    std::size_t h = form.terms.size();
    for (const LinearTerm& t : form.terms) {
        h = (h ^ t.monomial->id) * 0x9e3779b97f4a7c15ULL;
        h = (h ^ static_cast<std::size_t>(t.coefficient)) * 0x9e3779b97f4a7c15ULL;
    }
    return h;
}

}  // namespace

// --- sets of facts

FactSet& Surroundings::of(const std::vector<Expr>& facts) {
    if (last_ != nullptr && last_->facts == facts) return *last_;
    const auto [at, fresh] = by_facts_.emplace(facts, nullptr);
    if (fresh) {
        FactSet& s = sets_.emplace_back();
        at->second = &s;
        s.facts = facts;
        for (Expr f : facts) learn(s, f, true);
        settle(s);
    }
    last_ = at->second;
    return *last_;
}

FactSet& Surroundings::with(FactSet& s, Expr fact) {
    if (ir::is_const(fact)) return s;
    if (FactSet** known = s.with.find(fact)) return **known;
    FactSet* out = &s;
    if (std::find(s.facts.begin(), s.facts.end(), fact) == s.facts.end()) {
        std::vector<Expr> longer = s.facts;
        longer.push_back(fact);
        // A long chain of sets would make every look-up long: now and then one learns anew.
        constexpr int most_parents = 6;
        int parents = 0;
        for (const FactSet* at = &s; at != nullptr; at = at->parent) ++parents;
        FactSet& inner = sets_.emplace_back();
        out = &inner;
        inner.facts = std::move(longer);
        inner.root = s.root != nullptr ? s.root : &s;
        if (parents < most_parents) {
            inner.parent = &s;
            inner.contradictory = s.contradictory;
            inner.relations_count = s.relations_count;
            inner.occurring = s.occurring;
            learn(inner, fact, true);
        } else {
            for (Expr f : inner.facts) learn(inner, f, true);
        }
        settle(inner);
    }
    s.with.put(fact, out);
    return *out;
}

FactSet& Surroundings::rebound(FactSet& s, Expr var, const Range& value) {
    std::vector<Expr> kept;
    for (Expr f : s.facts) {
        if (!ir::occurs_free(var, f)) kept.push_back(f);
    }
    // A value out of its type's range is a fault before the name means anything.
    const bool numbers = var->type.is_int();
    if (numbers && value.lo > var->type.min_value() && var->type.contains(value.lo)) {
        kept.push_back(ctx_.le(ctx_.int_imm(var->type, value.lo), var));
    }
    if (numbers && value.hi < var->type.max_value() && var->type.contains(value.hi)) {
        kept.push_back(ctx_.le(var, ctx_.int_imm(var->type, value.hi)));
    }
    if (kept == s.facts) return s;
    FactSet* last = last_;
    FactSet& out = of(kept);
    last_ = last;
    return out;
}

FactSet& Surroundings::inner(FactSet& s) {
    FactSet& out = sets_.emplace_back();
    out.facts = s.facts;
    out.root = s.root != nullptr ? s.root : &s;
    out.parent = &s;
    out.names = true;
    out.contradictory = s.contradictory;
    out.relations_count = s.relations_count;
    out.occurring = s.occurring;
    return out;
}

void Surroundings::name(FactSet& s, Expr var, const Range& value) {
    const Range fits = meet(value, Range::of(var->type));
    if (!fits.is_empty()) s.bounds.put(var, fits);
}

// --- learning

void Surroundings::bound(FactSet& s, Expr monomial, const Range& range) {
    if (monomial->op == Op::Var) {
        const Range* before = s.said.find(monomial);
        const Range now = before == nullptr ? range : meet(*before, range);
        s.said.put(monomial, now);
        s.says_values |= now.is_point();
    }
    narrow(s, monomial, range);
    // What bounds x // c bounds x; toward zero, more numbers have the quotient 0.
    const bool quotient = (monomial->op == Op::FloorDiv || monomial->op == Op::TruncDiv) &&
                          monomial->type.is_exact_int() && ir::is_int_const(monomial->arg(1)) &&
                          monomial->arg(1)->int_value() > 0;
    if (!quotient) return;
    const bool toward_zero = monomial->op == Op::TruncDiv;
    const Int128 c = monomial->arg(1)->int_value();
    LinearForm number = forms_.plain(monomial->arg(0));
    const Int128 constant = number.constant;
    if (range.has_lo()) {
        const Int128 below = toward_zero && range.lo <= 0 ? c - 1 : 0;
        number.constant = checked_add(constant, checked_add(below, -checked_mul(range.lo, c)));
        learn_at_least_zero(s, number);
    }
    if (range.has_hi()) {
        const Int128 above = toward_zero && range.hi < 0 ? 0 : c - 1;
        number.scale(-1);
        number.constant = checked_add(checked_add(checked_mul(range.hi, c), above), -constant);
        learn_at_least_zero(s, number);
    }
}

std::optional<Int128> Surroundings::said_value(FactSet& s, Expr var) const {
    Range said;
    for (const FactSet* at = &s; at != nullptr; at = at->parent) {
        if (const Range* r = at->said.find(var)) said = meet(said, *r);
    }
    if (s.contradictory || !said.is_point()) return std::nullopt;
    return said.lo;
}

void Surroundings::narrow(FactSet& s, Expr monomial, const Range& range) {
    Range now = range;
    if (const Range* before = s.bounds.find(monomial)) now = meet(now, *before);
    const Range known = meet(known_bounds(s, monomial), Range::of(monomial->type));
    if (meet(now, known).is_empty()) s.contradictory = true;
    s.bounds.put(monomial, now);
    if (monomial->op != Op::Var && monomial->op != Op::Load) mark_related(s, monomial);
}

namespace {

void mark_variables(FactSet& s, Expr e) {
    if (e->op == Op::Var) s.related.put(e, {true});
    for (Expr a : e->args) mark_variables(s, a);
}

}  // namespace

void Surroundings::mark_related(FactSet& s, Expr e) {
    s.occurring |= forms_.occurring(e) & ~LinearForms::kTwice;
    s.related.put(e, {true});
    if (e->op == Op::Var) return;
    constexpr std::uint32_t small = 64;
    if (!ir::is_plain_term(e) || e->size > small) {
        for (Expr v : ir::free_vars(e)) s.related.put(v, {true});
        return;
    }
    for (Expr a : e->args) {
        if (!ir::is_const(a)) mark_variables(s, a);
    }
}

void Surroundings::learn_relation(FactSet& s, const LinearForm& form, const Range& range) {
    std::vector<std::uint32_t>& bucket = s.by_terms[hash_of(form)];
    for (std::uint32_t i : bucket) {
        FactSet::Relation& r = s.relations[i];
        if (!(r.form == form)) continue;
        r.range = meet(r.range, range);
        if (r.range.is_empty()) s.contradictory = true;
        return;
    }
    bucket.push_back(static_cast<std::uint32_t>(s.relations.size()));
    s.relations.push_back({form, range});
    ++s.relations_count;
    for (const LinearTerm& t : form.terms) mark_related(s, t.monomial);
}

// form >= 0
void Surroundings::learn_at_least_zero(FactSet& s, LinearForm form) {
    if (form.terms.empty()) {
        if (form.constant < 0) s.contradictory = true;
        return;
    }
    const Int128 content = form.content();
    for (LinearTerm& t : form.terms) t.coefficient /= content;
    const Int128 least = -floor_div(form.constant, content);  // of the form without its constant
    form.constant = 0;
    Range range{least, Range::kInfinite};
    if (form.terms[0].coefficient < 0) {
        form.scale(-1);
        range = {-Range::kInfinite, -least};
    }
    if (form.terms.size() == 1 && form.terms[0].coefficient == 1) {
        bound(s, form.terms[0].monomial, range);
    } else {
        learn_relation(s, form, range);
    }
}

// form != 0: cuts an end off the range of a single monomial.
void Surroundings::learn_different(FactSet& s, const LinearForm& form) {
    if (form.terms.size() != 1 || form.constant % form.terms[0].coefficient != 0) return;
    Expr m = form.terms[0].monomial;
    const Int128 value = -form.constant / form.terms[0].coefficient;
    const Range now = meet(known_bounds(s, m), Range::of(m->type));
    if (now.lo == value) bound(s, m, {value + 1, Range::kInfinite});
    if (now.hi == value) bound(s, m, {-Range::kInfinite, value - 1});
}

// What most facts are: a variable between literals.
bool Surroundings::learn_bound(FactSet& s, Expr fact, bool positive) {
    Expr a = fact->arg(0);
    Expr b = fact->arg(1);
    const bool below = a->op == Op::Var && b->op == Op::IntImm;
    const bool above = b->op == Op::Var && a->op == Op::IntImm;
    const bool order = fact->op == Op::Lt || fact->op == Op::Le;
    if (!order || !(below || above) || !a->type.is_exact_int()) return false;
    const Int128 c = below ? b->int_value() : a->int_value();
    const Int128 apart = (fact->op == Op::Lt) == positive ? 1 : 0;
    if (below == positive) {
        bound(s, below ? a : b, {-Range::kInfinite, c - apart});
    } else {
        bound(s, below ? a : b, {c + apart, Range::kInfinite});
    }
    return true;
}

void Surroundings::learn(FactSet& s, Expr fact, bool positive) {
    if (ir::is_const(fact)) {
        if (ir::is_true(fact) != positive) s.contradictory = true;
        return;
    }
    if (const auto* before = s.literals.find(fact); before != nullptr && before->set != positive) {
        s.contradictory = true;
    }
    s.literals.put(fact, {positive});
    if (fact->op == Op::Not) return learn(s, fact->arg(0), !positive);
    if (fact->op == (positive ? Op::And : Op::Or)) {
        learn(s, fact->arg(0), positive);
        learn(s, fact->arg(1), positive);
        return;
    }
    const bool arithmetic = is_comparison(fact->op) && fact->arg(0)->type.is_int();
    if (arithmetic && learn_bound(s, fact, positive)) return;
    if (!arithmetic) {
        mark_related(s, fact);
        return;
    }
    if (!fact->arg(0)->type.is_exact_int()) {
        // Of types that wrap only bounds of terms by constants are learned.
        const bool left = ir::is_int_const(fact->arg(0));
        if (!left && !ir::is_int_const(fact->arg(1))) return mark_related(s, fact);
        const Int128 c = fact->arg(left ? 0 : 1)->int_value();
        Expr x = fact->arg(left ? 1 : 0);
        const bool strict = (fact->op == Op::Lt) == positive;
        const bool below = left != positive;  // x <= c or x < c
        if (fact->op == Op::Lt || fact->op == Op::Le) {
            bound(s, x,
                  below ? Range{-Range::kInfinite, strict ? c - 1 : c}
                        : Range{strict ? c + 1 : c, Range::kInfinite});
        } else if ((fact->op == Op::Eq) == positive) {
            bound(s, x, Range::point(c));
        }
        return;
    }
    if (fact->op == Op::Lt || fact->op == Op::Le) learn_arms(s, fact, positive);
    try {
        LinearForm gap = linear_form(ctx_, fact->arg(1));
        gap.add(linear_form(ctx_, fact->arg(0)), -1);
        if (fact->op == Op::Lt || fact->op == Op::Le) {
            if (!positive) gap.scale(-1);
            if ((fact->op == Op::Lt) == positive) gap.constant = checked_add(gap.constant, -1);
            learn_at_least_zero(s, gap);
        } else if ((fact->op == Op::Eq) == positive) {
            const Int128 content = gap.content();
            if (content != 0 && gap.constant % content != 0) s.contradictory = true;
            learn_at_least_zero(s, gap);
            gap.scale(-1);
            learn_at_least_zero(s, gap);
        } else {
            if (gap.is_constant() && gap.constant == 0) s.contradictory = true;
            learn_different(s, gap);
        }
    } catch (const TooLarge&) {
        mark_related(s, fact);
    }
}

// What is no more than a minimum is no more than either arm, and so on. Of a maximum it is one of
// the two: that waits.
void Surroundings::learn_arms(FactSet& s, Expr fact, bool positive) {
    constexpr std::uint32_t largest = 64;
    if (fact->size > largest) return;
    Expr less = fact->arg(positive ? 0 : 1);
    Expr more = fact->arg(positive ? 1 : 0);
    const Op op = (fact->op == Op::Lt) == positive ? Op::Lt : Op::Le;
    if (more->op == Op::Min) {
        for (Expr arm : more->args) learn(s, ctx_.make(op, {less, arm}), true);
    }
    if (less->op == Op::Max) {
        for (Expr arm : less->args) learn(s, ctx_.make(op, {arm, more}), true);
    }
    if (more->op == Op::Max || less->op == Op::Min) s.choices.push_back({less, more, op});
}

// Where one arm cannot be, it is the other. What is learned may be a choice again.
void Surroundings::settle_choices(FactSet& s) {
    for (std::size_t n = 0; n < s.choices.size(); ++n) {
        const FactSet::Choice c = s.choices[n];
        const bool above = c.more->op == Op::Max;
        Expr m = above ? c.more : c.less;
        for (const std::size_t i : {0, 1}) {
            const auto known = above ? decide_order(s, c.op, c.less, m->arg(i))
                                     : decide_order(s, c.op, m->arg(i), c.more);
            if (known != false) continue;
            Expr other = m->arg(1 - i);
            learn(s, above ? ctx_.make(c.op, {c.less, other}) : ctx_.make(c.op, {other, c.more}),
                  true);
            s.forget();  // of before
            break;
        }
    }
    s.choices.clear();
}

// To be called when all facts were learned.
void Surroundings::settle(FactSet& s) {
    settle_choices(s);
    propagate(s);
    s.forget();  // ranges of before
}

// Of a monomial, by what is known so far.
Range Surroundings::known_range(FactSet& s, Expr monomial) {
    const Range known = meet(known_bounds(s, monomial), Range::of(monomial->type));
    if (monomial->args.empty() || monomial->op == Op::Load) return known;
    const Range both = meet(known, range(s, monomial));
    return both.is_empty() ? known : both;
}

// What relations say of each of their terms when the others are in their ranges.
void Surroundings::propagate(FactSet& s) {
    constexpr int rounds = 2;
    for (int round = 0; round < rounds && !s.relations.empty(); ++round) {
        for (const FactSet::Relation& r : s.relations) {
            constexpr std::size_t most_terms = 8;
            if (r.form.terms.size() > most_terms) continue;
            for (const LinearTerm& t : r.form.terms) {
                Range others = Range::point(0);
                for (const LinearTerm& u : r.form.terms) {
                    if (&u == &t) continue;
                    others = sum(others, scaled(known_range(s, u.monomial), u.coefficient));
                }
                // coefficient * monomial = value of the form - others
                Range mine = sum(r.range, scaled(others, -1));
                if (t.coefficient < 0) mine = scaled(mine, -1);
                const Int128 k = magnitude(t.coefficient);
                if (mine.has_lo()) mine.lo = -floor_div(-mine.lo, k);
                if (mine.has_hi()) mine.hi = floor_div(mine.hi, k);
                if (known_range(s, t.monomial).within(mine)) continue;
                narrow(s, t.monomial, mine);
                s.forget();  // ranges of before
            }
        }
    }
    if (s.contradictory) {
        // Nothing sensible follows from them: they are not used.
        s.bounds = {};
        s.relations.clear();
        s.by_terms.clear();
        s.relations_count = 0;
        s.literals = {};
    }
}

Range Surroundings::known_bounds(const FactSet& s, Expr e) const {
    Range out;
    for (const FactSet* at = &s; at != nullptr; at = at->parent) {
        if (const Range* r = at->bounds.find(e)) out = meet(out, *r);
    }
    return out;
}

const FactSet::Relation* Surroundings::relation(const FactSet& s, const LinearForm& normal) const {
    if (s.relations.empty()) return nullptr;
    for (const LinearTerm& t : normal.terms) {
        if (s.related.find(t.monomial) == nullptr) return nullptr;
    }
    const auto bucket = s.by_terms.find(hash_of(normal));
    if (bucket == s.by_terms.end()) return nullptr;
    for (std::uint32_t i : bucket->second) {
        if (s.relations[i].form == normal) return &s.relations[i];
    }
    return nullptr;
}

}  // namespace proviso::rewrite
