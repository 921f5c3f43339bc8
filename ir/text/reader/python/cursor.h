// A place in the token list, shared by the parsers of expressions and of statements.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ir/text/reader/python/failure.h"
#include "ir/text/reader/python/lexer.h"

namespace proviso::ir::python {

class Cursor {
  public:
    explicit Cursor(const Source& source, bool lines)
        : source_(source), tokens_(tokenize(source, lines)) {}

    const Source& source() const { return source_; }
    const Token& peek(std::size_t ahead = 0) const {
        return tokens_[std::min(next_ + ahead, tokens_.size() - 1)];
    }
    Token take() {
        const Token& token = peek();
        if (next_ + 1 < tokens_.size()) ++next_;
        return token;
    }
    bool is(std::string_view op) const { return peek().is(op); }
    bool is_word(std::string_view word) const { return peek().is_word(word); }
    bool is(TokenKind kind) const { return peek().kind == kind; }
    bool take_if(std::string_view op) {
        if (!is(op)) return false;
        take();
        return true;
    }
    bool take_word_if(std::string_view word) {
        if (!is_word(word)) return false;
        take();
        return true;
    }
    // Takes the operator, or fails with "expected `)` after <what>".
    Token expect(std::string_view op, std::string_view what);
    // A name that is no keyword of Python.
    Token expect_name(std::string_view what);

    [[noreturn]] void fail_here(std::string message, std::string hint = {}) const {
        fail_at(peek().at, std::move(message), std::move(hint));
    }
    [[noreturn]] void fail_at(Position at, std::string message, std::string hint = {}) const {
        fail(source_.at(at, std::move(message), std::move(hint)));
    }
    // "`)`", "the end of the line", …
    std::string found() const;

    // One level of nesting, for as long as it lives; fails beyond the limit of brackets.
    class Nested {
      public:
        explicit Nested(Cursor& cursor) : cursor_(cursor) {
            const int most = limits_here().brackets;
            if (++cursor_.nesting_ > most) {
                cursor_.fail_here("nested more than " + std::to_string(most) + " levels deep");
            }
        }
        ~Nested() { --cursor_.nesting_; }
        Nested(const Nested&) = delete;
        Nested& operator=(const Nested&) = delete;

      private:
        Cursor& cursor_;
    };

  private:
    const Source& source_;
    std::vector<Token> tokens_;
    std::size_t next_ = 0;
    int nesting_ = 0;
};

}  // namespace proviso::ir::python
