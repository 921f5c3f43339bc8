// Arranging linear operands so that a rule of the library sees them: a rule's left side is a tree,
// `(x * c1 + y) // c2`, but the x and y that make it apply may be any parts of a sum. Here the
// parts are chosen on linear forms, and the rule's conditions are asked of the surroundings.
//
//   (i*8 + j*4 + k) // 4    i*8 + j*4 = (i*2 + j)*4:  floordiv-split-multiple  i*2 + j + k // 4
//   (i*4 + k) // 8          0 <= k < 4:               floordiv-drop-rest       i // 2
//   (i*n + j) // n          0 <= j < n:               floordiv-cancel-factor-sum   i
//   i*4 + k < n*4           0 <= k < 4:               lt-tile-symbolic         i < n
//   x//6*6 + x//3%2*3 + x%3                           digits                   x
#pragma once

#include <initializer_list>
#include <memory>
#include <optional>
#include <vector>

#include "rewrite/simplify/surroundings.h"

namespace proviso::rewrite {

struct Binding {
    const char* name;
    ir::Expr value;
};

// What a node becomes, and by which rule; or that nothing was found.
struct Arranged {
    struct Why {
        std::vector<Binding> bindings;
        std::vector<ir::Expr> conditions;  // what the rule needs, and the surroundings proved
    };
    const char* rule = nullptr;
    ir::Expr after = nullptr;    // null: nothing was found
    bool same_terms = false;     // a sum spelled anew, of the terms that it had
    std::unique_ptr<Why> why{};  // only where it is asked for

    explicit operator bool() const { return after != nullptr; }
};

class Arranger {
  public:
    // `explain`: give bindings and conditions.
    Arranger(ir::Context& ctx, Surroundings& surroundings, bool explain)
        : ctx_(ctx), surroundings_(surroundings), forms_(surroundings.forms()), explain_(explain) {}

    // Of exact integers: sums, `//` and `%` by something positive, comparisons, min and max, casts;
    // of any integers chains of a bit operator.
    // Nothing where there is nothing to gain. May throw TooLarge.
    Arranged arrange(FactSet& s, ir::Expr e);

    // A sum of variables with coefficients, canonically spelled: there is no more to say of it.
    bool is_plain_sum(ir::Expr e);

    // What `arrange` left as it is, and no rule changes: operators on sums of digits in which
    // nothing occurs twice, and of which no fact relates anything to anything else. Their ranges
    // are all there is to know, and were looked at.
    bool is_settled(FactSet& s, ir::Expr e);
    bool has_two_values(FactSet& s, ir::Expr division);

    // The canonical spelling of a sum, its digits joined; null when there is none that fits its
    // type. `joined` says whether digits were.
    ir::Expr spelled_sum(ir::Expr e, bool& joined);

    // int64 arithmetic on what was cast from int32, as that of int32: of an int64 expression its
    // value there, of a comparison the comparison; null where some result may not fit, or where
    // there is no such cast.
    ir::Expr as_narrow(FactSet& s, ir::Expr e) const;

  private:
    struct Division;

