// Syntax trees made by hand, of what the text of a schedule could say.
#pragma once

#include <string>

#include "ir/text/reader/python/python.h"

namespace proviso::rewrite::syntax {

using ir::python::Node;
using ir::python::Position;

Node call(const std::string& object, const std::string& method, Position at);  // object.method()
void keyword(Node& call, const std::string& name, Node value);
Node attribute(Node object, const std::string& name);
Node element(Node list, std::int64_t k);  // list[k]
Node equals(Node a, Node b);
Node tuple(Position at);
Node real(double value, Position at);

// All of the tree stands at `at`.
void place(Node& tree, Position at);
// Sets the heights in the tree.
void measure(Node& tree);
// A literal, a sign before one, or T.name(…) of such.
bool is_constant(const Node& tree);

}  // namespace proviso::rewrite::syntax
