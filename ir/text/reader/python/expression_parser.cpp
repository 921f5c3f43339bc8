#include "ir/text/reader/python/expression_parser.h"

#include <algorithm>
#include <set>

#include "ir/text/keywords.h"

namespace proviso::ir::python {

namespace {

// Binding strength of Python's binary operators; 0: not one.
constexpr int kOr = 1;
constexpr int kAnd = 2;
constexpr int kNot = 3;
constexpr int kCompare = 4;
constexpr int kBitOr = 5;

int strength(const Token& t) {
    if (t.kind == TokenKind::Name) return t.text == "or" ? kOr : t.text == "and" ? kAnd : 0;
    if (t.kind != TokenKind::Operator) return 0;
    const std::string& s = t.text;
    if (s == "<" || s == "<=" || s == ">" || s == ">=" || s == "==" || s == "!=") return kCompare;
    if (s == "|") return kBitOr;
    if (s == "^") return kBitOr + 1;
    if (s == "&") return kBitOr + 2;
    if (s == "<<" || s == ">>") return kBitOr + 3;
    if (s == "+" || s == "-") return kBitOr + 4;
    if (s == "*" || s == "/" || s == "//" || s == "%") return kBitOr + 5;
    return 0;
}

class ExpressionParser {
  public:
    explicit ExpressionParser(Cursor& cursor) : c_(cursor) {}

    // An expression, or `*x` of a list.
    Node element() { return item(); }

    Node expression() {
        const Cursor::Nested nested(c_);
        if (c_.is_word("lambda")) return lambda();
        Node value = binary(kOr);
        if (c_.is(":=")) c_.fail_here("`:=` is not supported");
        if (!c_.is_word("if")) return value;
        Node out = node(NodeKind::Conditional, value.at);
        c_.take();
        Node condition = binary(kOr);
        if (!c_.take_word_if("else")) {
            c_.fail_here("expected `else` of the conditional expression, found " + c_.found());
        }
        add(out, std::move(value));
        add(out, std::move(condition));
        add(out, expression());
        return out;
    }

    Node postfix() {
        Node left = atom();
        while (true) {
            if (c_.is("(")) {
                left = call(std::move(left));
            } else if (c_.is("[")) {
                left = subscript(std::move(left));
            } else if (c_.is(".")) {
                Node out = node(NodeKind::Attribute, left.at);
                c_.take();
                out.text = c_.expect_name("a name after `.`").text;
                add(out, std::move(left));
                left = std::move(out);
            } else {
                return left;
            }
        }
    }

  private:
    static Node node(NodeKind kind, Position at) {
        Node out;
        out.kind = kind;
        out.at = at;
        return out;
    }

    void deepen(Node& parent, const Node& child) const {
        parent.depth = std::max(parent.depth, child.depth + 1);
        check_depth(parent);
    }
    void lengthen(Node& chain) const {
        ++chain.depth;
        check_depth(chain);
    }
    void check_depth(const Node& n) const {
        const int most = limits_here().operators;
        if (n.depth > most) {
            c_.fail_at(n.at,
                       "this expression is more than " + std::to_string(most) + " operators deep");
        }
    }
    void add(Node& parent, Node child) const {
        deepen(parent, child);
        parent.items.push_back(std::move(child));
    }

    Node binary(int least) {
        Node left;
        if (least <= kNot && c_.is_word("not")) {
            const Cursor::Nested nested(c_);
            left = node(NodeKind::Unary, c_.peek().at);
            left.text = c_.take().text;
            add(left, binary(kNot));
        } else {
            left = unary();
        }
        while (true) {
            const Token op = c_.peek();
            if (least <= kCompare && is_none_next()) {
                left = compared_with_none(std::move(left));
                continue;
            }
            const int s = strength(op);
            if (s == 0) reject(op);
            if (s == 0 || s < least) return left;
            const NodeKind kind = s <= kAnd       ? NodeKind::Logic
                                  : s == kCompare ? NodeKind::Compare
                                                  : NodeKind::Binary;
            Node out = node(kind, left.at);
            out.op_at = op.at;
            if (kind != NodeKind::Compare) out.text = op.text;
            add(out, std::move(left));
            do {
                const Token next = c_.take();
                if (kind == NodeKind::Compare) out.names.push_back(next.text);
                add(out, binary(s + 1));
                // Binders nest a chain to the right, one level an item.
                if (kind != NodeKind::Binary) lengthen(out);
            } while (kind != NodeKind::Binary && strength(c_.peek()) == s);
            left = std::move(out);
        }
    }

    // `is None` or `is not None`.
    bool is_none_next() const {
        const std::size_t word = c_.peek(1).is_word("not") ? 2 : 1;
        return c_.is_word("is") && c_.peek(word).is_word("None");
    }
    Node compared_with_none(Node left) {
        Node out = node(NodeKind::Compare, left.at);
        out.op_at = c_.take().at;
        const bool negated = c_.is_word("not");
        if (negated) c_.take();
        out.names.emplace_back(negated ? "is not" : "is");
        add(out, std::move(left));
        add(out, unary());
        return out;
    }

