// Whether a claim follows from facts: by what they say outright, by ranges, and, where more than
// ranges can matter and no sample point speaks against it, by the prover's cheap deciders.
#include <algorithm>

#include "analysis/facts/formula.h"
#include "rewrite/simplify/surroundings.h"

namespace proviso::rewrite {

using ir::Expr;
using ir::Int128;
using ir::Op;

std::optional<bool> Surroundings::said(const FactSet& s, Expr claim) const {
    for (const FactSet* at = &s; at != nullptr; at = at->parent) {
        if (const auto* known = at->literals.find(claim)) return known->set;
    }
    return std::nullopt;
}

std::optional<bool> Surroundings::decide(FactSet& s, Expr claim) {
    if (ir::is_const(claim)) return ir::is_true(claim);
    if (const auto known = said(s, claim)) return known;
    switch (claim->op) {
        case Op::Not: {
            const auto inner = decide(s, claim->arg(0));
            return inner ? std::optional<bool>(!*inner) : std::nullopt;
        }
        case Op::And:
        case Op::Or: {
            const bool decides = claim->op == Op::Or;
            const auto a = decide(s, claim->arg(0));
            if (a == decides) return decides;
            const auto b = decide(s, claim->arg(1));
            if (b == decides) return decides;
            return a && b ? std::optional<bool>(!decides) : std::nullopt;
        }
        case Op::Lt:
        case Op::Le:
        case Op::Eq:
        case Op::Ne:
            if (!claim->arg(0)->type.is_int()) return std::nullopt;
            return decide_comparison(s, claim->op, claim->arg(0), claim->arg(1));
        default: return std::nullopt;
    }
}

std::optional<bool> Surroundings::decide_order(FactSet& s, Op op, Expr a, Expr b) {
    if (const auto known = decide_comparison(s, op, a, b)) return known;
    if (a->type.is_exact_int() && ranges_say_all(s, a, b)) return std::nullopt;
    return said(s, ctx_.make(op, {a, b}));
}

std::optional<bool> Surroundings::decide_comparison(FactSet& s, Op op, Expr a, Expr b) {
    Range gap;  // right - left
    Int128 content = 0;
    Int128 constant = 0;
    if (a->type.is_exact_int()) {
        try {
            LinearForm form = forms_.plain(b);
            form.add(forms_.plain(a), -1);
            gap = range(s, form);
            content = form.content();
            constant = form.constant;
        } catch (const TooLarge&) {
            return std::nullopt;
        }
    } else {
        gap = sum(range(s, b), scaled(range(s, a), -1));
        if (a == b) gap = Range::point(0);
    }
    if (op == Op::Lt || op == Op::Le) {
        const Int128 least = op == Op::Lt ? 1 : 0;
        if (gap.lo >= least) return true;
        if (gap.hi < least) return false;
        return std::nullopt;
    }
    const bool when_equal = op == Op::Eq;
    if (gap.lo == 0 && gap.hi == 0) return when_equal;
    if (gap.lo > 0 || gap.hi < 0) return !when_equal;
    if (content > 1 && !is_multiple(constant, content)) return !when_equal;
    return std::nullopt;
}

namespace {

// Whether a term occurs twice, or is related to others by a fact: then bounds of the parts are not
// all there is to know.
struct Correlation {
    const FactSet& s;
    boost::container::small_vector<Expr, 12> seen = {};

