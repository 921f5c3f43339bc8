// Making syntax trees: what is made stands at the place that it is made from.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "ir/text/reader/python/python.h"

namespace proviso::ir::python {

Node name_node(Position at, std::string name);
Node string_node(Position at, std::string value);
Node number_node(Position at, std::string literal);
// "T.alloc_buffer"
Node dotted_node(Position at, const std::string& dotted);
Node tuple_node(Position at, std::vector<Node> items);
Node call_node(Node callee, std::vector<Node> arguments, std::vector<Keyword> keywords = {});
Node subscript_node(Node base, std::vector<Node> indices);

Statement assign_line(Node target, Node value);
Statement expression_line(Node value);
Statement loop_line(Node target, Node range, std::vector<Statement> body);

// The tree with its own depth, after its parts changed.
Node measured(Node node);
// The tree with other expressions for names.
Node with_names(const Node& node, const std::vector<std::pair<std::string, Node>>& values);

}  // namespace proviso::ir::python
