// Generated expressions: values of every type over loop variables and readable buffers, which by
// construction do not fault. See ranged.h for how that is known.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "fuzz/gen/choice.h"
#include "fuzz/gen/ranged.h"

namespace proviso::fuzz {

// A buffer extent, or the end of a loop: its expression and the range of its value.
struct Extent {
    ir::Expr value = nullptr;
    ir::Int128 lo = 0;
    ir::Int128 hi = 0;
};

// A buffer whose cells all hold definite values in [lo, hi] (integers).
struct Readable {
    ir::Buffer buffer = nullptr;
    std::vector<Extent> shape;
    ir::Int128 lo = 0;
    ir::Int128 hi = 0;
};

// A variable in scope, in [lo, hi]; `below` is an extent that it stays below, or null.
struct Variable {
    Ranged value;
    ir::Expr below = nullptr;
};

class ValueGen {
  public:
    // Draws names for the lets that it makes from `names`.
    ValueGen(ir::Context& ctx, Choice& choice, std::set<std::string>& names)
        : ctx_(ctx), choice_(choice), names_(names) {}

    std::vector<Readable> readable;
    std::vector<Variable> variables;  // of the index type: loop variables, sizes
    std::vector<Ranged> named;        // lets, of any type

    // A value of `type`. `depth` bounds the nesting.
    Ranged value(ir::ScalarType type, int depth);
    // A condition that is definite and does not fault.
    ir::Expr condition(int depth);
    // An index that is surely in [0, extent).
    ir::Expr index(const Extent& extent);
    // A load of a cell that surely exists.
    Ranged load(const Readable& from);

  private:
    Ranged leaf(ir::ScalarType type);
    Ranged integer(ir::ScalarType type, int depth);
    Ranged exact_detour(ir::ScalarType type, int depth);
    Ranged division(ir::ScalarType type, int depth);
    Ranged bits(ir::ScalarType type, int depth);
    Ranged floating(ir::ScalarType type, int depth);
    Ranged chosen(ir::ScalarType type, int depth);
    Ranged let(ir::ScalarType type, int depth);
    Ranged converted(ir::ScalarType type, int depth);
    ir::Expr guarded_load(const Readable& from, Ranged& range);
    double float_constant(ir::ScalarType type);
    ir::Int128 int_constant(ir::ScalarType type);
    std::optional<ir::Expr> index_from(const Variable& v, const Extent& extent);

    ir::Context& ctx_;
    Choice& choice_;
    std::set<std::string>& names_;
    int lets_ = 0;
};

}  // namespace proviso::fuzz
