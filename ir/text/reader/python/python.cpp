#include "ir/text/reader/python/python.h"

#include <algorithm>
#include <set>

#include "ir/deep_stack.h"
#include "ir/text/reader/python/cursor.h"
#include "ir/text/reader/python/expression_parser.h"
#include "ir/text/reader/python/failure.h"

namespace proviso::ir::python {

const Limits& limits_here() {
    return has_deep_stack() ? kLimitsOnDeepStack : kUsualLimits;
}

Source::Source(std::string text, std::string file)
    : text_(std::move(text)), file_(std::move(file)) {}

Diagnostic Source::at(Position where, std::string message, std::string hint) const {
    Diagnostic out = error(std::move(message), std::move(hint));
    out.file = file_;
    out.line = where.line;
    out.column = where.column;
    std::size_t begin = 0;
    for (int line = 1; line < where.line && begin < text_.size(); ++line) {
        const std::size_t end = text_.find('\n', begin);
        begin = end == std::string::npos ? text_.size() : end + 1;
    }
    std::size_t end = std::min(text_.find('\n', begin), text_.size());
    if (end > begin && text_[end - 1] == '\r') --end;
    out.source_line = text_.substr(begin, end - begin);
    return out;
}

std::string Node::dotted() const {
    if (kind == NodeKind::Name) return text;
    if (kind != NodeKind::Attribute) return {};
    const std::string base = items[0].dotted();
    return base.empty() ? base : base + "." + text;
}

bool Node::is_call_of(std::string_view callee) const {
    return kind == NodeKind::Call && items[0].dotted() == callee;
}

namespace {

class StatementParser {
  public:
    explicit StatementParser(Cursor& cursor) : c_(cursor) {}

    std::vector<Statement> file() {
        std::vector<Statement> out;
        if (c_.is(TokenKind::Indent)) {
            c_.take();
            c_.fail_here("the first line is indented");
        }
        while (!c_.is(TokenKind::End)) line(out);
        return out;
    }

  private:
    // One compound statement, or the simple statements of one line.
    void line(std::vector<Statement>& out) {
        if (c_.is(TokenKind::Indent)) {
            c_.take();
            c_.fail_here("this line is indented deeper than the one above");
        }
        if (compound(out)) return;
        while (true) {
            out.push_back(simple());
            if (!c_.take_if(";")) break;
            if (c_.is(TokenKind::Newline)) break;
        }
        if (!c_.is(TokenKind::Newline)) {
            c_.fail_here("expected the end of the line, found " + c_.found());
        }
        c_.take();
    }

    bool compound(std::vector<Statement>& out) {
        if (c_.is("@") || c_.is_word("def") || c_.is_word("class")) {
            out.push_back(definition());
        } else if (c_.is_word("for")) {
            out.push_back(for_loop());
        } else if (c_.is_word("if")) {
            out.push_back(branch());
        } else if (c_.is_word("with")) {
            out.push_back(with());
        } else if (c_.is_word("while")) {
            out.push_back(while_loop());
        } else {
            reject_keyword();
            return false;
        }
        return true;
    }

    void reject_keyword() const {
        for (const char* word : {"try", "raise", "del", "global", "nonlocal", "async", "yield",
                                 "await", "elif", "else", "except", "finally"}) {
            if (!c_.is_word(word)) continue;
            const bool dangling = c_.is_word("elif") || c_.is_word("else");
            c_.fail_here(dangling ? "`" + std::string(word) + "` belongs to no `if`"
                                  : "`" + std::string(word) + "` is not supported");
        }
    }

    Statement start(StatementKind kind) {
        Statement out;
        out.kind = kind;
        out.at = c_.peek().at;
        return out;
    }

    std::vector<Statement> body(std::string_view what) {
        c_.expect(":", what);
        const Cursor::Nested nested(c_);
        std::vector<Statement> out;
        if (!c_.is(TokenKind::Newline)) {  // on the same line
            line(out);
            return out;
        }
        c_.take();
        if (!c_.is(TokenKind::Indent)) {
            c_.fail_here("expected indented lines, found " + c_.found(),
                         "write `pass` for an empty body");
        }
        c_.take();
        while (!c_.is(TokenKind::Dedent)) line(out);
        c_.take();
        return out;
    }

