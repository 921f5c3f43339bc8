// Names of a Python file: what its lines bind, and whether each name that is used is bound
// somewhere. Python's rules: a name is of the whole function that binds it, or of one around it, or
// of the file.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "ir/text/reader/python/python.h"

namespace proviso::ir::python {

// Adds the names that an assignment to `target` binds.
void add_names(const Node& target, std::set<std::string>& out);
// "np" of `import numpy as np`; `a` and `b` of `from m import a, b`.
std::vector<std::string> imported_names(const Statement& import);

// A name that Python or TVM's parser gives every file.
bool is_built_in(const std::string& name);

// Throws Failure for a name that nothing binds, and for `break` and `continue` outside of a loop.
// `known`: names that are bound around the file.
void check_names(const Module& file, const std::set<std::string>& known = {});

}  // namespace proviso::ir::python
