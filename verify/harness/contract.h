// Layout relations at concrete sizes: which physical cell every logical cell is, and what the
// padding holds. The one place where a relation becomes index tables; the harness moves tensors
// with them and translation validation moves symbolic cells.
#pragma once

#include <string>
#include <vector>

#include "analysis/layout/layout.h"
#include "ir/children.h"
#include "ir/interp/memory.h"

namespace proviso::verify {

// Values of variables that extents may mention: scalar parameters, and size variables that are
// extents only.
using Sizes = ir::Substitution;  // variable -> constant

// One relation of one parameter.
struct ConcreteLayout {
    std::vector<std::int64_t> logical_shape;
    std::vector<std::int64_t> physical_shape;
    std::vector<std::size_t> image;      // by logical offset: the physical offset
    std::vector<std::size_t> padding;    // physical offsets outside of the image, ascending
    std::vector<ir::Value> pad_values;   // PadKind::Value: one for each of `padding`
    std::vector<std::size_t> pad_cells;  // PadKind::Cell: the image cell, for each of `padding`
    analysis::PadKind pad_kind = analysis::PadKind::None;
    bool holds_at_entry = false;
    bool zero_of_either_sign = false;  // where the padding is a zero: the caller's choice
};

// A parameter with everything between the tensor that the source's caller knows (shape `logical`)
// and the one that the function is given (shape `physical`), oldest relation first.
struct ConcreteParameter {
    ir::Buffer buffer = nullptr;
    std::vector<std::int64_t> logical;
    std::vector<std::int64_t> physical;
    std::vector<ConcreteLayout> layouts;
};

// The hint of failures that tell of a relation that it is none.
inline constexpr const char* kNoRelation = "the relation between the interfaces is none";
// The message and the hint of failures that only tell of a buffer over `cell_limit`.
inline constexpr const char* kTooManyCells = "the buffer has too many cells";

// Fails when an extent has no value, is negative or needs more than `cell_limit` cells, and when a
// relation is none at these sizes: the map faults, leaves the shape, or is not injective.
Result<ConcreteParameter> concrete_parameter(ir::Context& ctx, const ir::Function& f,
                                             ir::Buffer buffer, const Sizes& sizes,
                                             std::size_t cell_limit = std::size_t{1} << 24);
// Every buffer parameter, in order.
Result<std::vector<ConcreteParameter>> concrete_parameters(ir::Context& ctx, const ir::Function& f,
                                                           const Sizes& sizes,
                                                           std::size_t cell_limit = std::size_t{1}
                                                                                    << 24);

// The shape of the tensor that the source's caller knows, without the tables.
Result<std::vector<std::int64_t>> logical_shape(ir::Context& ctx, const ir::Function& f,
                                                ir::Buffer buffer, const Sizes& sizes,
                                                std::size_t cell_limit = std::size_t{1} << 24);

// The expression's value under `sizes`; fails when it faults, is indeterminate or mentions another
// variable.
Result<ir::Value> value_of(ir::Expr e, const Sizes& sizes);
Result<std::int64_t> extent_of(ir::Expr e, const Sizes& sizes);
// The same of an integer that may be negative.
Result<std::int64_t> integer_of(ir::Expr e, const Sizes& sizes);

// Variables that buffer extents mention, scalar parameters first.
std::vector<ir::Expr> size_variables(const ir::Function& f);

}  // namespace proviso::verify
