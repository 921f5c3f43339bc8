// One child of a statement by its label, without naming all the others: a list has as many children
// as a program has stages.
#pragma once

#include <optional>
#include <string>

#include "ir/site.h"

namespace proviso::ir {

// Neither is set where there is no such child. Labels are those of children.h.
Located child_at(Stmt s, const std::string& label);
// The statement with another child there, of the same sort.
Stmt with_child(Context& ctx, Stmt s, const std::string& label, Located child);

// The statement at a site of the function, or that the expression there is in.
Site statement_around(const Function& f, Site site);
// The way to a site, cut off after so many steps.
Site first_steps(const Site& site, std::size_t count);

// The position that a label in a list of `size` statements names.
std::optional<std::size_t> list_position(const std::string& label, std::size_t size);

}  // namespace proviso::ir
