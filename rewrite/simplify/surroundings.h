// What is known where an expression stands, in the form that the simplifier asks for: the facts as
// ranges of terms and of linear forms, learned once for each set of facts; ranges of expressions
// under them, remembered by handle; and the prover behind, for what ranges cannot tell and only
// where relations between terms can matter.
//
//   facts 0 <= i, i < 8, n % 4 == 0, x < y     range of i: [0, 7]; of n % 4: [0, 0]; of y - x:
//   [1, inf)
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "analysis/prover/prover.h"
#include "rewrite/simplify/id_map.h"
#include "rewrite/simplify/lanes.h"
#include "rewrite/simplify/linear_form.h"
#include "rewrite/simplify/range.h"

namespace proviso::rewrite {

struct FactSet;

inline bool is_comparison(ir::Op op) {
    return op == ir::Op::Lt || op == ir::Op::Le || op == ir::Op::Eq || op == ir::Op::Ne;
}

// Values at sample points, remembered by handle.
struct Samples {
    FactSet* owner = nullptr;  // what is known of variables there chooses their values
    IdMap<const Lanes*> known;
    std::vector<std::unique_ptr<Lanes[]>> blocks;
    std::size_t used = 0;       // of the last block
    std::size_t variables = 0;  // that were given values
    bool at_random = false;     // points from all over their ranges, few corners
    // Facts that bound a variable by a term: var <= term - apart, or term + apart <= var.
    struct Bound {
        ir::Expr var;
        ir::Expr term;
        int apart;
        bool from_above;
    };
    boost::container::small_vector<Bound, 4> bounds;
    LinearForms::Occurring valuing = 0;  // variables whose values are being chosen

    Lanes& place_of(ir::Expr e);  // to be written by the caller
    const Lanes& keep(ir::Expr e, const Lanes& values);
};

// One set of facts, and what was found out under it. Made by Surroundings.
struct FactSet {
    // A linear form without constant, content 1, its first term positive, and the range of its
    // value.
    struct Relation {
        LinearForm form;
        Range range;
    };
    // What simplifying a node gave; `trace` numbers how it came about.
    struct Done {
        ir::Expr result = nullptr;  // null: it was not simplified yet
        std::uint32_t trace = 0;
        bool memory = false;  // there are loads, undefs or opaque calls below the node
    };
    // What is remembered of an expression: there are many, so ranges are kept in 64 bits where they
    // fit, and in `far_ranges` where they do not.
    struct Memory {
        ir::Expr result = nullptr;
        std::uint32_t trace = 0;
        bool memory = false;
        bool has_range = false;
        bool is_far = false;
        std::int64_t lo = 0;
        std::int64_t hi = 0;

        void set_done(const Done& what) {
            result = what.result;
            trace = what.trace;
            memory = what.memory;
        }
        Done done() const { return {result, trace, memory}; }
    };
    // Of a map's values, where they are no more than that.
    struct Flag {
        bool set = false;
    };

    std::vector<ir::Expr> facts;
    FactSet* parent = nullptr;   // whose facts are among these; null: learned from nothing
    FactSet* root = nullptr;     // the set that was there before conditions were added; null: this
    bool names = false;          // it has names that its parent has not
    bool says_values = false;    // some range of `said` is one value
    bool contradictory = false;  // the ranges alone show that no values satisfy the facts
    std::size_t relations_count = 0;  // with the parents'

    IdMap<Range> said;     // of variables, by facts that speak of nothing else
    IdMap<Range> bounds;   // of monomials
    IdMap<Flag> literals;  // claims taken as true or false
    IdMap<Flag> related;   // terms and variables that occur in facts which are no plain bounds
    LinearForms::Occurring occurring = 0;  // of `related`, with the parents'
    std::vector<Relation> relations;
    std::unordered_map<std::size_t, std::vector<std::uint32_t>> by_terms;  // hash -> relations

    IdMap<Memory> memory;
    IdMap<Range> far_ranges;
    IdMap<Flag> answers;         // of the prover, by claim
    IdMap<FactSet*> with;        // these facts and one more
    Samples* samples = nullptr;  // see sample
    Lanes::Mask points = 0;      // the lanes that satisfy the facts
    bool sampled = false;
    Samples* more = nullptr;  // other points, for what the prover would be asked
    Lanes::Mask more_points = 0;
    std::vector<LinearForms::Occurring> occurring_in;  // of each fact; lazily

