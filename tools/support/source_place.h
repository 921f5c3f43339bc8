// Where in a source file something stands that a message speaks of, and that a program does not
// remember: looked for in the text. A position is for people: where nothing is found, or more than
// one place, the Diagnostic stays as it is.
#pragma once

#include <string>

#include "ir/function.h"
#include "ir/result.h"

namespace proviso::tools {

// The text of a program that was read; empty where it cannot be read again, as standard input.
std::string source_text(const std::string& path);

// What is wrong with the attribute "proviso.layout" of `f`, as analysis::check_layouts says: at the
// text in the attribute, at the very column of a mistake in it, or else at the buffer's name.
Diagnostic placed_in_layout(Diagnostic d, const std::string& text, const std::string& path,
                            const ir::Function& f);

// Of a message that names the condition of an assumption of `f`: at the T.assume that
// states it.
Diagnostic placed_at_assumption(Diagnostic d, const std::string& text, const std::string& path,
                                const ir::Function& f);

// Of a message that a loop of `f` is bound to threads, that a function is called that nobody knows,
// or that a shared buffer is allocated outside of a block: at the name of the thread index, of the
// function or of the buffer.
Diagnostic placed_at_construct(Diagnostic d, const std::string& text, const std::string& path,
                               const ir::Function& f);

}  // namespace proviso::tools
