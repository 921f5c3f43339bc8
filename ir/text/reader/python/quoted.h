// Strings in shapes and strides of parameters, which TVM writes for the names that these define:
// T.Buffer(("n * 2",), …).
#pragma once

#include <optional>
#include <set>
#include <string>

#include "ir/text/reader/python/python.h"

namespace proviso::ir::python {

// The expression in a string, every part of it at the string's place; nullopt when it is none.
std::optional<Node> quoted_expression(const Node& string);
// The strings in the shape and in the strides of `T.Buffer` applied to something; none in other
// annotations.
std::vector<Node*> quoted_places(Node& annotation);
// The names in an expression, each once, in the order of the text.
std::vector<std::string> names_in(const Node& node);
// Adds the names that strings of an annotation may define.
void add_quoted_names(const Node& annotation, std::set<std::string>& out);

}  // namespace proviso::ir::python