    Arranged sum(FactSet& s, ir::Expr e);
    Arranged constant_into_division(FactSet& s, ir::Expr e) const;
    Arranged rest_to_multiple(FactSet& s, ir::Expr e) const;
    Arranged sum_into_extremum(FactSet& s, ir::Expr e) const;
    Arranged pair_of_extrema(ir::Expr e) const;
    Arranged sum_into_choice(ir::Expr e) const;
    Arranged product_into_choice(ir::Expr e) const;
    Arranged division_into_choice(ir::Expr e) const;
    Arranged division(FactSet& s, ir::Expr e) const;
    Arranged wrapped_remainder(ir::Expr e) const;
    Arranged by_constant(FactSet& s, ir::Expr e, const LinearForm& numerator,
                         ir::Int128 divisor) const;
    void take_out_of_coefficients(FactSet& s, SplitForm& split, ir::Int128 divisor,
                                  bool quotient) const;
    Arranged split_multiple(FactSet& s, ir::Expr e, const LinearForm& numerator,
                            ir::Int128 divisor) const;
    Arranged with_minus_one(FactSet& s, ir::Expr e, const LinearForm& numerator,
                            ir::Int128 divisor) const;
    Arranged from_split(FactSet& s, ir::Expr e, SplitForm split, ir::Int128 divisor) const;
    Arranged drop_rest(FactSet& s, ir::Expr e, const LinearForm& numerator,
                       ir::Int128 divisor) const;
    Arranged into_extremum(FactSet& s, ir::Expr e, ir::Int128 divisor) const;
    Arranged of_two_numbers(ir::Expr e, const LinearForm& numerator, const Range& range,
                            ir::Int128 divisor) const;
    Arranged of_digit(FactSet& s, ir::Expr e, const LinearForm& numerator,
                      ir::Int128 divisor) const;
    Arranged by_symbol(FactSet& s, ir::Expr e) const;
    Arranged by_signed_symbol(FactSet& s, ir::Expr e) const;
    Arranged truncation(FactSet& s, ir::Expr e) const;
    Arranged truncated_extremum(ir::Expr e, ir::Int128 divisor) const;
    Arranged of_multiple(FactSet& s, ir::Expr e, const LinearForm& numerator,
                         ir::Int128 divisor) const;
    Arranged toward_zero(FactSet& s, ir::Expr e, const LinearForm& numerator,
                         ir::Int128 divisor) const;
    Arranged by_negative(FactSet& s, ir::Expr e, const LinearForm& numerator,
                         ir::Int128 divisor) const;
    Arranged without_common_factors(FactSet& s, ir::Expr e) const;
    Arranged comparison(FactSet& s, ir::Expr e) const;
    Arranged smaller_comparison(FactSet& s, ir::Expr e, LinearForm difference) const;
    // In place of the comparison `e`, by `op`.
    ir::Expr spelled_comparison(ir::Op op, ir::Expr e, const LinearForm& difference) const;
    ir::Expr spelled_order(ir::Op op, ir::Expr e, LinearForm difference) const;
    bool is_known_order(FactSet& s, ir::Op op, ir::Expr left, ir::Expr right, bool truth) const;
    Arranged without_extremum(FactSet& s, ir::Expr e) const;
    Arranged split_extremum(FactSet& s, ir::Expr e) const;
    ir::Expr simpler_claim(FactSet& s, ir::Expr claim) const;
    Arranged bits(ir::Expr e) const;
    Arranged cast(FactSet& s, ir::Expr e) const;
    ir::Expr narrowed(FactSet& s, ir::Expr e, ir::ScalarType type) const;
    Arranged extremum(FactSet& s, ir::Expr e) const;
    Arranged without_operands(FactSet& s, ir::Expr e) const;
    Arranged without_positive_factors(FactSet& s, ir::Expr e, const LinearForm& difference) const;
    Arranged quotient_at_end(FactSet& s, ir::Expr e, const LinearForm& difference) const;
    Arranged common_part(FactSet& s, ir::Expr e) const;
    Arranged common_factor(FactSet& s, ir::Expr e, const LinearForm& a, const LinearForm& b) const;

    bool observable(FactSet& s, ir::Expr e) const { return surroundings_.in_range(s, e); }
    // The same of what is to replace `whole`, or a part of that: what `whole` observes is in range.
    bool observable_within(FactSet& s, ir::Expr e, ir::Expr whole) const;
    // The same of the operands of min and max in it too.
    bool operands_observable(FactSet& s, ir::Expr e, ir::Expr whole) const;
    bool is_beside(FactSet& s, ir::Expr e, ir::Expr observed) const;
    // Bindings whose value is null are left out.
    Arranged found(const char* rule, ir::Expr before, ir::Expr after,
                   std::initializer_list<Binding> bindings = {},
                   std::vector<ir::Expr> conditions = {}) const;
    ir::Expr constant(ir::ScalarType type, ir::Int128 value) const;
    // 0 <= e < divisor, as conditions.
    std::vector<ir::Expr> within(ir::Expr e, ir::Expr divisor) const;

    ir::Context& ctx_;
    Surroundings& surroundings_;
    LinearForms& forms_;
    bool explain_;
};

}  // namespace proviso::rewrite
