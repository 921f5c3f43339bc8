// A syntax tree and a place in it.
#pragma once

#include <functional>
#include <vector>

#include "ir/text/reader/python/python.h"

namespace proviso::tools::lsp {

// The statement at a place, with those around it, outermost first; each with the list that it
// stands in.
struct Surrounding {
    const ir::python::Statement* statement;
    const std::vector<ir::python::Statement>* list;
    std::size_t index;  // in that list
};
std::vector<Surrounding> statements_around(const std::vector<ir::python::Statement>& list,
                                           ir::python::Position at);

// The smallest expression of the statement's own that is written at that place, without those of
// statements in it; null: there is none. Of a called name, the call.
const ir::python::Node* expression_at(const ir::python::Statement& s, ir::python::Position at);

// The line of a statement's last part; what it goes on with in brackets does not count.
int last_line(const ir::python::Statement& s);

// All statements, each before those in it.
void for_each_statement(const std::vector<ir::python::Statement>& list,
                        const std::function<void(const ir::python::Statement&)>& f);

}  // namespace proviso::tools::lsp
