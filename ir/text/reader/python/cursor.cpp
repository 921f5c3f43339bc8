#include "ir/text/reader/python/cursor.h"

#include "ir/text/keywords.h"

namespace proviso::ir::python {

std::string Cursor::found() const {
    switch (peek().kind) {
        case TokenKind::Newline: return "the end of the line";
        case TokenKind::End: return "the end of the text";
        case TokenKind::Indent: return "a deeper indentation";
        case TokenKind::Dedent: return "the end of the indented lines";
        case TokenKind::String: return "a string";
        default: return "`" + peek().text + "`";
    }
}

Token Cursor::expect(std::string_view op, std::string_view what) {
    if (!is(op)) {
        fail_here("expected `" + std::string(op) + "` " + std::string(what) + ", found " + found());
    }
    return take();
}

Token Cursor::expect_name(std::string_view what) {
    if (!is(TokenKind::Name) || is_keyword(peek().text)) {
        fail_here("expected " + std::string(what) + ", found " + found());
    }
    return take();
}

}  // namespace proviso::ir::python
