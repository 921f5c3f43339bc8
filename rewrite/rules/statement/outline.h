// A stage of a function rewritten as a function of its own. What the rule `outline`
// (rewrite/derived/functions/) rests on; which function that is, untrusted code proposes.
//
//   before   … S …          after   … with T.block(NAME): S' …
//
// NAME's body is S, or, where S is a block without iterators of that name, as this leaves one, what
// stands in it; S' is its body after the steps. Its meaning is S in its place (docs/semantics.md,
// "Functions that call functions"). S stands in no loop and no branch.
//
// The contract of the function must hold whenever S begins. Checked:
//   - parameters are buffers and variables that S sees, under their own names, each once;
//   - bounds: owed where the caller does not know them;
//   - licences: those of the caller; one that speaks of the cells of a parameter, only where that
//     is a parameter of the caller, which never writes it;
//   - the relations of a parameter: those that the caller has; and the caller never writes it;
//   - what "proviso.indet" does not name is definite: a parameter of the caller that is definite
//     throughout, or when the caller begins if that never writes it.
// Buffers are different buffers, and an extent is what it is, whoever allocated them.
// Obligations: those of the steps, each for the function alone, under what its parameters promise
// and nothing else that is known where S stands. So S' does what S does from every state that S can
// begin in, stops where S stops, and leaves in every buffer that S sees what refines what S leaves
// (docs/semantics.md, "When a rewrite is right"). S stands in no concurrent loop, so nothing else
// runs beside it. A step must leave parameters and relations as they are: the caller knows the
// function by them.
#pragma once

#include <string>
#include <vector>

#include "rewrite/rules/sequence.h"

namespace proviso::rewrite {

// Statements that stand next to each other: `count` elements of a list from `site` on.
struct Stage {
    ir::Site site;
    std::size_t count = 1;
};

// The stage as one statement; `f` with another one in its place.
Result<ir::Stmt> stage_body(ir::Context& ctx, const ir::Function& f, const Stage& stage);
ir::Function with_stage(ir::Context& ctx, const ir::Function& f, const Stage& stage,
                        ir::Stmt replacement);

// The block that `outline` leaves for a function of that name; null: it is none.
const ir::Block* outlined_block(ir::Stmt s, const std::string& name);

// The contract of the function holds whenever the stage begins, if what is owed holds.
Status contract_holds(ir::Context& ctx, const ir::Function& f, const Stage& stage,
                      const ir::Function& function, std::vector<analysis::Obligation>& owed);

// The step that takes the moves in `function`, which is made of the stage.
Result<Proposal> outline(ir::Context& ctx, const ir::Function& before, const Stage& stage,
                         const ir::Function& function, const std::vector<Move>& moves);

}  // namespace proviso::rewrite
