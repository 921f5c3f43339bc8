// The state of a symbolic execution: tensors of symbolic cells, and their way through layout
// relations.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "verify/harness/contract.h"
#include "verify/tv/simplify.h"

namespace proviso::verify {

// A value that is definite where `defined` holds, and indeterminate elsewhere.
struct SymbolicValue {
    ir::Expr value = nullptr;    // any term of the type where `defined` is false
    ir::Expr defined = nullptr;  // bool
};

struct SymbolicCell {
    SymbolicValue content;
    bool closed = false;  // must not be touched
};

struct SymbolicTensor {
    std::uint32_t id = 0;  // different for every tensor of one execution
    ir::ScalarType type;
    std::vector<std::int64_t> shape;
    std::vector<SymbolicCell> cells;  // row-major

    std::optional<std::size_t> offset(const std::vector<std::int64_t>& indices) const;
};

// Promised padding of a tensor at exit: the cell and the value that it must hold.
struct PaddingPromise {
    std::string cell;       // "padding of B[3, 3]"
    std::size_t level = 0;  // of the relation among the parameter's
    SymbolicValue is;
    SymbolicValue pad;
};

ir::Expr zero_term(ir::Context& ctx, ir::ScalarType type);
SymbolicValue indet_value(ir::Context& ctx, ir::ScalarType type);
SymbolicTensor indet_tensor(ir::Context& ctx, ir::ScalarType type,
                            const std::vector<std::int64_t>& shape);

// The tensor that the function is given when its caller's cells are symbols `NAME[i, j]`. Padding
// that the function writes itself is symbols of its own, the same in every program. `may_be_indet`:
// each of the caller's cells is definite where a symbol says so.
SymbolicTensor initial_tensor(ir::Context& ctx, const ConcreteParameter& parameter,
                              bool may_be_indet = false);

// The tensor as the source's caller knows it. Promised padding is appended to `promises`.
SymbolicTensor logical_tensor(ir::Context& ctx, const ConcreteParameter& parameter,
                              SymbolicTensor physical, std::vector<PaddingPromise>& promises);

// A term, cut to what a line holds, and a value.
std::string short_text(ir::Expr e);
std::string value_text(const SymbolicValue& v);
// "B[3, 1]"
std::string cell_name(const std::string& buffer, const std::vector<std::int64_t>& shape,
                      std::size_t offset);

}  // namespace proviso::verify