    void reject(const Token& op) const {
        if (op.is("@")) c_.fail_here("`@` between expressions is not supported");
        if (op.is_word("is") || (op.is_word("not") && c_.peek(1).is_word("in"))) {
            c_.fail_here("`" + op.text + "` between expressions is not supported",
                         "compare with ==");
        }
    }

    Node unary() {
        if (!c_.is("-") && !c_.is("+") && !c_.is("~")) return power();
        const Cursor::Nested nested(c_);
        Node out = node(NodeKind::Unary, c_.peek().at);
        out.text = c_.take().text;
        add(out, unary());
        return out;
    }

    // The right side of `**` may have a sign, and the sign before the left side is for all of it.
    Node power() {
        Node left = postfix();
        if (!c_.is("**")) return left;
        const Cursor::Nested nested(c_);
        Node out = node(NodeKind::Binary, left.at);
        out.op_at = c_.peek().at;
        out.text = c_.take().text;
        add(out, std::move(left));
        add(out, unary());
        return out;
    }

    Node atom() {
        const Token t = c_.peek();
        switch (t.kind) {
            case TokenKind::Int: return leaf(NodeKind::Int);
            case TokenKind::Float: return leaf(NodeKind::Float);
            case TokenKind::String: {
                Node out = leaf(NodeKind::String);
                while (c_.is(TokenKind::String)) out.text += c_.take().text;
                return out;
            }
            case TokenKind::Name:
                if (t.text == "True" || t.text == "False" || t.text == "None") {
                    return leaf(NodeKind::Constant);
                }
                if (is_keyword(t.text)) {
                    c_.fail_here("expected an expression, found the keyword `" + t.text + "`",
                                 t.text == "not" ? "put `not …` in parentheses" : "");
                }
                return leaf(NodeKind::Name);
            default: break;
        }
        if (t.is("(")) return parentheses();
        if (t.is("[")) return list();
        if (t.is("{")) return dictionary();
        c_.fail_here("expected an expression, found " + c_.found());
    }

    Node leaf(NodeKind kind) {
        Node out = node(kind, c_.peek().at);
        out.text = c_.take().text;
        return out;
    }

    Node parentheses() {
        Node out = node(NodeKind::Tuple, c_.take().at);
        if (c_.take_if(")")) return out;
        Node first = item();
        if (c_.is_word("for")) return comprehension(std::move(out), std::move(first), ")");
        if (c_.take_if(")")) {
            first.parenthesized = true;
            first.at = out.at;
            return first;
        }
        add(out, std::move(first));
        items(out, ")", "of the tuple");
        return out;
    }

    // ", item, item )" after a first item.
    void items(Node& out, std::string_view close, std::string_view what) {
        while (!c_.take_if(close)) {
            if (!c_.take_if(",")) {
                c_.fail_here("expected `,` or `" + std::string(close) + "` " + std::string(what) +
                             ", found " + c_.found());
            }
            if (c_.take_if(close)) return;
            add(out, item());
        }
    }

    // An item of a list, a tuple or the arguments of a call: `*x` unpacks.
    Node item() {
        if (!c_.is("*") && !c_.is("**")) return expression();
        Node out = node(NodeKind::Starred, c_.peek().at);
        out.text = c_.take().text;
        add(out, expression());
        return out;
    }

    // "for target in range if condition … ]" after the element.
    Node comprehension(Node out, Node element, std::string_view close) {
        out.kind = NodeKind::Comprehension;
        out.text = close == ")" ? "(" : close == "]" ? "[" : "{";
        add(out, std::move(element));
        while (c_.is_word("for")) {
            Node clause = node(NodeKind::Clause, c_.take().at);
            Node target = postfix();
            if (c_.is(",")) {
                Node tuple = node(NodeKind::Tuple, target.at);
                add(tuple, std::move(target));
                while (c_.take_if(",")) {
                    if (c_.is_word("in")) break;
                    add(tuple, postfix());
                }
                target = std::move(tuple);
            }
            add(clause, std::move(target));
            if (!c_.take_word_if("in")) {
                c_.fail_here("expected `in` of the comprehension, found " + c_.found());
            }
            add(clause, binary(kOr));
            while (c_.take_word_if("if")) add(clause, binary(kOr));
            add(out, std::move(clause));
        }
        c_.expect(close, "after the comprehension");
        return out;
    }

    Node list() {
        Node out = node(NodeKind::List, c_.take().at);
        if (c_.take_if("]")) return out;
        Node first = item();
        if (c_.is_word("for")) return comprehension(std::move(out), std::move(first), "]");
        add(out, std::move(first));
        items(out, "]", "of the list");
        return out;
    }

