// A graph of a file (ir/text/reader/graph/) as operators and the tensors between them. What it
// means is the function that the file is read as; this only tells which part of that function is
// which call.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ir/context.h"
#include "ir/result.h"

namespace proviso::rewrite {

inline constexpr std::size_t kMostOperators = 256;

struct Network {
    struct Tensor {
        ir::Buffer buffer = nullptr;
        bool parameter = false;
        bool weight = false;   // a parameter after those that `num_input` counts
        bool output = false;   // a parameter that an operator stores to
        bool updated = false;  // in place, or stored to by several operators
        std::vector<std::size_t> writers;
        std::vector<std::size_t> readers;
    };
    // A function over loops that calls call: what is decided about it is decided once.
    struct Kind {
        ir::Function function;
        std::string hash;
        std::size_t calls = 0;
        std::vector<std::string> blocks;  // of the function, in its order
        std::vector<bool> stored;         // for each buffer parameter
        std::vector<bool> loaded;
    };
    struct Operator {
        std::string name;  // of the function that it calls
        int line = 0;      // of the call
        std::size_t kind = 0;
        std::vector<std::size_t> tensors;  // for each buffer parameter of the kind
        std::vector<std::string> blocks;   // for each block of the kind, its name in the whole
    };

    ir::Function whole;
    std::vector<Tensor> tensors;
    std::vector<Kind> kinds;
    std::vector<Operator> operators;
    std::size_t copies = 0;  // loops of the graph that belong to no call: R.layout_transform, …

    std::size_t find(const std::string& tensor) const;  // tensors.size() when absent
};

// The graph `name` of the text; the only one where the name is empty.
Result<Network> read_network(ir::Context& ctx, std::string_view text, const std::string& file,
                             const std::string& name);

}  // namespace proviso::rewrite
