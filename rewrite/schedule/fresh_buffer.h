// A buffer that the program did not have, and a nest that stores a value to each of its cells:
//
//   S      →      C = alloc;  for l: with T.block: C[l] = value(l);  S
//
// In steps: an allocation without a cell that nobody mentions (restate); the same buffer with
// cells, all of which are padding, written with T.undef() (relayout); the value in the place of
// T.undef() (replace); and a block around the store (restate). What S does with the buffer comes
// after.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "rewrite/passes/passes.h"

namespace proviso::rewrite {

// Names are free ones. The nest runs once: `around` stands in no loop, branch or block.
struct FreshBuffer {
    ir::Site around;        // the allocation goes around this statement
    std::size_t place = 0;  // and the nest before so many of its elements, where it is a list
    // Or after this statement, in `around` or further in. It runs once as well.
    std::optional<ir::Site> after = std::nullopt;
    std::string name;
    ir::ScalarType type;
    std::string scope;
    std::vector<ir::Expr> shape;     // constants, or over scalar parameters; of one type, not empty
    std::vector<std::string> loops;  // one a dimension
    std::vector<std::string> indices;  // likewise: iterators of the block
    ir::Expr value = nullptr;  // over variables of these names, `vars`, and what is in scope
    std::vector<ir::Expr> vars;
    std::string block;
};

// The steps; `why` not, and then nothing has changed. The block and its store are found by name.
bool put_fresh_buffer(Proposer& p, const FreshBuffer& wanted, std::optional<Rejection>& why);

// The statement in the nest of loops at a site as a block with an iterator for each of them; the
// loops and the iterators get these names.
std::optional<Rejection> put_in_block(Proposer& p, const ir::Site& nest, const std::string& name,
                                      const std::vector<std::string>& loops,
                                      const std::vector<std::string>& indices);

// The store of the block that fills a buffer.
ir::Site store_of_block(Proposer& p, const std::string& block);

// The claim that cell `cell` of a buffer, over what is in scope somewhere, holds what the store of
// that block has stored last: the block's loops are `loops`, and each is an index.
nlohmann::json filled(Proposer& p, ir::Buffer buffer, const std::string& block,
                      const std::vector<std::string>& loops, const std::vector<ir::Expr>& cell);

}  // namespace proviso::rewrite
