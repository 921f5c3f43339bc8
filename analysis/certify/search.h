// The search: a scope of facts and a linear program, closed by doing next whatever the program's
// model violates. Files: scope.cpp takes facts in, search.cpp is the loop and the branches,
// bounds.cpp integrality, bitwise.cpp bits, products.cpp products, symbolic divisors and
// congruence, quotients.cpp quotients by one unknown compared.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "analysis/certify/bitwise.h"
#include "analysis/certify/proof.h"
#include "analysis/certify/simplex.h"

namespace proviso::analysis::certificate {

// What is known on one branch. Copied on entry to a branch.
struct Scope {
    std::vector<FactId> queue;                // not taken in yet
    std::vector<FactId> arithmetic;           // in the linear program
    std::vector<FactId> disjunctions;         // open
    std::map<LiteralId, FactId> literals[2];  // by sign
    // Equations solved for an atom, in order: equation = sign * atom + rest.
    struct Solved {
        FactId equation;
        Int128 sign;
    };
    std::map<AtomId, Solved> solved;
    std::set<AtomId> known;            // atoms with their definitions taken in
    std::vector<AtomId> applications;  // for congruence: atoms
    std::vector<AtomId> symbolic;      // divisions whose divisor has no sign yet
    std::vector<LiteralId> opaque;     // literals that occur
    std::set<std::pair<std::string, std::string>> congruent;  // pairs compared already
    std::map<std::pair<FactId, MonomialId>, FactId> times;
    std::set<std::pair<FactId, FactId>> products;
    // Linear forms (over monomials, gcd 1) whose fractional value is worth a cut or a split.
    std::vector<Poly> candidates;
    std::set<std::vector<std::pair<MonomialId, Int128>>> candidate_set;
    std::set<std::pair<std::string, Int128>> sign_splits;
    std::vector<Poly> implied;                                   // p = 0, shown by two inequalities
    std::set<std::vector<std::pair<MonomialId, Int128>>> equal;  // those said already
    std::set<MonomialId> divisor_products;  // products in divisors: their sign matters
    // Divisions by unknowns whose sign is known: dividend = divisor * q + rest.
    struct Quotient {
        AtomId q;
        Poly dividend;
        Poly divisor;
        FactId size;  // |divisor| - k >= 0 with k >= 1
        bool positive;
    };
    std::vector<Quotient> quotients;
    std::set<std::pair<std::vector<std::pair<MonomialId, Int128>>, Int128>> compared;
    int comparisons = 0;  // those with no exact answer
    // Bits of unknown bit-vectors that are 0, with the facts that say so.
    struct KnownBits {
        unsigned top = 0;     // from here on
        unsigned bottom = 0;  // below
        std::optional<FactId> above;
        std::optional<FactId> below;
    };
    std::map<std::size_t, KnownBits> known_bits;  // by number of the bit-vector
    std::set<AtomId> settled;                     // remainders by 2^w whose quotient is a number
    std::vector<StepId> steps;
    int depth = 0;
    int case_splits = 0;
    int product_rounds = 0;
    std::set<AtomId> bounded;        // factors whose sign has been looked for
    std::size_t combined = 0;        // facts in the program when rows were last combined
    std::size_t row_cuts = 0;        // made by combining rows
    std::size_t divisors_tried = 0;  // facts in the program when divisors were last looked at
    std::size_t bits_tried = 0;      // and bits
};

enum class Strategy : std::uint8_t {
    Plain,
    // Quotients by unknowns are compared, and the signs of all factors looked for, at some cost.
    Quotients,
    // Besides, products of facts that bring in new products of unknowns wait for splits on signs.
    SignsFirst,
};

class Search {
  public:
    // `bits`: null where what they mean is not taken in.
    Search(Algebra& algebra, Proof& proof, Work& work, Strategy strategy, const Bitwise* bits);

    // Proof of a contradiction from these facts, or none where the search has no further idea.
    // `given`: steps that have been taken already; their results are among the facts.
    std::optional<NodeId> prove(const std::vector<FactId>& facts, std::vector<StepId> given = {});

  private:
    using Result = std::optional<NodeId>;

