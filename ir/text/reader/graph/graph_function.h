// Functions of Relax over `call_tir`, as functions that allocate and call:
//
//     @R.function                                          @T.prim_func
//     def main(x: R.Tensor((4,), dtype="float32"))         def main(x: T.Buffer((4,), "float32"),
//             -> R.Tensor((4,), dtype="float32"):                   gv: T.Buffer((4,), "float32")):
//         cls = Module                                         cls = Module
//         with R.dataflow():                                   lv = T.alloc_buffer((4,), "float32")
//             lv = R.call_tir(cls.f, (x,), out_sinfo=…)  is    cls.f(x, lv)
//             gv = R.call_tir(cls.g, (lv,), out_sinfo=…)       cls.g(lv, gv)
//             R.output(gv)
//         return gv
//
// Results become parameters behind the others, named as where they were computed. Read: parameters
// that are tensors with a shape (numbers, names in quotes, expressions), R.call_tir with one or
// several results and tir_vars, R.call_tir_inplace of tensors that nobody else looks at,
// R.layout_transform, tuples, names for names, R.func_attr, R.dataflow and R.output. Everything
// else of Relax has no meaning here, and is named at its place.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ir/text/reader/python/python.h"

namespace proviso::ir {

// The mark of a function of Relax: `@R.function`, `@R.function(private=True)`; null when it is
// none.
const python::Node* graph_mark(const python::Statement& definition);

// Throws Failure: opaque for what has no meaning here, plain for mistakes.
python::Statement function_of_graph(const python::Source& source,
                                    const python::Statement& definition);

// The names of a file's functions of Relax, in its order; none where the text is not read.
std::vector<std::string> graph_functions(std::string_view text);

}  // namespace proviso::ir