    // less < more or less <= more, where that is a choice: more is a maximum, or less a minimum.
    struct Choice {
        ir::Expr less;
        ir::Expr more;
        ir::Op op;
    };
    std::vector<Choice> choices;  // to be settled when all facts are known

    // Without a result where there is none.
    Done done(ir::Expr e) const {
        const Memory* known = memory.find(e);
        return known == nullptr ? Done{} : known->done();
    }
    // Of what has a range.
    Range range_in(const Memory& m, ir::Expr e) const {
        return m.is_far ? *far_ranges.find(e) : Range{m.lo, m.hi};
    }
    void set_range(Memory& m, ir::Expr e, const Range& range) {
        m.has_range = true;
        m.is_far = !is_narrow(range.lo) || !is_narrow(range.hi);
        m.lo = static_cast<std::int64_t>(range.lo);
        m.hi = static_cast<std::int64_t>(range.hi);
        if (m.is_far) far_ranges.put(e, range);
    }
    void forget() {
        memory = {};
        far_ranges = {};
    }
};

class Surroundings {
  public:
    explicit Surroundings(analysis::Prover& prover)
        : prover_(prover), ctx_(prover.context()), forms_(ctx_) {}

    FactSet& of(const std::vector<ir::Expr>& facts);
    FactSet& with(FactSet& s, ir::Expr fact);
    // The same facts once more, for names that mean something only for a while.
    FactSet& inner(FactSet& s);
    // Gives a name its range. Nothing may have been asked about it under `s`, nor may facts speak
    // of it.
    static void name(FactSet& s, ir::Expr var, const Range& value);
    // Facts that say nothing about a variable, for the scope where its name means another one, and
    // then `value` as the range of that one.
    FactSet& rebound(FactSet& s, ir::Expr var, const Range& value);

    // The range of an integer expression, of a truth value as 0 and 1.
    Range range(FactSet& s, ir::Expr e);
    Range range(FactSet& s, const LinearForm& form);
    // Of what split_by(form, divisor) leaves as the rest.
    Range range_of_rest(FactSet& s, const LinearForm& form, ir::Int128 divisor);

    // `after` is a sum of the same terms as `before`: so it has its range, if that is known.
    static void keeps_range(FactSet& s, ir::Expr before, ir::Expr after);

    LinearForms& forms() { return forms_; }

    // Sample points: what was seen there where the facts hold. No proof, but a claim that was seen
    // to fail does not follow from the facts, and a term that was seen to vary is no constant.
    struct Seen {
        bool holds = false;
        bool fails = false;
        bool both() const { return holds && fails; }
    };
    Seen seen(FactSet& s, ir::Expr claim);
    // `after` was found to be equal to `before`: so it is where that was looked at.
    void seen_equal(FactSet& s, ir::Expr before, ir::Expr after);
    bool seen_out_of_range(FactSet& s, ir::Expr e);
    // At more points, for a claim that failed at none so far: cheaper than a question to the
    // prover.
    bool fails_elsewhere(FactSet& s, ir::Expr claim);
    const Lanes& lanes(FactSet& s, ir::Expr e);
    Lanes::Mask points(FactSet& s) {
        if (!s.sampled) sample(s);
        return s.points;
    }

    // Whether an order of the two is decided by their ranges or not at all: nothing occurs twice in
    // them, and no fact relates what occurs to anything else. A glance, that may miss it.
    bool ranges_say_all(const FactSet& s, ir::Expr a, ir::Expr b) {
        return ranges_say_all(s, LinearForms::both(forms_.occurring(a), forms_.occurring(b)));
    }
    static bool ranges_say_all(const FactSet& s, LinearForms::Occurring both) {
        return ((both & LinearForms::kTwice) | (both & s.occurring)) == 0;
    }

