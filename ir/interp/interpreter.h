// The reference interpreter: docs/semantics.md in code. Runs one function on given inputs and says
// how it ended: finished, stopped by an assert, or faulted.
//
// Concurrent loops (parallel, vectorized, thread-bound) run their iterations one after the other in
// a chosen order, and a conflicting access between iterations is a fault, so that the order cannot
// matter otherwise. Blocks run by their expansion (see ir/stmt.h); an indeterminate binding is a
// fault, as some of its values would be out of the iterator's domain. Assume looks through `and`
// and `or` for permissions `B[i] == T.undef()`: such a disjunct is true, its indices are evaluated
// and must be in bounds of an accessible cell, and it reads nothing.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <variant>

#include "ir/interp/memory.h"
#include "ir/interp/program.h"
#include "ir/result.h"

namespace proviso::ir {

enum class IterationOrder : std::uint8_t { Forward, Reverse, Shuffled };

// An opaque function: definite arguments in their types' ranges to a value of the call's type, or a
// fault.
using ExternFunction = std::function<Evaluated(std::span<const Value> args)>;

struct InterpOptions {
    std::uint64_t step_limit = 100'000'000;  // expression nodes and statements evaluated
    std::uint64_t cell_limit = 1ULL << 28;   // cells of one allocation; beyond: fault StepLimit
    std::uint64_t seed = 0;                  // of frozen values and of the shuffled order
    IterationOrder order = IterationOrder::Forward;  // of concurrent loops
    bool detect_races = true;
    bool check_regions = false;  // blocks stay within their reads and writes annotations
    std::map<std::string, ExternFunction> externs = {};
    std::uint64_t* frozen = nullptr;  // where set: counts the indeterminate values that lets froze
    std::uint64_t* steps = nullptr;   // where set: how many steps the run took, see `step_limit`
};

using Tensors = std::map<std::string, Tensor>;  // every buffer parameter, by name

struct Finished {
    Tensors tensors;
};
struct Stopped {
    std::string message;  // of the assert
    std::string site;
    Tensors tensors;
};
struct Faulted {
    Fault fault;
};
using Outcome = std::variant<Finished, Stopped, Faulted>;

// One line: "finished", "stopped: MESSAGE", "faulted: FAULT".
std::string describe(const Outcome& outcome);

// Fails when the inputs do not fit the parameters: missing or unknown names, types, shapes, scalars
// out of their type's or their declared bounds.
Result<Outcome> run(const Program& program, const Inputs& inputs,
                    const InterpOptions& options = {});
// The same, preparing the program first.
Result<Outcome> run(const Function& f, const Inputs& inputs, const InterpOptions& options = {});

}  // namespace proviso::ir