    Node dictionary() {
        Node out = node(NodeKind::Dict, c_.take().at);
        while (!c_.take_if("}")) {
            if (!out.items.empty()) {
                c_.expect(",", "between the entries of a dictionary");
                if (c_.take_if("}")) break;
            }
            Node key = expression();
            c_.expect(":", "after a key of a dictionary");
            Node value = expression();
            if (out.items.empty() && c_.is_word("for")) {
                add(out, std::move(key));
                return comprehension(std::move(out), std::move(value), "}");
            }
            add(out, std::move(key));
            add(out, std::move(value));
        }
        return out;
    }

    Node call(Node callee) {
        Node out = node(NodeKind::Call, callee.at);
        std::set<std::string> seen;  // keywords
        add(out, std::move(callee));
        c_.take();
        while (!c_.take_if(")")) {
            if (c_.is(TokenKind::Name) && c_.peek(1).is("=")) {
                const Token name = c_.expect_name("a keyword");
                if (!seen.insert(name.text).second) {
                    c_.fail_at(name.at, "keyword `" + name.text + "` is given twice");
                }
                c_.take();
                Node value = expression();
                deepen(out, value);
                out.keywords.push_back(Keyword{name.text, name.at, std::move(value)});
            } else {
                if (!out.keywords.empty() && !c_.is("**")) {
                    c_.fail_here("a positional argument cannot follow a keyword argument");
                }
                Node argument = item();
                if (c_.is_word("for")) {  // f(x for x in …)
                    Node made = node(NodeKind::Comprehension, argument.at);
                    add(out, comprehension(std::move(made), std::move(argument), ")"));
                    return out;
                }
                add(out, std::move(argument));
            }
            if (!c_.is(")")) c_.expect(",", "or `)` after an argument");
        }
        return out;
    }

    Node subscript(Node base) {
        Node out = node(NodeKind::Subscript, base.at);
        add(out, std::move(base));
        c_.take();
        if (c_.is("]")) c_.fail_here("expected an index, found `]`", "write `[()]` for no index");
        bool comma = false;
        while (!c_.take_if("]")) {
            add(out, slice());
            if (!c_.is("]")) {
                c_.expect(",", "or `]` after an index");
                comma = true;
            }
        }
        // `A[(i, j)]` is `A[i, j]`.
        if (!comma && out.items[1].is(NodeKind::Tuple)) {
            Node tuple = std::move(out.items[1]);
            out.items.pop_back();
            for (Node& item : tuple.items) out.items.push_back(std::move(item));
        }
        return out;
    }

    Node slice() {
        const Position at = c_.peek().at;
        Node lower;
        if (!c_.is(":")) lower = expression();
        if (!c_.is(":")) return lower;
        Node out = node(NodeKind::Slice, at);
        add(out, std::move(lower));
        for (int i = 0; i < 2; ++i) {
            Node part;
            if (c_.take_if(":") && !c_.is(":") && !c_.is("]") && !c_.is(",")) part = expression();
            add(out, std::move(part));
        }
        return out;
    }

    Node lambda() {
        Node out = node(NodeKind::Lambda, c_.take().at);
        std::set<std::string> seen;
        while (!c_.is(":")) {
            if (!out.names.empty()) c_.expect(",", "or `:` after a parameter of the lambda");
            const std::string star = c_.take_if("*") ? "*" : "";
            const Token name = c_.expect_name("a parameter of the lambda");
            if (!seen.insert(name.text).second) {
                c_.fail_at(name.at, "parameter `" + name.text + "` of the lambda is given twice");
            }
            out.names.push_back(star + name.text);
            if (c_.is("=")) c_.fail_here("default values of lambdas are not supported");
        }
        c_.take();
        add(out, expression());
        return out;
    }

    Cursor& c_;
};

}  // namespace

Node parse_expression(Cursor& cursor) {
    return ExpressionParser(cursor).expression();
}

Node parse_expression_list(Cursor& cursor) {
    // `io, *rest`: an element of a tuple, never one alone.
    const auto element = [&] {
        const Token star = cursor.peek();
        if (!star.is("*")) return parse_expression(cursor);
        Node out = ExpressionParser(cursor).element();
        if (!cursor.is(",")) cursor.fail_here("`*` stands before an element of a list: a, *b = …");
        return out;
    };
    Node first = element();
    if (!cursor.is(",")) return first;
    Node tuple;
    tuple.kind = NodeKind::Tuple;
    tuple.at = first.at;
    tuple.depth = first.depth + 1;
    tuple.items.push_back(std::move(first));
    while (cursor.take_if(",")) {
        if (cursor.is(TokenKind::Newline) || cursor.is("=") || cursor.is_word("in")) break;
        tuple.items.push_back(ExpressionParser(cursor).element());
        tuple.depth = std::max(tuple.depth, tuple.items.back().depth + 1);
    }
    return tuple;
}

Node parse_target(Cursor& cursor) {
    return ExpressionParser(cursor).postfix();
}

}  // namespace proviso::ir::python
