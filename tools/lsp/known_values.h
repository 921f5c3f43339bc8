// What is known of an expression where it stands: for people, found with the cheap deciders alone.
#pragma once

#include <string>
#include <vector>

#include "ir/context.h"

namespace proviso::tools::lsp {

// Sentences: "0 <= i * 4 + j <= 55", "i < n", "multiple of 4", "always true", or that control does
// not get here. Each is proved from `facts`; empty where nothing beyond the type is known. `text`
// is what the expression is called; `sizes`: variables that bounds may be said in.
std::vector<std::string> known_values(ir::Context& ctx, const std::vector<ir::Expr>& facts,
                                      ir::Expr e, const std::string& text,
                                      const std::vector<ir::Expr>& sizes);

}  // namespace proviso::tools::lsp
