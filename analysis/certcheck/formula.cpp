#include "analysis/certcheck/formula.h"

#include <algorithm>

namespace proviso::certcheck {

using Kind = Formula::Kind;

FormulaId Formulas::store(const Formula& f) {
    budget_.work(Budget::kLookup + f.parts.size());
    const auto [at, is_new] = formula_ids_.emplace(f, static_cast<FormulaId>(formulas_.size()));
    if (is_new) {
        budget_.keep(sizeof(Formula) + 64 + 4 * f.parts.size());
        formulas_.push_back(&at->first);
        negations_.push_back(at->second);  // until pair() says which
    }
    return at->second;
}

FormulaId Formulas::pair(const Formula& yes, const Formula& no) {
    const FormulaId f = store(yes);
    const FormulaId g = store(no);
    negations_[f] = g;
    negations_[g] = f;
    return f;
}

Value Formulas::term(const Term& t, Sort sort) {
    budget_.work(Budget::kLookup + t.op.size() + t.args.size());
    const auto [at, is_new] = term_ids_.emplace(t, static_cast<TermId>(terms_.size()));
    if (is_new) {
        terms_.push_back(&at->first);
        budget_.keep(sizeof(Term) + 64 + t.op.size() + sizeof(Value) * t.args.size());
    }
    switch (sort) {
        case Sort::Int: return {sort, polys.atom(at->second)};
        case Sort::Bool:
            return {sort, pair({Kind::Holds, at->second, {}}, {Kind::HoldsNot, at->second, {}})};
        case Sort::Other: break;
    }
    return {sort, at->second};
}

FormulaId Formulas::at_least_zero(PolyId p) {
    const PolyId below = polys.scaled(p, -1, -1);
    return pair({Kind::AtLeastZero, p, {}}, {Kind::AtLeastZero, below, {}});
}

FormulaId Formulas::zero(PolyId p) {
    const FormulaId above = at_least_zero(polys.scaled(p, 1, -1));
    const FormulaId below = at_least_zero(polys.scaled(p, -1, -1));
    return pair({Kind::Zero, p, {}}, {Kind::NotZero, p, {above, below}});
}

FormulaId Formulas::constant(bool truth) {
    return at_least_zero(polys.constant(truth ? 0 : -1));
}

FormulaId Formulas::all(const std::vector<FormulaId>& parts) {
    if (parts.empty()) return constant(true);
    if (parts.size() == 1) return parts[0];
    std::vector<FormulaId> negated;
    for (const FormulaId f : parts) negated.push_back(negation(f));
    return pair({Kind::And, 0, parts}, {Kind::Or, 0, negated});
}

FormulaId Formulas::any(const std::vector<FormulaId>& parts) {
    if (parts.empty()) return constant(false);
    std::vector<FormulaId> negated;
    for (const FormulaId f : parts) negated.push_back(negation(f));
    return negation(all(negated));
}

FormulaId Formulas::choice(FormulaId c, FormulaId a, FormulaId b) {
    const FormulaId not_c = negation(c);
    return pair({Kind::Choice, 0, {all({c, a}), all({not_c, b})}},
                {Kind::Choice, 0, {all({c, negation(a)}), all({not_c, negation(b)})}});
}

FormulaId Formulas::equal(const Value& a, const Value& b) {
    switch (a.sort) {
        case Sort::Int: return zero(polys.difference(a.id, b.id));
        case Sort::Bool: return choice(a.id, b.id, negation(b.id));
        case Sort::Other: break;
    }
    if (a == b) return constant(true);
    return term({"=", {std::min(a, b), std::max(a, b)}}, Sort::Bool).id;
}

bool Formulas::opposite(FormulaId f, FormulaId g) {
    if (negation(f) == g) return true;
    const Formula& a = (*this)[f];
    const Formula& b = (*this)[g];
    const bool equations = (a.kind == Kind::Zero && b.kind == Kind::NotZero) ||
                           (a.kind == Kind::NotZero && b.kind == Kind::Zero);
    return equations && polys.scaled(a.id, -1) == b.id;
}

}  // namespace proviso::certcheck