    bool found(Expr e) {
        if (e->op == Op::Var || e->op == Op::Load) {
            for (const FactSet* at = &s; at != nullptr; at = at->parent) {
                if (at->related.find(e) != nullptr) return true;
            }
            if (std::find(seen.begin(), seen.end(), e) != seen.end()) return true;
            seen.push_back(e);
            if (e->op == Op::Var) return false;
        }
        return std::any_of(e->args.begin(), e->args.end(), [this](Expr a) { return found(a); });
    }
};

}  // namespace

bool Surroundings::prover_may_know(FactSet& s, Expr claim) {
    // What large claims take is out of proportion to what they give; and where facts bound single
    // terms only, there is little beyond ranges to know.
    constexpr std::uint32_t largest = 100;
    constexpr std::uint32_t largest_by_ranges = 24;
    bool relations = false;
    for (const FactSet* at = &s; at != nullptr; at = at->parent)
        relations |= at->related.size() > 0;
    if (s.contradictory || claim->size > (relations ? largest : largest_by_ranges)) return false;
    if (claim->op == Op::Not) claim = claim->arg(0);
    if (is_comparison(claim->op) && claim->arg(0)->type.is_exact_int()) {
        return !ranges_say_all(s, claim->arg(0), claim->arg(1)) && Correlation{s}.found(claim);
    }
    return true;
}

// Facts that share a variable with the claim, or with such a fact, and so on. Variables are told
// apart by a bit each: a fact too many does no harm.
std::vector<Expr> Surroundings::relevant_facts(FactSet& s, Expr claim) {
    constexpr std::size_t few = 12;
    constexpr std::size_t most = 64;
    if (s.facts.size() <= few) return s.facts;
    if (s.occurring_in.empty()) {
        s.occurring_in.reserve(s.facts.size());
        for (Expr f : s.facts) s.occurring_in.push_back(forms_.occurring(f));
    }
    LinearForms::Occurring reached = forms_.occurring(claim) & ~LinearForms::kTwice;
    std::vector<bool> taken(s.facts.size(), false);
    std::size_t count = 0;
    for (bool more = true; more && count < most;) {
        more = false;
        const LinearForms::Occurring before = reached;
        for (std::size_t i = 0; i < taken.size() && count < most; ++i) {
            if (taken[i] || (s.occurring_in[i] & before) == 0) continue;
            taken[i] = true;
            ++count;
            reached |= s.occurring_in[i] & ~LinearForms::kTwice;
            more = true;
        }
    }
    std::vector<Expr> out;
    out.reserve(count);
    for (std::size_t i = 0; i < taken.size(); ++i) {
        if (taken[i]) out.push_back(s.facts[i]);
    }
    return out;
}

bool Surroundings::ask_prover(FactSet& s, Expr claim) {
    if (const FactSet::Flag* known = s.answers.find(claim)) return known->set;
    const bool known = holds_rounded(s, claim);
    if (known || fails_elsewhere(s, claim)) {
        s.answers.put(claim, {known});
        return known;
    }
    ++asked_;
    const bool holds = prover_.proves_cheaply(relevant_facts(s, claim), claim);
    s.answers.put(claim, {holds});
    return holds;
}

std::optional<bool> Surroundings::asks_either(FactSet& s, Expr claim) {
    if (!prover_may_know(s, claim)) return std::nullopt;
    const Seen at_points = seen(s, claim);
    if (!at_points.fails && ask_prover(s, claim)) return true;
    if (!at_points.holds && ask_prover(s, ctx_.not_(claim))) return false;
    return std::nullopt;
}

bool Surroundings::proves(FactSet& s, Op order, Expr a, Expr b) {
    if (const auto known = decide_comparison(s, order, a, b)) return *known;
    if (a->type.is_exact_int() && ranges_say_all(s, a, b)) return false;
    Expr claim = ctx_.make(order, {a, b});
    if (const auto known = said(s, claim)) return *known;
    return asks(s, claim);
}

bool Surroundings::proves(FactSet& s, Expr claim) {
    if (const auto known = decide(s, claim)) return *known;
    if (claim->op == Op::And) return proves(s, claim->arg(0)) && proves(s, claim->arg(1));
    return asks(s, claim);
}

bool Surroundings::in_range(FactSet& s, Expr e) {
    if (!e->type.is_exact_int()) return true;
    if (range(s, e).within(Range::of(e->type))) return true;
    if (ranges_say_all(s, forms_.occurring(e)) || seen_out_of_range(s, e)) return false;
    return proves(s, analysis::in_range(ctx_, e));
}

}  // namespace proviso::rewrite
