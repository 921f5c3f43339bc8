// Arranging linear operands so that a rule of the library sees them: a rule's left side is a tree,
// `(x * c1 + y) // c2`, but the x and y that make it apply may be any parts of a sum. Here the
// parts are chosen, and the rule is then applied to them by name, with its own conditions.
//
//   (i*8 + j*4 + k) // 4    i*8 + j*4 = (i*2 + j)*4:  floordiv-split-multiple gives i*2 + j + k //
//   4 (i*4 + k) // 8          0 <= k < 4:               floordiv-drop-rest gives i // 2 i*4 + k <
//   n*4           0 <= k < 4:               lt-tile-symbolic gives i < n
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "rewrite/rules/rule_book.h"
#include "rewrite/simplify/linear_form.h"

namespace proviso::rewrite {

struct Arranged {
    std::string rule;
    ir::Expr after = nullptr;
};

// What arranging needs to know: the rules, and which claims hold where the expression stands.
struct Arranger {
    ir::Context& ctx;
    const RuleBook& book;
    std::function<bool(ir::Expr)> proves;

    // For x // c and x % c with a constant c > 0, and for comparisons, of exact integers.
    std::optional<Arranged> arrange(ir::Expr e) const;

    // The rule of this name applied to chosen terms; none when its conditions do not hold.
    std::optional<Arranged> apply(std::string_view rule, ir::ScalarType kind,
                                  const std::vector<std::pair<int, ir::Expr>>& slots) const;

  private:
    std::optional<Arranged> division(ir::Expr e) const;
    std::optional<Arranged> split_off_multiple(ir::Expr e, const LinearForm& numerator) const;
    std::optional<Arranged> drop_rest(ir::Expr e, const LinearForm& numerator) const;
    std::optional<Arranged> comparison(ir::Expr e) const;
    std::optional<Arranged> move_terms(ir::Expr e, const LinearForm& difference) const;
    std::optional<Arranged> divide_by_gcd(ir::Expr e, const LinearForm& l,
                                          const LinearForm& r) const;
    std::optional<Arranged> whole_tiles(ir::Expr e, const LinearForm& l, const LinearForm& r) const;
};

}  // namespace proviso::rewrite
