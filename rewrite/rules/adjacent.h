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

}  // namespace proviso::rewrite