    // search.cpp
    Result close(Scope& s, bool shallow);
    Result branch(const Scope& s, FactId fact, bool shallow);
    Result case_split(const Scope& s, const Poly& at_least_zero);
    Result equality_split(const Scope& s, const Poly& zero);
    // A disjunction that the model violates, with proofs of the disjuncts that fall at once.
    struct Choice {
        FactId disjunction = 0;
        std::vector<FactId> facts;
        std::vector<Result> branches;
        int live = 0;
    };
    std::optional<Choice> choose(Scope& s);
    bool multiply_facts(Scope& s);
    std::optional<Poly> sign_split(Scope& s);
    Choice examine(const Scope& s, FactId disjunction);
    Result follow(Scope& s, Choice& choice);
    bool holds(const Scope& s, FormulaId f);
    // In the model of the linear program; products of solved atoms through their equations.
    Rational value(const Scope& s, const Poly& p);
    Rational value(const Scope& s, MonomialId m);

    // scope.cpp
    Result absorb(Scope& s);
    Result take(Scope& s, FactId fact);
    Result take_arithmetic(Scope& s, FactId fact);
    void take_conjunction(Scope& s, FactId fact);
    void take_atoms(Scope& s, const std::vector<AtomId>& atoms);
    void define(Scope& s, AtomId a);
    void solve(Scope& s, FactId equation);
    FactId reduced(Scope& s, FactId fact);
    Poly substituted(const Scope& s, Poly p);  // the same without a proof
    FactId times(Scope& s, FactId equation, MonomialId m);
    Result assert_fact(Scope& s, FactId fact);
    void note_equality(Scope& s, const Poly& p, Column c);
    void note_candidates(Scope& s, const Poly& p);
    void note_candidate(Scope& s, Poly p);
    Column column(MonomialId m);
    std::vector<std::pair<Column, Int128>> columns_of(const Poly& p, Int128 divisor);
    Result farkas(Scope& s);
    FactId add_cut(Scope& s, const Multipliers& m, bool equation);
    FactId add_simple_step(Scope& s, Step step, FormulaId f);
    Result leaf(Scope& s, const char* head, std::vector<FactId> premises);
    const Formula& formula(FactId f) const { return algebra_.at(proof_.formula(f)); }

    // bounds.cpp
    bool cut_by_probing(Scope& s, std::optional<Poly>& open);
    bool is_narrow(const Poly& p, Int128 below);
    bool is_impossible(Poly at_least_zero);  // for the linear program
    bool combine_rows(Scope& s);
    // The fact that p <= limit, when the linear program shows it.
    std::optional<FactId> bound_above(Scope& s, const Poly& p, Int128 limit);

    // bitwise.cpp
    bool use_bits(Scope& s);
    bool settle_wraps(Scope& s);
    void learn_bits(Scope& s, std::size_t at);
    std::vector<FactId> take_facts(Scope& s, const TermFacts& about);

    // products.cpp
    std::size_t degree(const Poly& p) const;
    bool use_symbolic_divisions(Scope& s);
    std::optional<FactId> sign_of(Scope& s, const Poly& p);  // p - k >= 0 with k >= 1
    bool add_products(Scope& s, std::size_t most_fresh);
    bool bound_factors(Scope& s);
    bool add_congruences(Scope& s);
    struct Application {
        std::string text;
        std::string function;  // equal for applications of one function
        std::vector<TermId> args;
    };
    Application application(AtomId a) const;
    bool model_agrees(const Scope& s, const Application& a, const Application& b);
    void add_congruence(Scope& s, const Application& a, const Application& b, FormulaId conclusion);
    // A form to split on by sign; or none, with new facts in the queue or not.
    std::optional<Poly> cofactor_split(Scope& s);
    bool drop_common_factor(Poly& p);

    // quotients.cpp
    struct Side {
        Poly poly;
        FactId size;
        bool open;  // the other side gets its product too
    };
    std::optional<Side> quotient_side(Scope& s, bool exact);
    std::optional<Side> next_side(Scope& s, const Poly& p, FactId size, bool open);
    Poly multiple_of(const Poly& divisor, Poly& rest);
    Result quotient_split(const Scope& s, const Side& side);

    Algebra& algebra_;
    Proof& proof_;
    Work& work_;
    const bool compares_;
    const bool signs_first_;
    const Bitwise* bits_;
    Simplex simplex_;
    std::vector<std::optional<Column>> columns_;  // by monomial
    std::map<Column, MonomialId> monomial_of_;
};

// To integers without a common factor; one entry a fact.
Multipliers to_integers(const Combination& c);

}  // namespace proviso::analysis::certificate
