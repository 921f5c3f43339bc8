// What the printers of expressions, statements and functions share.
#pragma once

#include <string>
#include <string_view>

#include "ir/context.h"

namespace proviso::ir {

// Appends the canonical text of an expression in a program, where `T.int32(3) - 1` is an operator
// and `3 - 1` the number 2, which Python computes. print(Expr) writes `3 - 1`, as parse_expr reads
// it.
void print_expr(std::string& out, Expr e);
std::string program_text(Expr e);
// "i, j + 1"
void print_expr_list(std::string& out, std::span<const Expr> list);

// The shortest decimal that reads back as this value of the type, in Python's spelling ("0.5",
// "1e+20", "inf", "nan", "-0.0").
std::string float_text(ScalarType type, double value);
// A string literal in double quotes.
std::string quoted(std::string_view text);

// Appends statements as lines, four spaces a level; `indent` counts levels.
void print_stmt(std::string& out, Stmt s, int indent);
std::string indentation(int indent);

// Whether [lo, hi) is the one cell that an index `lo` means: hi is lo + 1, folded when constant.
bool is_next(Expr lo, Expr hi);

// "(4, n)", "(4,)" or "()".
std::string shape_text(std::span<const Expr> shape);

}  // namespace proviso::ir
