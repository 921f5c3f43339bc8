// Terms and formulas, each stored once: equal ones have equal numbers. A formula is kept in
// negation normal form together with its negation, so that nothing has to be walked to negate it
// and what is shared stays shared.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "analysis/certcheck/polynomial.h"

namespace proviso::certcheck {

using FormulaId = std::uint32_t;
using TermId = std::uint32_t;  // also the number of an Int term's atom

enum class Sort : std::uint8_t { Int, Bool, Other };

// A value of the text: a polynomial, a formula, or a term that is not interpreted.
struct Value {
    Sort sort = Sort::Other;
    std::uint32_t id = 0;
    bool operator==(const Value& o) const { return sort == o.sort && id == o.id; }
    bool operator<(const Value& o) const { return sort != o.sort ? sort < o.sort : id < o.id; }
};

// An application that is not interpreted; its operator and arguments identify it.
struct Term {
    std::string op;
    std::vector<Value> args;
    bool operator<(const Term& o) const { return op != o.op ? op < o.op : args < o.args; }
};

struct Formula {
    enum class Kind : std::uint8_t {
        AtLeastZero,  // polynomial >= 0
        Zero,         // polynomial = 0
        NotZero,      // parts: polynomial - 1 >= 0, -polynomial - 1 >= 0
        Holds,        // an opaque Boolean term
        HoldsNot,
        And,     // of parts
        Or,      // of parts
        Choice,  // Or of (c and a), (not c and b); its negation of (c and not a), (not c and not b)
    };
    Kind kind = Kind::And;
    std::uint32_t id = 0;  // of the polynomial or of the term
    std::vector<FormulaId> parts;

    bool is_disjunction() const {
        return kind == Kind::Or || kind == Kind::Choice || kind == Kind::NotZero;
    }
    bool operator<(const Formula& o) const {
        if (kind != o.kind) return kind < o.kind;
        return id != o.id ? id < o.id : parts < o.parts;
    }
};

class Formulas {
  public:
    explicit Formulas(Budget& budget) : polys(budget), budget_(budget) {}

    Polynomials polys;

    Value term(const Term& t, Sort sort);  // Int and Bool terms become atoms and literals
    const Term& term(TermId t) const { return *terms_[t]; }

    FormulaId at_least_zero(PolyId p);
    FormulaId zero(PolyId p);
    FormulaId constant(bool truth);                      // 0 >= 0; -1 >= 0
    FormulaId all(const std::vector<FormulaId>& parts);  // one part: that part; none: true
    FormulaId any(const std::vector<FormulaId>& parts);  // one part: that part; none: false
    FormulaId choice(FormulaId c, FormulaId a, FormulaId b);
    FormulaId equal(const Value& a, const Value& b);  // of the same sort

    FormulaId negation(FormulaId f) const { return negations_[f]; }
    // Each is exactly the other's negation; for equations up to sign.
    bool opposite(FormulaId f, FormulaId g);
    const Formula& operator[](FormulaId f) const { return *formulas_[f]; }

  private:
    // Stores both, each as the other's negation; gives the first.
    FormulaId pair(const Formula& yes, const Formula& no);
    FormulaId store(const Formula& f);

    Budget& budget_;
    std::map<Term, TermId> term_ids_;
    std::vector<const Term*> terms_;
    std::map<Formula, FormulaId> formula_ids_;
    std::vector<const Formula*> formulas_;
    std::vector<FormulaId> negations_;
};

}  // namespace proviso::certcheck
