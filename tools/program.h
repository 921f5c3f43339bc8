// Reading programs and their inputs for the commands.
#pragma once

#include <string>
#include <vector>

#include "ir/children.h"
#include "ir/result.h"
#include "ir/text.h"
#include "ir/text/te/te.h"

namespace proviso::tools {

// The function of that name in a TVMScript file; the only one when `name` is empty. Or what a file
// of tensor expressions (ir/text/te/te.h) becomes; their schedule goes to `schedule`, and is an
// error without it.
Result<ir::Function> load_function(ir::Context& ctx, const std::string& path,
                                   const std::string& name, ir::te::Script* schedule = nullptr);

// The same of a text; `path` is what messages call it.
Result<ir::Function> function_of_text(ir::Context& ctx, const std::string& text,
                                      const std::string& path, const std::string& name,
                                      ir::te::Script* schedule = nullptr);

// One line for each memory scope in the function that has no meaning of its own here: memory of
// such a scope is memory like any other. In the order of the function.
std::vector<std::string> scope_notes(const ir::Function& f);
// `note: …` for each of them, to standard error.
void print_notes(const std::vector<std::string>& notes);

// "NAME=VALUE" arguments as constants of the scalar parameters (and sizes) of `f`.
Result<ir::Substitution> scalar_arguments(ir::Context& ctx, const ir::Function& f,
                                          const std::vector<std::string>& arguments);

// The error of `option NAME=…` that stands there twice.
Diagnostic given_twice(const std::string& option, const std::string& name);

// NAME and the rest of "NAME=REST".
Result<std::pair<std::string, std::string>> key_value(const std::string& argument);
// "there are: a, b", "there is none": for hints.
std::string listed(const std::vector<std::string>& names);

// "NAME:TYPE" or "NAME:TYPE[4, 8]" (a buffer) declarations; TYPE defaults to int32.
Status declare(ir::Context& ctx, const std::string& name, const std::string& type, ir::Scope& scope,
               ir::Function& f);

}  // namespace proviso::tools
