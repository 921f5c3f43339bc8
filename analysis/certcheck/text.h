// The SMT-LIB 2 text of an obligation, as the checker reads it: declarations, definitions,
// assertions. Anything else than (set-logic), (declare-fun), (declare-const), (define-fun),
// (assert) and one (check-sat) at the end is refused.
//
// Interpreted are + - * and numerals on Int, comparisons, the connectives, ite, let, = and distinct
// on Int and Bool. Every other application is a term known by its operator and arguments alone:
// whatever it means, equal arguments give equal values. Definitions are read once, and a name
// stands for the value, so sharing in the text stays sharing. Of floats it is kept which format
// they have, for float_facts(), and of bit-vectors how many bits, for bit_facts() and bounds().
// Where an operator is one of these theories, its arguments are counted and their sorts compared.
#pragma once

#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "analysis/certcheck/bits.h"
#include "analysis/certcheck/floats.h"
#include "analysis/certcheck/formula.h"
#include "analysis/certcheck/sexp.h"

namespace proviso::certcheck {

// What operators of the theories of bit-vectors and floats give that give an Int or a Bool; Other
// of all others.
Sort theory_gives(std::string_view op);

// Names bound by one let or macro, and around them those of others.
class Names {
  public:
    explicit Names(Budget& budget, const Names* outer = nullptr)
        : budget_(&budget), outer_(outer) {}

    // False where it is bound here already.
    bool bind(std::string_view name, const Value& v) {
        budget_->work(Budget::kLookup);
        budget_->keep(sizeof(name) + sizeof(v) + 48);
        return own_.emplace(name, v).second;
    }
    std::optional<Value> find(std::string_view name) const {
        for (const Names* scope = this; scope != nullptr; scope = scope->outer_) {
            budget_->work(Budget::kLookup);
            const auto found = scope->own_.find(name);
            if (found != scope->own_.end()) return found->second;
        }
        return std::nullopt;
    }

  private:
    Budget* budget_;
    const Names* outer_;
    std::map<std::string_view, Value> own_;
};

class Text {
  public:
    // All must outlive this. Throws Refusal or TooLarge.
    Text(const Source& source, Formulas& formulas, Budget& budget);

    const std::vector<FormulaId>& assertions() const { return assertions_; }

    // Terms over the text's names; they throw where the sort is another.
    Value value(const Sexp& e);
    PolyId integer(const Sexp& e);
    FormulaId formula(const Sexp& e);
    // What floats.h says of a term that is a float, or of a claim on floats. Throws on others.
    std::vector<FormulaId> float_facts(const Sexp& e);
    // What bits.h says of a term that is a bit-vector, or of a claim on bit-vectors. Throws on
    // others.
    std::vector<FormulaId> bit_facts(const Sexp& e);
    // bitwise_bounds() of an Int term.
    Bounds bounds(const Sexp& e, PolyId sum, const std::vector<FormulaId>& given) const;

  private:
    // A sort as it is written: of those that are neither Int nor Bool what is known of it.
    struct Written {
        Sort sort = Sort::Other;
        std::optional<unsigned> width;
        std::optional<FloatFormat> format;
    };
    struct Function {
        std::vector<Written> arguments;
        Written result;
        // Of a macro:
        std::vector<std::string_view> parameters;
        const Sexp* body = nullptr;
    };

    void command(const Sexp& e);
    void declare(const Sexp& e);
    void define(const Sexp& e);
    std::string_view new_name(const Sexp& e) const;
    static Written written(const Sexp& sort);
    Value checked(const Sexp& e, Value v, Sort wanted) const;
    Value checked(const Sexp& e, Value v, const Written& wanted) const;
    // The two may be of one sort, as far as is known.
    void expect_one_sort(const Sexp& e, const Value& a, const Value& b) const;
    // The arguments of an operator of bit-vectors or floats that gives an Int or a Bool.
    void expect_arguments(const Sexp& e, const std::vector<Value>& args) const;

    Value read(const Sexp& e, const Names& names, unsigned depth);
    Value read_word(const Sexp& e, const Names& names);
    Value read_let(const Sexp& e, const Names& names, unsigned depth);
    Value read_arithmetic(const Sexp& e, const Names& names, unsigned depth);
    void add_to(Polynomials::Sum& sum, const Integer& factor, const Sexp& e, const Names& names,
                unsigned depth);
    Value read_ite(const Sexp& e, const Names& names, unsigned depth);
    Value read_connective(const Sexp& e, const Names& names, unsigned depth);
    Value read_relation(const Sexp& e, const Names& names, unsigned depth);
    FormulaId compare(const Sexp& e, const Value& a, const Value& b);
    Value apply(const Sexp& e, const Names& names, unsigned depth);
    // An application that is not interpreted; a float or a bit-vector where it gives one.
    Value opaque(const Term& t, Sort sort);
    Value declared(const Term& t, const Written& sort);
    std::optional<FloatFormat> format(const Value& v) const;
    std::optional<unsigned> width(const Value& v) const;
    // The number of a bit-vector; the same as two's complement.
    Value number(const Value& v);
    Value signed_number(const Value& number, unsigned width);
    // The code of a float.
    Value code(const Value& v, FloatFormat f);
    FormulaId instance(std::string_view axiom, const Names& names);
    // Each macro once for each list of arguments.
    Value expand(std::string_view name, const Function& f, std::vector<Value> args, unsigned depth);
    std::vector<Value> read_arguments(const Sexp& e, const Names& names, unsigned depth);
    std::vector<Value> read_arguments(const Sexp& e, const Names& names, unsigned depth, Sort sort);

    Formulas& formulas_;
    Budget& budget_;
    std::map<std::string_view, Value> constants_;
    std::map<std::string_view, Function> functions_;
    std::map<std::pair<std::string_view, std::vector<Value>>, Value> expanded_;
    std::vector<FormulaId> assertions_;
    std::map<TermId, FloatFormat> formats_;
    std::map<TermId, unsigned> widths_;
    Source own_;                 // functions of codes
    bool in_obligation_ = true;  // these, and codes, are for certificates alone
};

}  // namespace proviso::certcheck
