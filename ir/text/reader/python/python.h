// The Python subset that TVMScript, schedules and graphs are written in, as a syntax tree with
// source positions and no meaning. Binders (functions here, schedules and graphs elsewhere) give it
// one.
//
// Read: imports, classes, decorated functions, with, for, while, break, continue, if/elif/else,
// assignments (plain, annotated, augmented, to tuples), assert, pass, return, expression
// statements; names, numbers, strings, tuples, lists, dictionaries, comprehensions, attributes,
// calls with keywords and unpacking, subscripts, slices, lambdas, conditional expressions,
// comparison chains, logic, arithmetic and bit operators. Everything else is an error at its
// position. Nesting is limited (see Limits), so that no input can exhaust the stack of this or of a
// later recursive reader.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ir/result.h"

namespace proviso::ir::python {

// How deep text may nest; more on a deep stack (ir/deep_stack.h) than on the usual one.
struct Limits {
    int brackets;   // brackets, unary operators, lambdas and indented bodies inside each other
    int operators;  // height of an expression's tree; chains like `a + b + c + …` grow it
};
inline constexpr Limits kUsualLimits{200, 1000};
inline constexpr Limits kLimitsOnDeepStack{4000, 50'000};
// Those of this thread.
const Limits& limits_here();
// Loops and bindings inside each other: a binding holds the rest of its list.
inline constexpr int kMaxStatements = 1000;

// Line and column count from 1; a column is a character (code point), not a byte.
struct Position {
    int line = 0;
    int column = 0;
    bool operator==(const Position&) const = default;
};

// The text that positions point into.
class Source {
  public:
    Source(std::string text, std::string file);
    const std::string& text() const { return text_; }
    const std::string& file() const { return file_; }
    // A message about a place: file, line, column and the line itself are filled in.
    Diagnostic at(Position where, std::string message, std::string hint = {}) const;

  private:
    std::string text_;
    std::string file_;
};

enum class NodeKind {
    Missing,    // an absent optional part: no annotation, an open end of a slice
    Name,       // text
    Int,        // text: the literal as written ("12", "0xff")
    Float,      // text: the literal as written ("1e-3")
    String,     // text: the value, escapes resolved
    Constant,   // text: "True", "False" or "None"
    Tuple,      // items
    List,       // items
    Dict,       // items: key, value, key, value, …
    Attribute,  // items[0] . text
    Subscript,  // items[0] [ items[1], … ]; a tuple of indices is flattened, `A[()]` has none
    Slice,      // items: lower, upper, step; each may be Missing; only in subscripts
    Call,       // items[0] ( items[1], …, keywords )
    Unary,      // text: "-", "+", "~", "not"; items[0]
    Binary,   // text: "+", "-", "*", "/", "//", "%", "**", "<<", ">>", "&", "|", "^"; items[0], [1]
    Compare,  // names: "<", "<=", ">", ">=", "==", "!=", one fewer than items (a chain)
    Logic,    // text: "and" or "or"; items: two or more
    Conditional,  // items[0] if items[1] else items[2]
    Lambda,       // names: parameters, "*a" for the rest of them; items[0]: the body
    Starred,      // text: "*" or "**"; items[0]; an argument of a call, an item of a list or tuple
    // text: "(", "[" or "{"; items: the element (for a dictionary key and value), then the clauses
    Comprehension,
    Clause,  // of a comprehension, `for target in range if …`: items: target, range, conditions
};

struct Keyword;

struct Node {
    NodeKind kind = NodeKind::Missing;
    Position at;     // its first character
    Position op_at;  // Binary, Compare, Logic: the (first) operator
    std::string text;
    std::vector<Node> items;
    std::vector<std::string> names;
    std::vector<Keyword> keywords;
    bool parenthesized = false;  // written in parentheses of its own
    int depth = 1;               // height of the tree
    // A binder's memory: asked at every level of a deep tree, and the same for every reader.
    mutable std::optional<bool> only_literals;

    bool is(NodeKind k) const { return kind == k; }
    explicit operator bool() const { return kind != NodeKind::Missing; }
    // "T.axis.spatial" for a name with attributes; empty for anything else.
    std::string dotted() const;
    // A call of this dotted name.
    bool is_call_of(std::string_view callee) const;
};

// name=value in a call.
struct Keyword {
    std::string name;
    Position at;
    Node value;
};

enum class StatementKind {
    Expression,       // value
    Assign,           // target = value
    AnnotatedAssign,  // target: annotation [= value]
    AugmentedAssign,  // target text= value, text: the operator, as of Binary
    For,              // for target in value: body
    If,               // if value: body else: otherwise (an `elif` is an If in `otherwise`)
    While,            // while value: body
    With,             // with value as target: body; further items of one `with` are nested
    Assert,           // assert value, annotation (the message)
    Return,           // value or Missing
    Pass,
    Break,
    Continue,
    Import,    // text: the line
    Function,  // decorators, text: name, target: [n], parameters, annotation: of the result, body
    Class,     // decorators, text: name, value: a tuple of its bases or Missing, body
};

struct Parameter {
    std::string name;
    std::string stars;  // "*" or "**" before the name, else empty
    Position at;
    Node annotation;  // or Missing
    Node fallback;    // the default value, or Missing
};

struct Statement {
    StatementKind kind = StatementKind::Pass;
    Position at;
    std::string text;
    Node target;  // of a function: a tuple of its type parameters, or Missing
    Node value;
    Node annotation;
    std::vector<Node> decorators;
    std::vector<Parameter> parameters;
    std::vector<Statement> body;
    std::vector<Statement> otherwise;

    bool is(StatementKind k) const { return kind == k; }
};

struct Module {
    std::shared_ptr<const Source> source;
    std::vector<Statement> body;

    Diagnostic at(Position where, std::string message, std::string hint = {}) const {
        return source->at(where, std::move(message), std::move(hint));
    }
    Diagnostic at(const Node& node, std::string message, std::string hint = {}) const {
        return at(node.at, std::move(message), std::move(hint));
    }
};

// A whole file. `file` is for messages only.
Result<Module> parse_python(std::string_view text, const std::string& file);

// One expression that stands alone; it may span lines.
struct ParsedExpression {
    std::shared_ptr<const Source> source;
    Node node;
};
Result<ParsedExpression> parse_python_expression(std::string_view text, const std::string& file);

}  // namespace proviso::ir::python
