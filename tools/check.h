// What `check` and `serve` have in common.
#pragma once

#include <string>
#include <vector>

#include "ir/children.h"
#include "tools/commands.h"
#include "verify/check/check.h"
#include "verify/check/relation.h"

namespace CLI {  // NOLINT(readability-identifier-naming)
class App;
}

namespace proviso::tools {

void add_check(CLI::App& app, CheckOptions& o);

// The limits of the command as those of the library, at these sizes.
verify::CheckOptions limits_of_check(const CheckOptions& options, const ir::Substitution& sizes);

// `floats` as what it says: licences among the others, and `ulps`.
Status read_floats(CheckOptions& options);

// The two programs with one interface, as the options say how they have one.
Result<verify::RelatedPrograms> related(ir::Context& ctx, const ir::Function& before,
                                        const ir::Function& after, const CheckOptions& options);

// The notes of both programs, each of them once.
std::vector<std::string> notes_of_check(const ir::Function& before, const ir::Function& after);

}  // namespace proviso::tools
