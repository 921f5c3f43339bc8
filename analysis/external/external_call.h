// The call of a C function in the place of a block (ir/external.h): which function, and what each
// of its arguments is. Code generators ask this of the program as it stands, whatever steps have
// made it: where a block is no longer what its description says, there is no call.
//
//   annotation   symbol "dot4", result "void", arguments ["A", "A.strides[0]", "C", "4"],
//                description: the text of a function with the parameters A, C, …
//
//   A             a pointer to the cell that is the description's A[0, …]
//   A.data        a pointer to the first cell of the buffer that A is a part of
//   A.elem_offset the number of elements from A.data to A (int64_t)
//   A.strides[d]  elements from one row of dimension d to the next (int64_t)
//   4             an int32_t
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "ir/external.h"
#include "ir/function.h"
#include "ir/result.h"

namespace proviso::analysis {

// What the annotation says.
struct ExternalFunction {
    std::string symbol;
    std::string result = "void";  // what it returns, which nobody reads: a scalar type, or "void"
    std::vector<std::string> arguments;
    std::string description;

    ir::AttrValue annotation() const;
};

struct ExternalArgument {
    enum class Kind : std::uint8_t { Pointer, Data, Offset, Stride, Number };
    Kind kind = Kind::Number;
    ir::Buffer buffer = nullptr;
    // Where the part of the buffer begins, with the loops of the block at 0: at[d] - less[d].
    std::vector<ir::Expr> at;
    std::vector<std::int64_t> less;
    std::size_t dimension = 0;  // of the buffer, for a stride
    std::int32_t number = 0;
};

struct ExternalCall {
    ExternalFunction function;
    std::vector<ExternalArgument> arguments;
    std::vector<ir::Expr> loops;  // of the block
};

// Fails, with what does not fit, on a block that is not what its description says and on one whose
// buffers cannot be passed: another buffer in the place of a parameter that is stored to, rows
// further apart than the function is told, cells that no argument leads to.
Result<ExternalCall> external_call(const ir::Block& block);

// Fails, with both blocks, where one function is called in two ways: with arguments of other types,
// or with the same arguments for two descriptions, which no function does. Passes over blocks on
// which external_call fails.
Status external_calls_agree(std::span<const ir::Function> program);

}  // namespace proviso::analysis
