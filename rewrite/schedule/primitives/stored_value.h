// A load by the value that was stored: what a stage computes, where its result is read.
#pragma once

#include <optional>

#include "rewrite/passes/passes.h"

namespace proviso::rewrite {

struct LoadAt {
    ir::Site site;
    ir::Site statement;
    ir::Expr expr = nullptr;  // null: of a region or a domain of a block
};

// The value that the store has written last to the cell that is read, over what is in scope there,
// in place of the load; or why that is not proved.
std::optional<Rejection> put_stored_value(Proposer& p, const LoadAt& load, const ir::Site& store);

}  // namespace proviso::rewrite
