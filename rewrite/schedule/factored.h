// The parts of sch.rfactor: what is asked of the reduction, and the text that its steps lead to.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "rewrite/schedule/restated.h"
#include "rewrite/schedule/tuple_reduction.h"

namespace proviso::rewrite {

// Loops around a block, with nothing else in them.
struct BlockNest {
    std::vector<ir::For> loops;
    std::optional<ir::Block> block;

    static BlockNest of(ir::Stmt s);
    // The site of what stands in the innermost loop.
    ir::Site inside(ir::Site site) const;
};

// A reduction that is to be computed in parts.
struct Factored {
    std::string block;
    std::size_t loop = 0;  // of the nest, from outermost on
    std::size_t axis = 0;  // of the new buffer
    Reduction reduction;   // of buffers of one shape
    // The result is of unknown size. There are partial results of one cell at a time, and the nest
    // begins with the loops of the reduction.
    bool one_cell = false;
    BlockNest nest;
};

// What is known from the shape of the program; or why the loop cannot be factored out.
Result<Factored> what_to_factor(Proposer& p, const std::string& loop, std::int64_t axis,
                                const FreshNames& fresh);

// The four nests of `site`, a list, after stage-partial, as the two blocks that they become: the
// arguments of `restate`. `name`: of the block with the partial results. `init_at`: loops of the
// initialisation, over those of the second nest. `partial`, `result`: whether the initialisation of
// that block goes into it. None where the initialisation has other loops than the update.
std::optional<Restated> as_two_blocks(ir::Context& ctx, const ir::Seq& four, const Factored& of,
                                      const ir::Substitution& init_at, const std::string& name,
                                      const FreshNames& fresh, bool partial, bool result);

}  // namespace proviso::rewrite
