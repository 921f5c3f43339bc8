// Between the interpreter's inputs and the bytes that compiled code works on.
#pragma once

#include "backend/cpu/jit.h"
#include "backend/host_value.h"
#include "ir/interp/interpreter.h"

namespace proviso::backend {

// A tensor's cells as bytes. A cell that is not definite gets a value of `chooser`: compiled code
// knows no indeterminate cells, and whatever it makes of one must be right for each value.
HostBuffer to_host(const ir::Tensor& tensor, ir::Chooser& chooser);
// The other way; all cells are definite.
ir::Tensor from_host(const HostBuffer& buffer);

// A definite value of a scalar type as its bits.
HostScalar to_host(ir::ScalarType type, const ir::Value& value);

// How a run ended, and every buffer parameter afterwards.
struct TensorRun {
    RunOutcome outcome;
    ir::Tensors tensors;
};

// Runs `f`, which `module` was compiled from, on inputs by parameter name: what ir::run takes.
// Fails on missing inputs and on inputs that do not fit. `seed` chooses values for cells that are
// not definite.
Result<TensorRun> run_on_tensors(const CpuModule& module, const ir::Function& f,
                                 const ir::Inputs& inputs, std::uint64_t seed = 0);

// The first difference between what the interpreter says a run may leave and what compiled code
// left, in words; nullopt where compiled code refines the interpreter's outcome. A definite cell
// must be equal (every NaN is one value), an indeterminate one may be anything; the same message
// when stopped. After a stop inside a function with concurrent loops only the message counts: how
// far the other iterations came is not defined. A fault in the interpreter allows everything.
std::optional<std::string> run_difference(const ir::Function& f, const ir::Outcome& interpreted,
                                          const TensorRun& compiled);

}  // namespace proviso::backend
