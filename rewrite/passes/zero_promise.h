// Which promise about padding is missing where a step fails for a zero of the wrong sign. Reasons
// for people: nothing here is trusted or changes the program.
#pragma once

#include <optional>
#include <string>

#include "ir/children.h"
#include "ir/context.h"
#include "ir/function.h"

namespace proviso::rewrite {

struct MissingPromise {
    std::string why;       // "-0.0 is allowed by pad_value=0.0 of X"
    bool names_it = true;  // what `pad_value` says is the very zero that is wanted
    std::string hint;      // "promise the padding bit for bit: pad_value=0.0, exact=True"
};

// Of the padding of the buffer that `load` reads, where it should be `wanted`: a zero, or a term
// that may be one. None where the caller promises it bit for bit, or promises another value, and
// where the cell is none of padding at these `sizes` (values of parameters).
std::optional<MissingPromise> missing_promise(ir::Context& ctx, const ir::Function& f,
                                              ir::Expr load, ir::Expr wanted,
                                              const ir::Substitution& sizes = {});

// Of the padding of the buffer that `load` reads, where it should be the constant `wanted`, and the
// caller promises something else about it, or nothing: "the padding of X is undefined
// (pad_value=T.undef(…))". None where the buffer has no layout with padding.
std::optional<MissingPromise> other_padding(ir::Context& ctx, const ir::Function& f, ir::Expr load,
                                            ir::Expr wanted);

}  // namespace proviso::rewrite
