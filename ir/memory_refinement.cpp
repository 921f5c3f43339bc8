#include "ir/memory_refinement.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace proviso::ir {

std::optional<std::string> refinement_violation(const std::string& name, const Tensor& before,
                                                const Tensor& after) {
    if (before.type != after.type || before.shape != after.shape) {
        return name + ": other type or shape";
    }
    for (std::size_t i = 0; i < before.size(); ++i) {
        if (before.states[i] != CellState::Definite) continue;
        const Value was = before.at(i);
        const Value is = after.at(i);
        if (is == was) continue;
        return fmt::format("{}[{}]: {} does not refine {}", name,
                           fmt::join(before.indices(i), ", "), is.str(after.type),
                           was.str(before.type));
    }
    return std::nullopt;
}

}  // namespace proviso::ir
