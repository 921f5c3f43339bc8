// Programs near to that of a hostile proposal, with the proposal for each: other numbers,
// operators, names and types, in a loop or a branch, before or behind other work. What is wrong
// with the proposal mostly stays wrong.
#pragma once

#include "fuzz/gen/choice.h"
#include "fuzz/planted/theorems/theorem.h"

namespace proviso::fuzz {

HostileProposal hostile_variant(HostileProposal p, Choice& choice);

// All texts of the proposal, to tell proposals apart.
std::string text_of(const HostileProposal& p);

}  // namespace proviso::fuzz
