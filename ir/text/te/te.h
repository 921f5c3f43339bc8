// Tensor expressions as text, `te.placeholder`, `te.compute`, `te.reduce_axis`, `te.sum`, `te.max`,
// `te.min`: read into TVMScript, one block for each te.compute.
//
//   A = te.placeholder((8, 4), name="A")             A = T.match_buffer(a, (8, 4), "float32")
//   k = te.reduce_axis((0, 4), name="k")             C = T.match_buffer(c, (8,), "float32")
//   C = te.compute((8,),                             for i in range(8):
//       lambda i: te.sum(A[i, k], axis=k))               for k in range(4):
//                                                            with T.block("C"):
//                                                                …
//
// A schedule of the same file is read into one of Proviso (docs/schedules.md): te.create_schedule,
// and of its stages split, fuse, reorder, compute_at, compute_inline, parallel, vectorize, unroll,
// bind. As a schedule of tensor expressions says where stages are at its end, moves come last.
//
// Parameters are the placeholders and what te.create_prim_func names, or without it what no other
// te.compute reads. The prefixes `te.`, `tvm.`, `tir.` and `tvm.tir.` mean the same. What is read
// has the meaning of the TVMScript that is made of it, and of nothing else.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ir/result.h"

namespace proviso::ir::te {

// The text has tensor expressions, and no function of TVMScript.
bool is_te(std::string_view text);

struct Script {
    std::string text;  // lines
    // Of each line the line and column of what it is made of.
    std::vector<std::pair<int, int>> places;

    // A message about the script as one about the tensor expressions.
    Diagnostic placed(Diagnostic d, std::string_view source, const std::string& file) const;
};
struct TePrograms {
    Script function;  // of TVMScript
    Script schedule;  // empty: there is none
};

// `file` is for messages; without a name in te.create_prim_func the function is called `name`.
Result<TePrograms> read_te(std::string_view text, const std::string& file, const std::string& name);

}  // namespace proviso::ir::te
