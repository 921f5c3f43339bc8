// Another text of a proposal, with its parts told along or not.
#pragma once

#include "fuzz/gen/choice.h"
#include "rewrite/schedule/restated.h"

namespace proviso::fuzz {

// Of a proposal for a statement of `f`: one statement of the new text is another one: bounds,
// guards, kinds of loops, order, a statement less or twice, something around it. Sites of parts
// mostly follow.
void change_text(ir::Context& ctx, const ir::Function& f, rewrite::Restated& r, Choice& choice);

// One loop of the new text runs on for a few iterations, perhaps in parallel.
void widen_loop(ir::Context& ctx, const ir::Function& f, rewrite::Restated& r, Choice& choice);

// Part `k` is no part any more; pairs set apart keep their parts.
void forget(rewrite::Restated& r, std::size_t k);

}  // namespace proviso::fuzz
