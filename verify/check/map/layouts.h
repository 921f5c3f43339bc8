// Layouts of parameters that the second program has (attribute proviso.layout) and the first one
// has not: a step of `relayout` for each relation.
#pragma once

#include <string>
#include <vector>

#include "rewrite/passes/proposer.h"

namespace proviso::verify {

// The same relations, up to how their expressions are written.
bool same_layouts(ir::Context& ctx, const ir::Function& a, const ir::Function& b);

// Steps after which the program has the relations of `after`. Padding that the function has to
// provide is written after everything else. False: not possible; the program may have changed.
bool match_layouts(rewrite::Proposer& p, const ir::Function& after,
                   std::vector<std::string>& tried);

// What the relations have brought along and the second program, whose text is `target`, need not
// have: what is assumed of padding, and T.undef() stored to it. The target with these statements as
// they stand in the list at `root`, so that a map may rest on them; and steps that drop them then.
// False: one of them stays.
ir::Stmt with_padding(ir::Context& ctx, const ir::Function& f, const ir::Site& root,
                      ir::Stmt target);
bool drop_padding(rewrite::Proposer& p, ir::Stmt target, std::vector<std::string>& tried);

}  // namespace proviso::verify
