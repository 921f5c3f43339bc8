// Values of a schedule's text while it runs. A value is a syntax node: a number, a string, True,
// None, a list, a tuple or a dictionary of values, a lambda; or a name that no text can hold and
// that stands for something: a block or loop ("%3"), the schedule object, its program, a function
// of the file. So a call's arguments can be read in one way, whether they were written or computed.
// A schedule object that sees what is inside of a loop alone has a number, from 1: "%sch:2".
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ir/text/reader/python/python.h"

namespace proviso::rewrite::values {

using ir::python::Node;

inline constexpr const char* kFunction = "%def:";  // and the name of a `def` of the file

Node stands_for(std::string name, ir::python::Position at);
Node integer(std::int64_t value, ir::python::Position at);
Node string(std::string text, ir::python::Position at);
Node boolean(bool value, ir::python::Position at);
Node none(ir::python::Position at);
Node list(std::vector<Node> items, ir::python::Position at);

// A schedule object, and its program; 0: the one that sees everything.
Node schedule(std::size_t inside, ir::python::Position at);
Node program(std::size_t inside, ir::python::Position at);
// Its number; absent: the value is none.
std::optional<std::size_t> schedule_of(const Node& value);
std::optional<std::size_t> program_of(const Node& value);

bool is_none(const Node& value);
bool is_list(const Node& value);  // or a tuple
// What stands for a block or a loop: its number among the handles.
std::optional<std::size_t> handle_of(const Node& value);
// A whole number that fits; True and False are no numbers here.
std::optional<std::int64_t> integer_of(const Node& value);
// As Python does: empty, zero and None are false. Absent: the value is neither.
std::optional<bool> truth(const Node& value);
// That two values are equal, lists by their elements.
bool equal(const Node& a, const Node& b);
// Everything in it that stands for a block or a loop, as the name that this has.
void name_handles(Node& value, const std::function<std::string(const Node&)>& name);
// As `str` writes it; strings in a list are quoted. A block or loop: its number.
std::string text_of(const Node& value);

}  // namespace proviso::rewrite::values