    // The truth of a claim by facts that say just that.
    std::optional<bool> said(const FactSet& s, ir::Expr claim) const;
    // The same, and by ranges.
    std::optional<bool> decide(FactSet& s, ir::Expr claim);
    // The same for a < b or a <= b, of integers.
    std::optional<bool> decide_order(FactSet& s, ir::Op op, ir::Expr a, ir::Expr b);
    // The same, asking the prover's cheap deciders where they may know more.
    bool proves(FactSet& s, ir::Expr claim);
    bool proves(FactSet& s, ir::Op order, ir::Expr a, ir::Expr b);
    // The same for what `decide` did not know.
    bool asks(FactSet& s, ir::Expr claim) {
        return prover_may_know(s, claim) && !seen(s, claim).fails && ask_prover(s, claim);
    }
    // Of a comparison and its negation.
    std::optional<bool> asks_either(FactSet& s, ir::Expr claim);
    // The one value that the facts say the variable has, if they do so outright.
    std::optional<ir::Int128> said_value(FactSet& s, ir::Expr var) const;
    // `e` is in its type's range (always so for types that wrap).
    bool in_range(FactSet& s, ir::Expr e);

    std::uint64_t asked() const { return asked_; }  // questions to the prover

  private:
    void learn(FactSet& s, ir::Expr fact, bool positive);
    bool learn_bound(FactSet& s, ir::Expr fact, bool positive);
    void learn_at_least_zero(FactSet& s, LinearForm form);
    void learn_different(FactSet& s, const LinearForm& form);
    void learn_relation(FactSet& s, const LinearForm& form, const Range& range);
    void learn_arms(FactSet& s, ir::Expr fact, bool positive);
    void settle(FactSet& s);
    void settle_choices(FactSet& s);
    void propagate(FactSet& s);
    Range known_range(FactSet& s, ir::Expr monomial);
    void bound(FactSet& s, ir::Expr monomial, const Range& range);
    void mark_related(FactSet& s, ir::Expr e);
    void narrow(FactSet& s, ir::Expr monomial, const Range& range);
    Range known_bounds(const FactSet& s, ir::Expr e) const;
    const FactSet::Relation* relation(const FactSet& s, const LinearForm& normal) const;

    bool near_range(FactSet& s, const LinearForm& form, Range& out);
    bool add_near(FactSet& s, const LinearTerm& t, std::int64_t& lo, std::int64_t& hi);
    Range compute_range(FactSet& s, ir::Expr e);
    Range range_of_division(FactSet& s, ir::Expr e);
    Range range_of_bits(FactSet& s, ir::Expr e);
    Range range_of_cast(FactSet& s, ir::Expr e);

    std::optional<bool> decide_comparison(FactSet& s, ir::Op op, ir::Expr a, ir::Expr b);
    void sample(FactSet& s);
    void sample_anew(FactSet& s);
    Lanes::Mask fill(Samples& samples, const std::vector<ir::Expr>& facts);
    const Lanes& lanes_in(Samples& samples, ir::Expr e);
    const Lanes& literal_lanes(ir::Expr e);
    LaneOutcome outcome_in(Samples& samples, ir::Expr claim, Lanes::Mask points);
    Lanes lanes_of_variable(Samples& samples, ir::Expr var);
    static void note_bounds(Samples& samples, ir::Expr fact, bool positive);
    void define(Samples& samples, ir::Expr fact);

    // Of orders with quotients, remainders, min and max: rounding.cpp.
    bool holds_rounded(FactSet& s, ir::Expr claim);
    bool at_least_zero(FactSet& s, LinearForm form, ir::Int128 multiple, int choices);
    bool multiply_quotients_out(LinearForm& form, ir::Int128& multiple);

    bool prover_may_know(FactSet& s, ir::Expr claim);
    bool ask_prover(FactSet& s, ir::Expr claim);
    std::vector<ir::Expr> relevant_facts(FactSet& s, ir::Expr claim);

    analysis::Prover& prover_;
    ir::Context& ctx_;
    LinearForms forms_;
    std::deque<FactSet> sets_;
    std::deque<Samples> samples_;
    Samples literals_;  // values of literals, the same at all points
    std::map<std::vector<ir::Expr>, FactSet*> by_facts_;
    FactSet* last_ = nullptr;
    std::uint64_t asked_ = 0;
};

}  // namespace proviso::rewrite
