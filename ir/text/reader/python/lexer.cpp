#include "ir/text/reader/python/lexer.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "ir/files/limits.h"
#include "ir/text/reader/python/failure.h"

namespace proviso::ir::python {

namespace {

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}
bool is_name_start(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

// Longest first, so that the first match is the longest.
constexpr std::array<std::string_view, 44> kOperators = {
    "**=", "//=", "<<=", ">>=", "...", "**", "//", "<<", ">>", "<=", ">=", "==", "!=", "->", "+=",
    "-=",  "*=",  "/=",  "%=",  "&=",  "|=", "^=", ":=", "@=", "+",  "-",  "*",  "/",  "%",  "<",
    ">",   "=",   "(",   ")",   "[",   "]",  "{",  "}",  ",",  ":",  ".",  "&",  "|",  "^"};

// The digits of a number to the base 2**bits, as hexadecimal ones.
std::string hexadecimal(std::string_view digits, std::size_t bits) {
    std::vector<bool> all;  // the lowest one first
    for (std::size_t i = digits.size(); i-- > 0;) {
        for (std::size_t k = 0; k < bits; ++k) all.push_back(((digits[i] - '0') >> k & 1) != 0);
    }
    std::string out;
    for (std::size_t i = 0; i < all.size(); i += 4) {
        std::size_t digit = 0;
        for (std::size_t k = i; k < std::min(i + 4, all.size()); ++k) {
            if (all[k]) digit |= std::size_t{1} << (k - i);
        }
        out.insert(out.begin(), "0123456789abcdef"[digit]);
    }
    const std::size_t first = out.find_first_not_of('0');
    return first == std::string::npos ? "0" : out.substr(first);
}

class Lexer {
  public:
    Lexer(const Source& source, bool lines) : source_(source), text_(source.text()), lines_(lines) {
        if (text_.substr(0, 3) == "\xEF\xBB\xBF") next_ = 3;  // some editors mark UTF-8 so
    }

    std::vector<Token> run() {
        bool line_start = lines_;
        while (true) {
            if (line_start) {
                indentation();
                line_start = false;
            }
            skip_blanks();
            if (at_end()) break;
            if (peek() == '\n') {
                if (open_.empty() && lines_) {
                    if (!tokens_.empty() && ends_a_line(tokens_.back().kind)) {
                        push(TokenKind::Newline, "");
                    }
                    line_start = true;
                }
                advance();
                continue;
            }
            if (tokens_.size() >= limits::kTokens) {
                wrong(here_,
                      "this text has more than " + std::to_string(limits::kTokens) +
                          " words, numbers and signs",
                      "docs/limits.md lists the limits");
            }
            token();
        }
        finish();
        return std::move(tokens_);
    }

  private:
    static bool ends_a_line(TokenKind kind) {
        return kind != TokenKind::Newline && kind != TokenKind::Indent && kind != TokenKind::Dedent;
    }
    bool at_end() const { return next_ >= text_.size(); }
    char peek(std::size_t ahead = 0) const {
        return next_ + ahead < text_.size() ? text_[next_ + ahead] : '\0';
    }
    void advance() {
        const char c = text_[next_++];
        if (c == '\n') {
            ++here_.line;
            here_.column = 1;
        } else if ((static_cast<unsigned char>(c) & 0xC0U) != 0x80U) {  // not a continuation byte
            ++here_.column;
        }
    }
    [[noreturn]] void wrong(Position at, std::string message, std::string hint = {}) const {
        fail(source_.at(at, std::move(message), std::move(hint)));
    }
    void push(TokenKind kind, std::string text) {
        tokens_.push_back(Token{kind, std::move(text), here_});
    }

    void skip_blanks() {
        while (!at_end()) {
            const char c = peek();
            if (c == '#') {
                while (!at_end() && peek() != '\n') advance();
            } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f') {
                advance();
            } else if (c == '\\' && (peek(1) == '\n' || (peek(1) == '\r' && peek(2) == '\n'))) {
                while (peek() != '\n') advance();
                advance();
            } else {
                return;
            }
        }
    }

    // At the start of a line: compares its indentation with the open ones. Blank lines and
    // comment lines do not count.
    void indentation() {
        int width = 0;
        while (peek() == ' ' || peek() == '\t') {
            width = peek() == '\t' ? (width / 8 + 1) * 8 : width + 1;
            advance();
        }
        if (at_end() || peek() == '\n' || peek() == '#' || peek() == '\r') return;
        if (width > indents_.back()) {
            indents_.push_back(width);
            push(TokenKind::Indent, "");
            return;
        }
        while (width < indents_.back()) {
            indents_.pop_back();
            push(TokenKind::Dedent, "");
        }
        if (width != indents_.back()) {
            wrong(here_, "this indentation matches no line above",
                  "lines of one body start in the same column");
        }
    }

    void token() {
        const char c = peek();
        if (is_name_start(c)) return name();
        if (is_digit(c) || (c == '.' && is_digit(peek(1)))) return number();
        if (c == '"' || c == '\'') return string();
        for (const std::string_view op : kOperators) {
            if (text_.compare(next_, op.size(), op) == 0) return operation(op);
        }
        if (c == '~' || c == '@' || c == ';') return operation(std::string_view(&text_[next_], 1));
        const std::string written = character();
        wrong(here_, "character `" + written + "` is not understood", instead_of(written));
    }

    static std::string printable(char c) {
        constexpr std::string_view digits = "0123456789abcdef";
        const auto byte = static_cast<unsigned char>(c);
        if (byte >= 0x20 && byte < 0x7f) return std::string(1, c);
        return std::string("\\x") + digits[byte / 16] + digits[byte % 16];
    }

    void name() {
        const Position start = here_;
        std::string word;
        while (is_name_start(peek()) || is_digit(peek())) {
            word += peek();
            advance();
        }
        if ((peek() == '"' || peek() == '\'') && (word == "r" || word == "R")) return string(true);
        const bool filled = word == "f" && fills_in();
        if (filled) return filled_string(start);
        if ((peek() == '"' || peek() == '\'') && word.size() <= 2) {
            wrong(start, "strings with the prefix `" + word + "` are not supported");
        }
        tokens_.push_back(Token{TokenKind::Name, std::move(word), start});
    }

    void number() {
        const Position start = here_;
        std::string digits;
        bool is_float = false;
        const auto take = [&] {
            if (peek() != '_') digits += peek();
            advance();
        };
        const auto base = [&](char letter) {
            return peek() == '0' && (peek(1) == letter || peek(1) == std::toupper(letter));
        };
        if (base('b') || base('o')) {
            const std::size_t bits = base('b') ? 1 : 3;
            const char last = bits == 1 ? '1' : '7';
            take();
            take();
            while ((peek() >= '0' && peek() <= last) || peek() == '_') take();
            if (is_digit(peek()))
                wrong(here_, "the digits of this number are 0 to " + std::string(1, last));
            if (digits.size() == 2) wrong(start, "a number without digits");
            digits = "0x" + hexadecimal(digits.substr(2), bits);
        } else if (base('x')) {
            take();
            take();
            while (std::isxdigit(static_cast<unsigned char>(peek())) != 0 || peek() == '_') take();
            if (digits.size() == 2) wrong(start, "a hexadecimal number without digits");
        } else {
            const auto take_digits = [&] {
                while (is_digit(peek()) || peek() == '_') take();
            };
            take_digits();
            if (peek() == '.') {
                is_float = true;
                take();
                take_digits();
            }
            const std::size_t sign = peek(1) == '+' || peek(1) == '-' ? 2 : 1;
            if ((peek() == 'e' || peek() == 'E') && is_digit(peek(sign))) {
                is_float = true;
                for (std::size_t i = 0; i < sign; ++i) take();
                take_digits();
            }
            if (!is_float && digits.size() > 1 && digits[0] == '0' &&
                digits.find_first_not_of('0') != std::string::npos) {
                wrong(start, "an integer does not start with 0", "an octal number starts with 0o");
            }
        }
        if (is_name_start(peek())) wrong(here_, "a number ends in a letter");
        tokens_.push_back(
            Token{is_float ? TokenKind::Float : TokenKind::Int, std::move(digits), start});
    }

    // The character here, of as many bytes as UTF-8 gives it; one byte where that is none.
    std::string character() const {
        const auto first = static_cast<unsigned char>(peek());
        const std::size_t bytes = first < 0xC2 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
        std::string out = text_.substr(next_, bytes);
        const bool whole =
            out.size() == bytes && bytes > 1 && first < 0xF5 &&
            std::all_of(
                out.begin() + 1, out.end(),
                [](char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; });
        return whole ? out : printable(peek());
    }

    // What word processors and papers write, and what it is here.
    static std::string instead_of(const std::string& written) {
        static constexpr std::array<std::array<std::string_view, 2>, 11> table = {{
            {"\u2212", "-"},
            {"\u2013", "-"},
            {"\u00d7", "*"},
            {"\u00b7", "*"},
            {"\u00f7", "//"},
            {"\u2264", "<="},
            {"\u2265", ">="},
            {"\u2260", "!="},
            {"\u201c", "\""},
            {"\u201d", "\""},
            {"\u00a0", " "},
        }};
        for (const auto& [other, ours] : table) {
            if (written == other) return "write `" + std::string(ours) + "`";
        }
        if (written == "!") return "write `not …`, or `!=`";
        if (written == "?") return "write `x if c else y`";
        const bool letter = static_cast<unsigned char>(written[0]) >= 0x80;
        return letter ? "names have letters a to z, digits and `_`" : "";
    }

    // `raw`: a backslash is a character like any other, but a quote after it does not end the text.
    void string(bool raw = false) {
        const Position start = here_;
        const char quote = peek();
        const bool triple = peek(1) == quote && peek(2) == quote;
        for (int i = 0; i < (triple ? 3 : 1); ++i) advance();
        std::string value;
        while (true) {
            if (at_end() || (!triple && peek() == '\n')) {
                wrong(start, "this string is not closed");
            }
            if (peek() == quote && (!triple || (peek(1) == quote && peek(2) == quote))) {
                for (int i = 0; i < (triple ? 3 : 1); ++i) advance();
                break;
            }
            if (peek() == '\\' && !raw) {
                escape(value);
            } else {
                if (peek() == '\\' && peek(1) != '\n' && next_ + 1 < text_.size()) {
                    value += peek();
                    advance();
                }
                value += peek();
                advance();
            }
        }
        tokens_.push_back(Token{TokenKind::String, std::move(value), start});
    }

    // Whether the string that begins here, after an `f`, has values in it.
    bool fills_in() const {
        const char quote = peek();
        if (quote != '"' && quote != '\'') return false;
        for (std::size_t k = next_ + 1; k < text_.size(); ++k) {
            if (text_[k] == quote || text_[k] == '\n') return false;
            if (text_[k] == '{') return true;
        }
        return false;
    }

    // f"{a}_{b}" is "{}_{}".format(a, b).
    void filled_string(Position start) {
        string();
        const std::string written = std::move(tokens_.back().text);
        tokens_.pop_back();
        std::string pattern;
        std::vector<Token> values;
        for (std::size_t k = 0; k < written.size(); ++k) {
            pattern += written[k];
            if (written[k] != '{') continue;
            if (k + 1 < written.size() && written[k + 1] == '{') {
                pattern += written[++k];
                continue;
            }
            const std::size_t end = written.find('}', k);
            if (end == std::string::npos) wrong(start, "a `{` of this string is not closed");
            const std::string value = written.substr(k + 1, end - k - 1);
            if (value.find_first_of(":!{") != std::string::npos) {
                wrong(start, "`{" + value + "}` has options", "only a value stands in the braces");
            }
            const Source part(value, source_.file());
            for (Token& t : Lexer(part, false).run()) {
                if (t.kind == TokenKind::Newline || t.kind == TokenKind::End) continue;
                t.at = start;
                values.push_back(std::move(t));
            }
            values.push_back(Token{TokenKind::Operator, ",", start});
            k = end - 1;
        }
        tokens_.push_back(Token{TokenKind::String, std::move(pattern), start});
        tokens_.push_back(Token{TokenKind::Operator, ".", start});
        tokens_.push_back(Token{TokenKind::Name, "format", start});
        tokens_.push_back(Token{TokenKind::Operator, "(", start});
        tokens_.insert(tokens_.end(), values.begin(), values.end());
        tokens_.push_back(Token{TokenKind::Operator, ")", start});
    }

    void escape(std::string& value) {
        const Position start = here_;
        advance();
        const char c = peek();
        if (at_end()) wrong(start, "this string is not closed");
        advance();
        switch (c) {
            case '\n': return;
            case 'n': value += '\n'; return;
            case 't': value += '\t'; return;
            case 'r': value += '\r'; return;
            case '0': value += '\0'; return;
            case '\\':
            case '\'':
            case '"': value += c; return;
            case 'x': {
                int code = 0;
                for (int i = 0; i < 2; ++i) {
                    const auto digit = static_cast<unsigned char>(peek());
                    if (std::isxdigit(digit) == 0) wrong(start, "\\x needs two hexadecimal digits");
                    code = code * 16 +
                           (is_digit(peek()) ? digit - '0' : std::tolower(digit) - 'a' + 10);
                    advance();
                }
                value += static_cast<char>(code);
                return;
            }
            default: wrong(start, std::string("escape `\\") + printable(c) + "` is not supported");
        }
    }

    void operation(std::string_view op) {
        const char c = op[0];
        if (op.size() == 1 && (c == '(' || c == '[' || c == '{')) {
            open_.push_back({c, here_});
            const int most = limits_here().brackets;
            if (static_cast<int>(open_.size()) > most) {
                wrong(here_, "brackets are nested more than " + std::to_string(most) + " deep");
            }
        }
        if (op.size() == 1 && (c == ')' || c == ']' || c == '}')) {
            const char opening = c == ')' ? '(' : c == ']' ? '[' : '{';
            if (open_.empty()) wrong(here_, std::string("`") + c + "` closes nothing");
            if (open_.back().bracket != opening) {
                wrong(here_, std::string("`") + c + "` closes `" + open_.back().bracket +
                                 "` of line " + std::to_string(open_.back().at.line));
            }
            open_.pop_back();
        }
        push(TokenKind::Operator, std::string(op));
        for (std::size_t i = 0; i < op.size(); ++i) advance();
    }

    void finish() {
        if (!open_.empty()) {
            wrong(open_.back().at, std::string("`") + open_.back().bracket + "` is never closed");
        }
        if (lines_ && !tokens_.empty() && ends_a_line(tokens_.back().kind)) {
            push(TokenKind::Newline, "");
        }
        while (indents_.size() > 1) {
            indents_.pop_back();
            push(TokenKind::Dedent, "");
        }
        push(TokenKind::End, "");
    }

    struct Bracket {
        char bracket;
        Position at;
    };

    const Source& source_;
    const std::string& text_;
    bool lines_;
    std::size_t next_ = 0;
    Position here_{1, 1};
    std::vector<int> indents_{0};
    std::vector<Bracket> open_;
    std::vector<Token> tokens_;
};

}  // namespace

std::vector<Token> tokenize(const Source& source, bool lines) {
    return Lexer(source, lines).run();
}

}  // namespace proviso::ir::python
