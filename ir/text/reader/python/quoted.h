// Strings in shapes, which TVM writes for names that a shape defines: T.Buffer(("n * 2",), …).
#pragma once

#include <optional>
#include <set>
#include <string>

#include "ir/text/reader/python/python.h"

namespace proviso::ir::python {

// The expression in a string, every part of it at the string's place; nullopt when it is none.
std::optional<Node> quoted_expression(const Node& string);
// `T.Buffer` applied to something: its shape, by place or by keyword; null for other annotations,
// and where it has none.
Node* buffer_shape(Node& annotation);
// The names in an expression, each once, in the order of the text.
std::vector<std::string> names_in(const Node& node);
// Adds the names that strings in the shape of an annotation may define.
void add_quoted_names(const Node& annotation, std::set<std::string>& out);

}  // namespace proviso::ir::python
