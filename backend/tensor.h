// Between the interpreter's inputs and the bytes that compiled code works on.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "backend/cpu/jit.h"
#include "backend/host_value.h"
#include "ir/interp/interpreter.h"

namespace proviso::backend {

// A tensor's cells as bytes. A cell that is not definite gets a value of `chooser`: compiled code
// knows no indeterminate cells, and whatever it makes of one must be right for each value.
HostBuffer to_host(const ir::Tensor& tensor, ir::Chooser& chooser);
// The same, into bytes that are there.
void to_host(const ir::Tensor& tensor, ir::Chooser& chooser, std::span<std::byte> bytes);
// The other way; all cells are definite.
ir::Tensor from_host(const HostBuffer& buffer);
ir::Tensor from_host(ir::ScalarType type, const std::vector<std::int64_t>& shape,
                     std::span<const std::byte> bytes);

// A definite value of a scalar type as its bits.
HostScalar to_host(ir::ScalarType type, const ir::Value& value);

// How a run ended, and every buffer parameter afterwards.
struct TensorRun {
    RunOutcome outcome;
    ir::Tensors tensors;
};

// The arguments of `f` from inputs by parameter name: what ir::run takes. `buffer` makes the
// argument of a buffer parameter. Fails on missing inputs, and on inputs of other kinds or types.
using MakeArgument =
    std::function<Result<HostArgument>(ir::Buffer parameter, const ir::Tensor& tensor)>;
Result<std::vector<HostArgument>> host_arguments(const ir::Function& f, const ir::Inputs& inputs,
                                                 const MakeArgument& buffer);

// Runs `f`, which `module` was compiled from, on inputs by parameter name: what ir::run takes.
// Fails on missing inputs and on inputs that do not fit. `seed` chooses values for cells that are
// not definite.
Result<TensorRun> run_on_tensors(const CpuModule& module, const ir::Function& f,
                                 const ir::Inputs& inputs, std::uint64_t seed = 0);

// Whether iterations may run in another order than the interpreter's, or at the same time.
bool has_concurrent_loop(const ir::Function& f);

// The first difference between what the interpreter says a run may leave and what compiled code
// left, in words; nullopt where compiled code refines the interpreter's outcome. A definite cell
// must be equal (every NaN is one value), an indeterminate one may be anything; the same message
// when stopped. After a stop inside a function with concurrent loops only the message counts: how
// far the other iterations came is not defined. A fault in the interpreter allows everything.
std::optional<std::string> run_difference(const ir::Function& f, const ir::Outcome& interpreted,
                                          const TensorRun& compiled);

}  // namespace proviso::backend