    Statement definition() {
        std::vector<Node> decorators;
        while (c_.take_if("@")) {
            decorators.push_back(parse_expression(c_));
            if (!c_.is(TokenKind::Newline)) {
                c_.fail_here("expected the end of the line after a decorator, found " + c_.found());
            }
            c_.take();
        }
        if (c_.is_word("class")) {
            Statement out = start(StatementKind::Class);
            out.decorators = std::move(decorators);
            c_.take();
            out.text = c_.expect_name("the name of the class").text;
            if (c_.is("(")) out.value = bases();
            out.body = body("after the name of the class");
            return out;
        }
        Statement out = start(StatementKind::Function);
        out.decorators = std::move(decorators);
        if (!c_.take_word_if("def")) {
            c_.fail_here("expected `def` or `class` after a decorator, found " + c_.found());
        }
        out.text = c_.expect_name("the name of the function").text;
        type_parameters(out.target);
        c_.expect("(", "after the name of the function");
        std::set<std::string> seen;
        bool after_star = false;
        while (!c_.take_if(")")) {
            Parameter p;
            p.at = c_.peek().at;
            if (c_.is("*") || c_.is("**")) p.stars = c_.take().text;
            p.name = c_.expect_name("a parameter").text;
            if (c_.take_if(":")) p.annotation = parse_expression(c_);
            if (c_.take_if("=")) p.fallback = parse_expression(c_);
            if (!seen.insert(p.name).second) {
                c_.fail_at(p.at, "parameter `" + p.name + "` is given twice");
            }
            after_star = after_star || !p.stars.empty();  // the next ones are given by their names
            const bool before = !out.parameters.empty() && out.parameters.back().fallback;
            if (before && !p.fallback && !after_star) {
                c_.fail_at(p.at, "parameter `" + p.name +
                                     "` has no default value, and the one before has");
            }
            out.parameters.push_back(std::move(p));
            if (!c_.is(")")) c_.expect(",", "or `)` after a parameter");
        }
        if (c_.take_if("->")) out.annotation = parse_expression(c_);
        out.body = body("after the parameters");
        return out;
    }

    // def f[n, m: int](…): names, whose item is the bound.
    void type_parameters(Node& out) {
        if (!c_.is("[")) return;
        out.kind = NodeKind::Tuple;
        out.at = c_.take().at;
        do {
            Node name;
            name.kind = NodeKind::Name;
            name.at = c_.peek().at;
            name.text = c_.expect_name("a type parameter").text;
            if (c_.take_if(":")) name.items.push_back(parse_expression(c_));
            out.items.push_back(std::move(name));
            if (!c_.is("]")) c_.expect(",", "or `]` after a type parameter");
        } while (!c_.take_if("]"));
    }

    Node bases() {
        Node out;
        out.kind = NodeKind::Tuple;
        out.at = c_.take().at;
        while (!c_.take_if(")")) {
            out.items.push_back(parse_expression(c_));
            if (!c_.is(")")) c_.expect(",", "or `)` after a base of the class");
        }
        return out;
    }

    Statement while_loop() {
        Statement out = start(StatementKind::While);
        c_.take();
        out.value = parse_expression(c_);
        out.body = body("after the condition");
        if (c_.is_word("else")) c_.fail_here("`else` of a loop is not supported");
        return out;
    }

    Statement for_loop() {
        Statement out = start(StatementKind::For);
        c_.take();
        out.target = targets();
        if (!c_.take_word_if("in")) {
            c_.fail_here("expected `in` after the loop variable, found " + c_.found());
        }
        out.value = parse_expression_list(c_);
        out.body = body("after the loop's range");
        if (c_.is_word("else")) c_.fail_here("`else` of a loop is not supported");
        return out;
    }

    Node targets() {
        Node first = parse_target(c_);
        if (!c_.is(",")) return first;
        Node tuple;
        tuple.kind = NodeKind::Tuple;
        tuple.at = first.at;
        tuple.items.push_back(std::move(first));
        while (c_.take_if(",")) {
            if (c_.is_word("in")) break;
            tuple.items.push_back(parse_target(c_));
        }
        return tuple;
    }

