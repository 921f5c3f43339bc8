// Names in C and C++: what a function may be exported as, and what a parameter is called.
#pragma once

#include <string>
#include <vector>

#include "ir/function.h"
#include "ir/result.h"

namespace proviso::ir {

// True for a word that C or C++ reserves, and for `main`.
bool is_c_keyword(const std::string& name);

// True for a name that a function may have in C, for every target: C can spell it, and it is no
// keyword, nothing that C reserves (a leading underscore), no type and no macro of the headers that
// ours includes, no function of the C library, and no name of the text around GPU code.
bool is_exportable_name(const std::string& name);
// Says which of these it is.
Status check_symbol(const std::string& name);
// The symbol of a function when nobody chose one: its own name, or where that is none for C
// (`main`, `free`) both names, joined by an underscore: "conv2d_main". `file` without folder and
// extension.
std::string symbol_for(const std::string& function, const std::string& file);

// The parameters' names in a C declaration, in order: their own, changed where C keeps that name
// for itself, and different from one another. Fails on a name that C cannot spell.
Result<std::vector<std::string>> c_parameter_names(const Function& f);

}  // namespace proviso::ir
