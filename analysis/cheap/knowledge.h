// What is assumed, in normal form: linear constraints and intervals over atoms, truth values of
// other claims, disjunctions that are still open. To prove a goal, its opposite is assumed and a
// contradiction is looked for.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

#include "analysis/cheap/atoms.h"
#include "analysis/obligation.h"
#include "ir/domains/float_class.h"
#include "ir/domains/number.h"

namespace proviso::analysis::cheap {

// How a contradiction was found, weakest first.
enum class Method : std::uint8_t { Syntax, Interval, Congruence, KnownBits, Linear, FloatClass };
const char* method_name(Method m);

// A claim and whether it is taken as true or as false.
struct Literal {
    ir::Expr claim;
    bool positive;
};
// form >= 0, or form = 0.
struct FormClaim {
    Form form;
    bool equality;
};
using Conjunction = std::vector<std::variant<Literal, FormClaim>>;
using Disjunction = std::vector<Conjunction>;

// What all branches of one question share.
struct Question {
    ir::Context& ctx;
    AtomTable atoms;
    const std::vector<ir::Expr>& unbounded;
    int steps = 0;  // bounded by kMaxSteps

    void step();
};
inline constexpr int kMaxSteps = 4000;

class Knowledge {
  public:
    explicit Knowledge(Question& question) : q_(&question) {}

    void assume(ir::Expr claim, bool positive);
    void assume(const Conjunction& conjunction);
    void assume_ge(const Form& form);  // form >= 0
    void assume_eq(const Form& form, int preferred = -1);

    // Set as soon as the assumptions contradict each other.
    bool contradiction() const { return contradiction_; }
    Method method() const { return method_; }

    // Settles disjunctions with one arm left and tightens intervals.
    void propagate();
    // Looks for a contradiction among the linear constraints by elimination.
    void eliminate();

    // Disjunctions still open; take_split removes the one to split on, none when there are none.
    std::optional<Disjunction> take_split();

    // The claim's truth value, as far as literals and intervals tell.
    std::optional<bool> truth(ir::Expr claim);
    Form form_of(ir::Expr exact);  // of a term of exact integer type
    int number_of(ir::Expr e);     // of any other term
    Interval bounds_of(const Form& form);

    // A copy to assume more in; what is remembered of terms is not copied.
    Knowledge branch() const;

  private:
    friend class TermReader;

    void contradict(Method how);
    void assume_comparison(ir::Expr claim, bool positive);
    void assume_equality(ir::Expr claim, bool positive);
    void assume_literal(ir::Expr claim, bool positive);
    void open(Disjunction d);
    bool settle_open();
    bool tighten(const Form& constraint);
    bool narrow(int atom, const Interval& to, Method how);
    Form resolved(const Form& form) const;
    Interval bounds_of_atom(int atom) const;
    void enliven(int atom);
    void enliven(const Form& form);
    std::optional<bool> known_comparison(ir::Expr claim);

    // Bits of exact integers: bit_facts.cpp. `Quotient` is floor(form / c) for c > 0.
    using Quotient = std::function<Form(const Form&, Int128)>;
    struct BitTerm {
        Form form;
        ir::KnownBits bits;
    };
    ir::Number number_of_form(const Form& form);
    ir::Number number_of_term(ir::Expr e, int depth);
    std::optional<Form> masked(const Form& x, Int128 mask, const Quotient& quotient);
    BitTerm bit_pair(ir::Op op, BitTerm a, BitTerm b, const Quotient& quotient);
    void bound_pair(ir::Op op, const Form& result, const Form& a, const Form& b);
    bool bit_operands(ir::Op op, ir::Expr e, std::vector<BitTerm>& terms, Int128& constant);
    // The form of `&`, `|` or `^`; none where nothing better than an opaque term is known.
    std::optional<Form> bitwise_form(ir::Expr e, const Quotient& quotient);

    // Float classes: bits of ir::FloatClass.
    std::uint16_t class_of(ir::Expr e);
    void learn_class(ir::Expr e, std::uint16_t mask);
    void learn_order(ir::Expr x, ir::Expr y, bool strict);  // x < y or x <= y
    void learn_float_claim(ir::Expr claim, bool positive);
    ir::Expr same_by_class(ir::Expr e);

    Question* q_;
    bool contradiction_ = false;
    Method method_ = Method::Syntax;
    std::vector<Interval> bounds_;   // by atom; shorter than the table where nothing is known
    std::vector<bool> live_;         // atoms whose own constraints were entered
    std::map<int, Form> defined_;    // atoms replaced by a form
    std::vector<Form> constraints_;  // each >= 0
    std::unordered_map<int, bool> truths_;  // literals by number
    std::map<int, int> same_;               // number -> number of an equal value
    std::vector<Disjunction> open_;
    std::map<int, std::uint16_t> classes_;  // number -> classes that the value can have
    std::unordered_map<ir::Expr, std::uint16_t> class_memo_;
    std::unordered_map<ir::Expr, Form> forms_;
    std::unordered_map<ir::Expr, int> numbers_;
};

}  // namespace proviso::analysis::cheap
