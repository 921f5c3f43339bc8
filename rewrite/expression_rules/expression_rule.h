// Expression rules as data. One object has four readers: the matcher (matcher.h), the prover of its
// schema (schema.h), the fuzzer, and the documentation.
//
// A rule says: where its conditions hold, `left` may be replaced by `right`. Its text is in the
// expression syntax of TVMScript, with these names:
//   x y z w   any term of the rule's kind
//   p q r     any boolean term
//   c0 .. c4  any constant of the rule's kind
//   KIND      the name of the kind's type, as in T.Cast('KIND', x)
//   WIDE      the widest type of the same sort: int64, uint64, float64
//   KIND_MIN, KIND_MAX   the ends of the range of an integer kind
//
// A pattern variable stands for any *term*, which may fault, be indeterminate, or, in exact
// integers, have a value out of its type's range as long as nobody observes it. So a right side
// that newly observes a term (makes it an operand of a division, comparison, min, max, cast, ..)
// must show that the term is in range: either it follows from the left side not faulting, or it is
// among the rule's `needs`. So must one that newly computes with a term show that it is definite
// (docs/semantics.md, "undef, indet, assume"). A left side that faults may be replaced by anything.
//
// An operator applied to constants only, on a right side or in `needs`, is computed when the rule
// is applied: exactly in Z for exact integers, wrapping for the others. Where the result is not a
// value of its type, the rule does not apply.
//
// Products of unknowns are hard for solvers. `lemmas` names laws of arithmetic (laws.h) with the
// terms that they are wanted for: "factor(x, c1, c1 // c2, c2)". Each law is proved on its own, for
// all integers, so an instance adds nothing that has to be believed.
//
// A rule with `licences` is right only where the function grants them (docs/semantics.md), and its
// schema says so (schema.h).
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rewrite/expression_rules/kinds.h"

namespace proviso::rewrite {

struct ExpressionRule {
    std::string_view name;   // stable: logs refer to it
    KindSet kinds;           // the types the rule is claimed, and proved, for
    std::string_view left;   // what it matches
    std::string_view right;  // what it builds
    // A condition on the constants, decided while matching; empty: none.
    std::string_view where = {};
    // Conditions on the terms, joined by ";", which the application has to prove from the facts at
    // its site: boolean expressions, read as mathematics, in_range(expression), or
    // definite(expression).
    std::string_view needs = {};
    std::string_view note = {};      // why it is right, or what it is for, where that is not plain
    std::string_view lemmas = {};    // instances of laws that its proof uses, joined by ";"
    std::string_view licences = {};  // licences it needs, joined by ";"; empty: strict
    std::string_view family = {};    // the table it stands in; filled in by expression_rules()
};

// The whole library in a fixed order: family by family, each as its table has it. Names are unique.
const std::vector<ExpressionRule>& expression_rules();

// The rule of this name, or null.
const ExpressionRule* find_expression_rule(std::string_view name);

// SHA-256 over the text of all rules: the version of the rule table that a proof log refers to.
std::string rule_table_digest();

// One line of the rule's text for people and logs: "x + 0 → x where .. needs ..".
std::string rule_text(const ExpressionRule& rule);

// The tables, one file each in rules/tables/.
namespace tables {
std::span<const ExpressionRule> add_sub();
std::span<const ExpressionRule> mul();
std::span<const ExpressionRule> floordiv();
std::span<const ExpressionRule> floormod();
std::span<const ExpressionRule> truncdiv();
std::span<const ExpressionRule> truncmod();
std::span<const ExpressionRule> min_max();
std::span<const ExpressionRule> comparison();
std::span<const ExpressionRule> comparison_scaled();
std::span<const ExpressionRule> comparison_known();
std::span<const ExpressionRule> logic();
std::span<const ExpressionRule> logic_compare();
std::span<const ExpressionRule> select();
std::span<const ExpressionRule> cast();
std::span<const ExpressionRule> floats();
std::span<const ExpressionRule> float_choices();
std::span<const ExpressionRule> float_licensed();
std::span<const ExpressionRule> digits();
std::span<const ExpressionRule> ceildiv();
std::span<const ExpressionRule> bits();
std::span<const ExpressionRule> bits_joined();
std::span<const ExpressionRule> shifts();
std::span<const ExpressionRule> wrapping();
std::span<const ExpressionRule> bounds();
std::span<const ExpressionRule> distribution();
}  // namespace tables

}  // namespace proviso::rewrite
