// A program with one more statement, which evaluates an expression where somebody asks what is
// known of it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ir/text/reader/python/python.h"

namespace proviso::tools::lsp {

// A statement in the list that it stands in.
struct StatementPlace {
    const std::vector<ir::python::Statement>* list;
    std::size_t index;
    const ir::python::Statement& statement() const { return (*list)[index]; }
};

// The text with `T.evaluate(e)` in a block of its own, called `block`, before that statement:
//
//   for i in range(4): A[i] = i          for i in range(4):
//                                            with T.block("m"):
//                                                T.evaluate(e)
//                                            A[i] = i
//
// An `elif` becomes an `if` below an `else`. None: nothing can stand before it.
std::optional<std::string> with_marker(const std::string& text, const StatementPlace& before,
                                       const std::string& e, const std::string& block);

}  // namespace proviso::tools::lsp
