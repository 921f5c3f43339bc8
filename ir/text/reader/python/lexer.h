// Tokens of the Python subset, with the indentation already turned into Indent and Dedent.
#pragma once

#include <string>
#include <vector>

#include "ir/text/reader/python/python.h"

namespace proviso::ir::python {

enum class TokenKind { Name, Int, Float, String, Operator, Newline, Indent, Dedent, End };

struct Token {
    TokenKind kind = TokenKind::End;
    std::string text;  // Name, Operator, numbers: as written; String: the value
    Position at;

    bool is(std::string_view op) const { return kind == TokenKind::Operator && text == op; }
    bool is_word(std::string_view word) const { return kind == TokenKind::Name && text == word; }
};

// Ends in End, after a Newline and the Dedents that are open. Throws Failure (failure.h).
// `lines`: false reads the text as one logical line (an expression that stands alone).
std::vector<Token> tokenize(const Source& source, bool lines);

}  // namespace proviso::ir::python