    Statement branch() {
        Statement out = start(StatementKind::If);
        c_.take();
        out.value = parse_expression(c_);
        out.body = body("after the condition");
        if (c_.is_word("elif")) {
            const Cursor::Nested nested(c_);
            out.otherwise.push_back(branch());
        } else if (c_.take_word_if("else")) {
            out.otherwise = body("after `else`");
        }
        return out;
    }

    Statement with() {
        Statement out = start(StatementKind::With);
        c_.take();
        return with_item(std::move(out));
    }

    Statement with_item(Statement out) {
        const Cursor::Nested nested(c_);
        out.value = parse_expression(c_);
        if (c_.take_word_if("as")) out.target = parse_target(c_);
        if (c_.take_if(",")) {
            out.body.push_back(with_item(start(StatementKind::With)));
        } else {
            out.body = body("after `with …`");
        }
        return out;
    }

    Statement simple() {
        for (const auto& [word, kind] :
             {std::pair{"pass", StatementKind::Pass}, std::pair{"break", StatementKind::Break},
              std::pair{"continue", StatementKind::Continue}}) {
            if (!c_.is_word(word)) continue;
            Statement out = start(kind);
            c_.take();
            return out;
        }
        if (c_.is_word("return")) {
            Statement out = start(StatementKind::Return);
            c_.take();
            if (!c_.is(TokenKind::Newline) && !c_.is(";")) out.value = parse_expression_list(c_);
            return out;
        }
        if (c_.is_word("assert")) {
            Statement out = start(StatementKind::Assert);
            c_.take();
            out.value = parse_expression(c_);
            if (c_.take_if(",")) out.annotation = parse_expression(c_);
            return out;
        }
        if (c_.is_word("import") || c_.is_word("from")) return import_line();
        return assignment();
    }

    Statement import_line() {
        Statement out = start(StatementKind::Import);
        while (!c_.is(TokenKind::Newline) && !c_.is(";")) {
            const bool part = c_.is(TokenKind::Name) || c_.is(".") || c_.is("...") || c_.is(",") ||
                              c_.is("(") || c_.is(")") || c_.is("*");
            if (!part) {
                c_.fail_here("an import names modules and what is in them",
                             "from tvm.script import tir as T");
            }
            const std::string word = c_.take().text;
            const char last = out.text.empty() ? '(' : out.text.back();
            const bool tight =
                word == "." || word == "," || word == ")" || last == '.' || last == '(';
            out.text += tight ? word : " " + word;
        }
        return out;
    }

    Statement assignment() {
        Statement out = start(StatementKind::Expression);
        out.value = parse_expression_list(c_);
        if (c_.take_if(":")) {
            out.kind = StatementKind::AnnotatedAssign;
            out.target = std::move(out.value);
            out.annotation = parse_expression(c_);
            out.value = c_.take_if("=") ? parse_expression_list(c_) : Node{};
        } else if (c_.take_if("=")) {
            out.kind = StatementKind::Assign;
            out.target = std::move(out.value);
            out.value = parse_expression_list(c_);
            if (c_.is("=")) c_.fail_here("chained assignments are not supported");
        } else {
            for (const char* op :
                 {"+=", "-=", "*=", "/=", "//=", "%=", "&=", "|=", "^=", "<<=", ">>="}) {
                if (!c_.take_if(op)) continue;
                out.kind = StatementKind::AugmentedAssign;
                out.text = std::string(op, std::char_traits<char>::length(op) - 1);
                out.target = std::move(out.value);
                out.value = parse_expression_list(c_);
                break;
            }
        }
        return out;
    }

    Cursor& c_;
};

}  // namespace

Result<Module> parse_python(std::string_view text, const std::string& file) {
    return guarded([&]() -> Module {
        auto source = std::make_shared<const Source>(std::string(text), file);
        Cursor cursor(*source, true);
        return Module{source, StatementParser(cursor).file()};
    });
}

Result<ParsedExpression> parse_python_expression(std::string_view text, const std::string& file) {
    return guarded([&]() -> ParsedExpression {
        auto source = std::make_shared<const Source>(std::string(text), file);
        Cursor cursor(*source, false);
        Node node = parse_expression(cursor);
        if (!cursor.is(TokenKind::End)) {
            cursor.fail_here("expected the end of the expression, found " + cursor.found(),
                             cursor.is("=") ? "compare with `==`" : "");
        }
        return ParsedExpression{source, std::move(node)};
    });
}

}  // namespace proviso::ir::python
