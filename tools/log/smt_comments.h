// An obligation's SMT-LIB text for people: comments say what it is for, what its symbols are in the
// program, and what it claims there. Without comments it is the canonical text, byte for byte, so
// that its hash is the obligation's id.
#pragma once

#include <string>
#include <vector>

#include "analysis/obligation.h"

namespace proviso::tools {

// `uses`: who owes it, a line each.
std::string commented_smt(ir::Context& ctx, const analysis::Obligation& obligation,
                          const std::vector<std::string>& uses);

// Where nothing but the text is known, as of an obligation that was refused.
std::string commented_smt(const std::string& text, const std::string& purpose,
                          const std::vector<std::string>& uses);

// The facts and the goal in the program's notation, a line each: "given i < 14", "goal i < 16".
std::vector<std::string> claim_lines(const analysis::Obligation& obligation);

}  // namespace proviso::tools
