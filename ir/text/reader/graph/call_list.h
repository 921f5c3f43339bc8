// Which functions a graph calls, with which tensors: what the function that it is read as
// (graph_function.h) does not tell any more.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ir/result.h"

namespace proviso::ir {

struct GraphCall {
    std::string callee;
    std::vector<std::string> arguments;  // names of buffers; empty: something else
    int line = 0;
};

struct GraphCalls {
    std::vector<GraphCall> calls;  // in their order
    std::size_t nests = 0;         // loops beside them: changes of layouts, copies
};

// Of the function of Relax `name` of the text, which has it.
Result<GraphCalls> calls_of_graph(std::string_view text, const std::string& file,
                                  const std::string& name);

}  // namespace proviso::ir
