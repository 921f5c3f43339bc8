// For tests of the reader: what a program leaves in its buffers when the interpreter runs it.
#pragma once

#include <string>
#include <vector>

#include "ir/interp/interpreter.h"
#include "tests/ir/text/reader.h"

namespace proviso::ir {

struct TextResults : TextReader {
    // The cells of `buffer` after a run, separated by spaces; or how the run ended. Concurrent
    // loops run in reverse order: where the order could matter, the run is a race and ends in a
    // fault.
    std::string result(const std::string& text, const Inputs& inputs, const std::string& buffer) {
        const Function f = read(text);
        InterpOptions options;
        options.order = IterationOrder::Reverse;
        options.check_regions = true;
        const Result<Outcome> out = run(f, inputs, options);
        if (!out) return out.error().str();
        if (!std::holds_alternative<Finished>(*out)) return describe(*out);
        const Tensor& t = std::get<Finished>(*out).tensors.at(buffer);
        std::string cells;
        for (std::size_t k = 0; k < t.size(); ++k) {
            cells += (k > 0 ? " " : "") + t.at(k).str(t.type);
        }
        return cells;
    }
};

// 0, 1, 2, … in cells of int32.
inline Tensor counted(const std::vector<std::int64_t>& shape, int first = 0) {
    std::int64_t size = 1;
    for (const std::int64_t n : shape) size *= n;
    std::vector<double> cells;
    for (std::int64_t k = 0; k < size; ++k) cells.push_back(static_cast<double>(first + k));
    return Tensor::of(kInt32, shape, cells);
}

}  // namespace proviso::ir
