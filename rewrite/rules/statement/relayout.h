// The layout change itself, shared by `relayout` and `flatten`.
#pragma once

#include "analysis/layout.h"
#include "rewrite/kernel/rule.h"

namespace proviso::rewrite {

// A box of physical cells, half-open; with `guarded`, only those cells of it that are padding.
struct PadBox {
    std::vector<std::pair<ir::Expr, ir::Expr>> ranges;
    bool guarded = false;
};

struct RelayoutPlan {
    ir::Buffer buffer = nullptr;     // as it is
    ir::Buffer target = nullptr;     // same name, physical shape
    analysis::Layout layout;         // the relation; holds_at_entry is set by the rule
    std::vector<std::string> names;  // of the loops that assume or write padding
    std::vector<PadBox> boxes;       // where padding is written
    ir::Site after;                  // the statement after which it is written
    // The physical shape has the cells of the logical one, however they are counted: no limit on
    // its size is owed.
    bool same_size = false;
};

Result<Proposal> relayout(ir::Context& ctx, const ir::Function& before, const RelayoutPlan& plan);

}  // namespace proviso::rewrite
