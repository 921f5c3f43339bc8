// The arguments of generated schedule calls, as text: each option of each primitive now and then,
// in each of the ways that it may be written.
#pragma once

#include <string>
#include <vector>

#include "fuzz/gen/choice.h"
#include "ir/expr.h"

namespace proviso::fuzz {

// "block=b", or nothing: the whole function.
std::string maybe_block(Choice& choice, const std::string& block);

// "name", a number, or ("read", number); `loaded` and `stored`: buffers of the block. `stores`: a
// bare number counts the buffers that the block stores to.
std::string buffer_argument(Choice& choice, ir::Buffer x, const std::string& name,
                            const std::vector<ir::Buffer>& loaded,
                            const std::vector<ir::Buffer>& stored, bool stores, bool tuple);

// The arguments of remove_branching_through_overcompute.
std::string removal_arguments(Choice& choice, const std::string& block);

// ", conditionals=[…], let_bindings=[…]" with some of the options that there are.
std::string hoist_options(Choice& choice);

// Factors of a split, from the outermost to the innermost: `count` of them.
struct SplitFactors {
    std::string text;
    std::size_t count = 2;
};
SplitFactors split_factors(Choice& choice, bool constant);

// Lines that place the block in a loop of another one, or inline it.
std::string placement(Choice& choice, bool reverse, const std::string& block,
                      const std::vector<std::string>& loops);

// What comes after the loop in a call of loop_partition.
std::string partition_arguments(Choice& choice);

// An index map of `rank` dimensions, and how many it has: tiles, shifted or not, reversed where the
// extents are constant.
struct MapText {
    std::string text;  // lambda p, q: [p // 4, p % 4, q]
    std::size_t rank = 0;
};
MapText index_map(Choice& choice, ir::Buffer x, std::size_t rank);

// ", pad_value=…" of a buffer called `name` that has `rank` physical dimensions; empty now and
// then, unless `padded`.
std::string padding_option(Choice& choice, ir::Buffer x, const std::string& name, std::size_t rank,
                           bool padded);

}  // namespace proviso::fuzz
