// Polynomials over atoms, and formulas in negation normal form over them, as the certificate format
// defines both. Memoised by term, so the DAG's sharing is kept.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "analysis/certify/number.h"
#include "analysis/certify/terms.h"

namespace proviso::analysis::certificate {

using AtomId = std::uint32_t;
using MonomialId = std::uint32_t;  // 0 is no monomial: the constant stands apart

struct Poly {
    std::vector<std::pair<MonomialId, Int128>> terms;  // by ascending monomial; no zeros
    Int128 constant = 0;

    bool is_constant() const { return terms.empty(); }
    bool operator==(const Poly& o) const { return constant == o.constant && terms == o.terms; }
    Int128 coefficient(MonomialId m) const;
    Int128 content() const;  // gcd of the coefficients, 0 for a constant
};

Poly combine(const Poly& a, Int128 x, const Poly& b, Int128 y);  // x a + y b
Poly scaled(const Poly& a, Int128 x, Int128 plus = 0);           // x a + plus

// What an Int atom is made of. Everything that is not interpreted has kind Opaque.
struct Atom {
    enum class Kind : std::uint8_t { Opaque, Div, Mod, Ite, Abs };
    Kind kind = Kind::Opaque;
    Op op = Op::Other;
    TermId term = 0;           // Opaque: the term
    std::vector<TermId> args;  // in the text
};

using FormulaId = std::uint32_t;
using LiteralId = std::uint32_t;

struct Formula {
    enum class Kind : std::uint8_t { AtLeastZero, Zero, Literal, And, Or };
    Kind kind = Kind::And;
    Poly poly;
    LiteralId literal = 0;
    bool positive = true;
    std::vector<FormulaId> parts;
};

class Algebra {
  public:
    explicit Algebra(const Terms& terms);

    const Terms& terms() const { return terms_; }
    const Poly& poly(TermId t);
    FormulaId formula(TermId t, bool positive);
    const Formula& at(FormulaId f) const { return formulas_[f]; }

    const Atom& atom(AtomId a) const { return atoms_[a]; }
    std::size_t atom_count() const { return atoms_.size(); }
    const std::vector<AtomId>& factors(MonomialId m) const { return *monomials_[m]; }
    std::size_t monomial_count() const { return monomials_.size(); }
    MonomialId monomial(std::vector<AtomId> factors);
    Poly monomial_poly(MonomialId m) const { return Poly{{{m, 1}}, 0}; }
    Poly multiply(const Poly& a, const Poly& b);
    // The quotient atom of a Div or Mod atom; for Div itself.
    AtomId quotient(AtomId a);
    // Equal structure, Int parts by their polynomials.
    bool same(TermId a, TermId b) { return key_of(a) == key_of(b); }
    // a = b or a != b, by sort.
    FormulaId equality(TermId a, TermId b, bool positive);
    // A literal's term.
    TermId literal_term(LiteralId l) const { return literals_[l]; }

    std::string text(AtomId a) const;
    std::string text(const Poly& p) const;
    std::string monomial_text(MonomialId m) const;

    FormulaId at_least_zero(Poly p);
    FormulaId zero(Poly p);
    FormulaId all(std::vector<FormulaId> parts);
    FormulaId any(std::vector<FormulaId> parts);

    // Every atom in a formula's polynomials, each once, ascending.
    const std::vector<AtomId>& atoms_of(FormulaId f);
    void atoms_of(const Poly& p, std::vector<AtomId>& out) const;

  private:
    void accumulate(TermId t, Int128 factor, std::map<MonomialId, Int128>& sum, Int128& constant);
    Poly compute(TermId t);
    AtomId intern_atom(Atom::Kind kind, Op op, TermId term, const std::vector<TermId>& args);
    std::string key_of(TermId t);  // equal for terms of equal structure after normalisation
    FormulaId comparison(Op op, TermId a, TermId b, bool positive);
    FormulaId choice(TermId c, FormulaId a, FormulaId b);
    FormulaId literal(TermId t, bool positive);
    FormulaId compute_formula(TermId t, bool positive);
    FormulaId add(Formula f);

    const Terms& terms_;
    std::vector<std::optional<Poly>> polys_;                     // by term
    std::vector<std::optional<FormulaId>> formula_ids_[2];       // by polarity, term
    std::vector<std::string> keys_;                              // by term
    std::unordered_map<std::string, std::uint32_t> structures_;  // key -> short key
    std::vector<Atom> atoms_;
    std::unordered_map<std::string, AtomId> atom_ids_;
    std::map<std::vector<AtomId>, MonomialId> monomial_ids_;
    std::vector<const std::vector<AtomId>*> monomials_;
    std::deque<Formula> formulas_;  // references stay good
    std::deque<std::optional<std::vector<AtomId>>> formula_atoms_;
    std::unordered_map<std::string, LiteralId> literal_ids_;
    std::vector<TermId> literals_;
    int depth_ = 0;
};

}  // namespace proviso::analysis::certificate
