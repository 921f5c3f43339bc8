// What is assumed, in normal form: linear constraints and intervals over atoms, truth values of
// other claims, disjunctions that are still open. To prove a goal, its opposite is assumed and a
// contradiction is looked for. Everything here follows from what was assumed; what cannot be said
// is left out.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

#include "analysis/cheap/atoms.h"
#include "ir/domains/float_class.h"
#include "ir/domains/number.h"

namespace proviso::analysis::cheap {

// How a contradiction was found, weakest first.
enum class Method : std::uint8_t {
    Syntax,
    Interval,
    Congruence,
    KnownBits,
    Difference,
    Linear,
    FloatClass
};
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
struct Disjunction {
    std::vector<Conjunction> arms;
    bool fresh;  // opened since seal()
};

// What all branches of one question share.
struct Question {
    ir::Context& ctx;
    AtomTable atoms;
    std::vector<ir::Expr> unbounded;
    int steps = 0;
    int most_steps = 4000;
    int depth = 0;

    void step() {
        if (++steps > most_steps) throw GiveUp{};
    }
};

// One level deeper in a term or claim. Beyond the limit the stack would be at risk: nothing is
// decided there.
class Deeper {
  public:
    static constexpr int kDeepest = 400;
    explicit Deeper(Question& q) : q_(q) {
        if (q_.depth >= kDeepest) throw GiveUp{};
        ++q_.depth;
    }
    ~Deeper() { --q_.depth; }
    Deeper(const Deeper&) = delete;
    Deeper& operator=(const Deeper&) = delete;

  private:
    Question& q_;
};

// The operands of many nested minima (or maxima), each once, however deep: min(min(a, b), c) has a,
// b and c. Empty where there are few, or none.
std::vector<ir::Expr> many_operands(ir::Expr extremum);

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
    // Looks for a contradiction among the linear constraints: by chains of differences, then by
    // elimination among those that are near to what was assumed since seal().
    void eliminate();
    // What follows is about one goal: what is near to it comes first.
    void seal();

    // Disjunctions still open; take_split removes the one to split on, none when there are none.
    std::optional<Disjunction> take_split();

    // The claim's truth value, as far as literals and intervals tell.
    std::optional<bool> truth(ir::Expr claim);
    Form form_of(ir::Expr integer);  // of a term of integer type, exact or wrapping
    int number_of(ir::Expr e);       // of any other term
    Interval bounds_of(const Form& form) const;
    // form >= 0, as far as intervals and single constraints tell.
    bool known_ge(const Form& form) const;

    // A copy to assume more in. It looks up terms in this one, which must stay where it is.
    Knowledge branch() const;

  private:
    friend class TermReader;

    void contradict(Method how);
    void assume_comparison(ir::Expr claim, bool positive);
    void assume_equality(ir::Expr claim, bool positive);
    void assume_literal(ir::Expr claim, bool positive);
    void open(std::vector<Conjunction> arms);
    bool settle_open();
    bool false_already(const std::variant<Literal, FormClaim>& part);
    std::optional<bool> known_comparison(ir::Expr claim);

    bool add_constraint(const Form& form);
    int constraint_like(const Form& form, int sign) const;
    int replaceable_in(const Form& form) const;
    void replace_in_constraints(int atom);
    void tighten(const Form& constraint);
    void tighten_all();
    void narrow(int atom, const Interval& to, Method how);
    bool is_replaced(int atom) const;
    bool can_be_resolved(int atom) const;
    Form value_of(int atom);
    Form resolved(const Form& form);
    Interval bounds_of_atom(int atom) const;
    std::vector<Form> near_constraints() const;
    bool mark_live(int atom);
    void enliven(int atom);
    void enliven(const Form& form);
    void forget_terms();
    const Form* known_form(ir::Expr e) const;
    const int* known_number(ir::Expr e) const;

    // Bits of integers: bit_facts.cpp. `Quotient` is floor(form / c) for c > 0.
    using Quotient = std::function<Form(const Form&, Int128)>;
    struct BitTerm {
        Form form;
        ir::KnownBits bits;
    };
    ir::Number number_of_form(const Form& form);
    ir::Number number_of_term(ir::Expr e, int depth);
    std::optional<Form> masked(const Form& x, Int128 mask, const Quotient& quotient);
    BitTerm by_common_bits(ir::Op op, const BitTerm& a, const BitTerm& b, const Quotient& quotient);
    BitTerm bit_pair(ir::Op op, BitTerm a, BitTerm b, const Quotient& quotient);
    void bound_pair(ir::Op op, const Form& result, const Form& a, const Form& b);
    bool bit_operands(ir::Op op, ir::Expr e, std::vector<BitTerm>& terms, Int128& constant);
    // The form of `&`, `|` or `^`; none where nothing better than an opaque term is known.
    std::optional<Form> bitwise_form(ir::Expr e, const Quotient& quotient);

    // Float classes: bits of ir::FloatClass.
    std::uint16_t class_of(ir::Expr e);
    void learn_class(ir::Expr e, std::uint16_t mask);
    void learn_operands(ir::Expr quotient, std::uint16_t mask);  // from the classes of x / y
    void learn_order(ir::Expr x, ir::Expr y, bool strict);       // x < y or x <= y
    void learn_float_claim(ir::Expr claim, bool positive);
    ir::Expr same_by_class(ir::Expr e);

    Question* q_;
    bool contradiction_ = false;
    bool sealed_ = false;
    Method method_ = Method::Syntax;

    std::vector<Interval> bounds_;       // by atom; shorter than the table where nothing is known
    std::vector<bool> live_;             // atoms whose own constraints were entered
    std::map<int, Form> defined_;        // atoms replaced by a form
    std::vector<Form> constraints_;      // each >= 0, of two atoms or more
    std::vector<std::uint32_t> hashes_;  // of their terms
    std::vector<char> fresh_;            // assumed since seal()
    std::vector<int> fresh_atoms_;       // narrowed since seal()
    std::vector<int> untightened_;       // constraints that nothing was narrowed by yet
    std::vector<int> narrowed_;  // atoms narrowed since constraints were last looked through

    std::unordered_map<int, bool> truths_;  // literals by number
    std::map<int, int> same_;               // number -> number of an equal value
    std::vector<Disjunction> open_;
    std::map<int, std::uint16_t> classes_;  // number -> classes that the value can have

    const Knowledge* parent_ = nullptr;  // whose terms still read as they did
    std::unordered_map<ir::Expr, std::uint16_t> class_memo_;
    std::unordered_map<ir::Expr, Form> forms_;
    std::unordered_map<ir::Expr, int> numbers_;
};

}  // namespace proviso::analysis::cheap
