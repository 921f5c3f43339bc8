// Expressions of general programs (general_program.h).
#pragma once

#include <set>
#include <string>
#include <vector>

#include "fuzz/gen/choice.h"
#include "ir/context.h"

namespace proviso::fuzz {

// What is in scope. Loop variables and iterators have the ends of their range, lets have none.
struct GeneralScope {
    struct Variable {
        ir::Expr var = nullptr;
        ir::Expr lo = nullptr;  // inclusive; null: no bounds
        ir::Expr hi = nullptr;  // exclusive
    };
    std::vector<Variable> variables;
    std::vector<ir::Buffer> buffers;
    bool calls = true;   // opaque ones may stand here
    bool undefs = true;  // and T.undef()
};

class GeneralValues {
  public:
    GeneralValues(ir::Context& ctx, Choice& choice, std::set<std::string>& names)
        : ctx_(ctx), choice_(choice), names_(names) {}

    ir::Expr value(const GeneralScope& scope, ir::ScalarType type, int depth);
    // True more often than not.
    ir::Expr likely(const GeneralScope& scope, int depth);
    // An index into a dimension of that extent, nearly always within it.
    ir::Expr index(const GeneralScope& scope, ir::Expr extent);
    std::vector<ir::Expr> indices(const GeneralScope& scope, ir::Buffer b);
    ir::Expr call(const GeneralScope& scope, ir::ScalarType type);

  private:
    ir::Expr leaf(const GeneralScope& scope, ir::ScalarType type);
    ir::Expr constant(ir::ScalarType type);
    ir::Expr comparison(const GeneralScope& scope, int depth);
    ir::Expr boolean(const GeneralScope& scope, int depth);
    ir::Expr integer(const GeneralScope& scope, ir::ScalarType type, int depth);
    ir::Expr floating(const GeneralScope& scope, ir::ScalarType type, int depth);
    ir::Expr choice(const GeneralScope& scope, ir::ScalarType type, int depth);
    ir::Expr let(const GeneralScope& scope, ir::ScalarType type, int depth);
    ir::Expr clamped(ir::Expr e, ir::Expr extent);
    ir::ScalarType other_type(ir::ScalarType type);

    ir::Context& ctx_;
    Choice& choice_;
    std::set<std::string>& names_;
    // Loads around the one that is made: an index of a load may load, and without a limit some
    // programs would never end.
    int loads_ = 0;
};

}  // namespace proviso::fuzz
