// Copies of statements: binder names are unique within a function, so what stands twice has names
// of its own.
#pragma once

#include <set>
#include <string>

#include "ir/context.h"

namespace proviso::rewrite {

// Every name that a function uses: binders and blocks.
std::set<std::string> used_names(const ir::Function& f);

// The statement with every loop variable, let, allocation, iterator and block renamed to the first
// free name ("i" becomes "i_1"), in textual order; `used` grows. Lets inside expressions keep their
// names: they end with their expression.
ir::Stmt fresh_copy(ir::Context& ctx, ir::Stmt s, std::set<std::string>& used);

// The statement with the names that `model` has for what it binds (loop variables, lets,
// allocations, iterators, blocks), taken in textual order: it is `model` if and only if the two are
// equal up to such names. Null where that renaming cannot be: other binders, or a name of the model
// that means something else here.
//   for j in range(4): A[j] = 0      by the names of `for i in range(4): B[i] = i`
//   for i in range(4): A[i] = 0
ir::Stmt with_names_of(ir::Context& ctx, ir::Stmt s, ir::Stmt model);

}  // namespace proviso::rewrite
