// A nest over data and the nests over boxes of its padding, as one nest.
#pragma once

#include <optional>

#include "rewrite/passes/proposer.h"

namespace proviso::rewrite {

// The statement after `site` in its list; null at the end, or where there is no list.
ir::Stmt next_statement(const ir::Function& f, const ir::Site& site);

// The nest at `site`, which is guarded, and the nests that follow it, each over a part of its range
// (a box of padding): one nest with an else part, where some box stores in just those iterations
// in which the guard is false. As many nests as that takes, or exactly `boxes` of them. False, and
// nothing has changed, where that is not so.
bool merge_with_padding(Proposer& p, const ir::Site& site,
                        std::optional<std::size_t> boxes = std::nullopt);

}  // namespace proviso::rewrite
