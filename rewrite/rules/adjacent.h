// Two statements that stand next to each other in a list.
#pragma once

#include <vector>

#include "ir/site.h"

namespace proviso::rewrite {

struct AdjacentPair {
    ir::Stmt first = nullptr;
    ir::Stmt second = nullptr;
    ir::Site second_site;
    std::vector<ir::Stmt> list;  // of which they are elements `index` and `index` + 1
    std::size_t index = 0;
    ir::Site list_site;
};

// The statement at `site` and the next one; fails where there is none.
Result<AdjacentPair> adjacent_pair(const ir::Function& f, const ir::Site& site);

// The function with one statement in the place of both.
ir::Function replace_pair(ir::Context& ctx, const ir::Function& f, const AdjacentPair& pair,
                          ir::Stmt merged);

// Statements in sequence, either of which may be null; null when both are.
ir::Stmt in_sequence(ir::Context& ctx, ir::Stmt a, ir::Stmt b);

}  // namespace proviso::rewrite
