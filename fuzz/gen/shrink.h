// Making a failing program smaller while it still fails: an own structural shrinker, because
// generators built from recursion do not shrink structurally (measured: mean size 51 stays 51).
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "ir/context.h"

namespace proviso::fuzz {

// What shrinking decreases: nodes of the program first, then the size of its constants. Every
// candidate is strictly smaller, so shrinking ends.
struct ProgramSize {
    std::uint64_t nodes = 0;
    std::uint64_t constants = 0;
    auto operator<=>(const ProgramSize&) const = default;
};
ProgramSize size_of(const ir::Function& f);

// Strictly smaller, well-formed programs, the most drastic first: statements removed, loops to one
// iteration, extents reduced everywhere at once, expressions replaced by a part or a constant,
// concurrent loops made serial, unused parameters dropped.
std::vector<ir::Function> smaller_programs(ir::Context& ctx, const ir::Function& f);

// Greedy descent: goes on from the first smaller program that `fails`, until none does or `fails`
// was asked `budget` times.
ir::Function shrink_program(ir::Context& ctx, ir::Function f,
                            const std::function<bool(const ir::Function&)>& fails, int budget);

// The same for a list: leaves out runs of elements, long ones first (delta debugging, Zeller 2002).
template <typename T>
std::vector<T> shrink_list(std::vector<T> items,
                           const std::function<bool(const std::vector<T>&)>& fails, int budget) {
    for (std::size_t run = items.size(); run > 0; run /= 2) {
        for (std::size_t at = 0; at + run <= items.size() && budget > 0;) {
            std::vector<T> fewer = items;
            fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(at),
                        fewer.begin() + static_cast<std::ptrdiff_t>(at + run));
            --budget;
            if (fails(fewer)) {
                items = std::move(fewer);
            } else {
                ++at;
            }
        }
    }
    return items;
}

}  // namespace proviso::fuzz
