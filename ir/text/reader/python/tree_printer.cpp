#include "ir/text/reader/python/tree_printer.h"

#include <algorithm>

#include "ir/text/printer.h"

namespace proviso::ir::python {

namespace {

// How strongly a node holds together, as in Python's grammar.
enum Strength : std::uint8_t {
    kLoose,  // conditional expressions, lambdas
    kOr,
    kAnd,
    kNot,
    kCompare,
    kBitOr,
    kBitXor,
    kBitAnd,
    kShift,
    kSum,
    kProduct,
    kSign,
    kPower,
    kTight,  // names, literals, brackets, calls
};

Strength next(Strength s) {
    return static_cast<Strength>(s + 1);
}

Strength of_operator(const std::string& op) {
    if (op == "|") return kBitOr;
    if (op == "^") return kBitXor;
    if (op == "&") return kBitAnd;
    if (op == "<<" || op == ">>") return kShift;
    if (op == "+" || op == "-") return kSum;
    return op == "**" ? kPower : kProduct;
}

Strength strength(const Node& n) {
    switch (n.kind) {
        case NodeKind::Conditional:
        case NodeKind::Lambda:
        case NodeKind::Starred:
        case NodeKind::Slice: return kLoose;
        case NodeKind::Logic: return n.text == "or" ? kOr : kAnd;
        case NodeKind::Compare: return kCompare;
        case NodeKind::Unary: return n.text == "not" ? kNot : kSign;
        case NodeKind::Binary: return of_operator(n.text);
        default: return kTight;
    }
}

class TreePrinter {
  public:
    explicit TreePrinter(std::string& out) : out_(out) {}

    void node(const Node& n, Strength least = kLoose) {
        const bool brackets = strength(n) < least;
        if (brackets) out_ += "(";
        inner(n);
        if (brackets) out_ += ")";
    }

    void statements(const std::vector<Statement>& lines, int indent) {
        for (const Statement& s : lines) statement(s, indent);
    }

  private:
    void inner(const Node& n) {
        switch (n.kind) {
            case NodeKind::Missing: return;
            case NodeKind::Name:
            case NodeKind::Int:
            case NodeKind::Float:
            case NodeKind::Constant: out_ += n.text; return;
            case NodeKind::String: out_ += quoted(n.text); return;
            case NodeKind::Tuple:
                out_ += "(";
                list(n.items);
                out_ += n.items.size() == 1 ? ",)" : ")";
                return;
            case NodeKind::List:
                out_ += "[";
                list(n.items);
                out_ += "]";
                return;
            case NodeKind::Dict: return dictionary(n);
            case NodeKind::Attribute: {
                const Node& base = n.items[0];
                const bool number = base.is(NodeKind::Int) || base.is(NodeKind::Float);
                if (number) out_ += "(";
                node(base, kTight);
                out_ += (number ? ")." : ".") + n.text;
                return;
            }
            case NodeKind::Subscript: return subscript(n);
            case NodeKind::Slice: return slice(n);
            case NodeKind::Call: return call(n);
            case NodeKind::Unary: return unary(n);
            case NodeKind::Binary: return binary(n);
            case NodeKind::Compare:
                for (std::size_t i = 0; i < n.items.size(); ++i) {
                    if (i > 0) out_ += " " + n.names[i - 1] + " ";
                    node(n.items[i], next(kCompare));
                }
                return;
            case NodeKind::Logic:
                for (std::size_t i = 0; i < n.items.size(); ++i) {
                    if (i > 0) out_ += " " + n.text + " ";
                    node(n.items[i], next(strength(n)));
                }
                return;
            case NodeKind::Conditional:
                node(n.items[0], kOr);
                out_ += " if ";
                node(n.items[1], kOr);
                out_ += " else ";
                node(n.items[2]);
                return;
            case NodeKind::Lambda:
                out_ += "lambda";
                for (std::size_t i = 0; i < n.names.size(); ++i) {
                    out_ += (i == 0 ? " " : ", ") + n.names[i];
                }
                out_ += ": ";
                node(n.items[0]);
                return;
            case NodeKind::Starred:
                out_ += n.text;
                node(n.items[0]);
                return;
            case NodeKind::Comprehension: return comprehension(n);
            case NodeKind::Clause: return;  // printed by its comprehension
        }
    }

    void list(const std::vector<Node>& items, std::size_t first = 0) {
        for (std::size_t i = first; i < items.size(); ++i) {
            if (i > first) out_ += ", ";
            node(items[i]);
        }
    }

    void dictionary(const Node& n) {
        out_ += "{";
        for (std::size_t i = 0; i + 1 < n.items.size(); i += 2) {
            if (i > 0) out_ += ", ";
            node(n.items[i]);
            out_ += ": ";
            node(n.items[i + 1]);
        }
        out_ += "}";
    }

    void subscript(const Node& n) {
        node(n.items[0], kTight);
        out_ += "[";
        if (n.items.size() == 1) out_ += "()";
        list(n.items, 1);
        // One index that is a tuple, not several indices.
        if (n.items.size() == 2 && n.items[1].is(NodeKind::Tuple)) out_ += ",";
        out_ += "]";
    }

    void slice(const Node& n) {
        node(n.items[0]);
        out_ += ":";
        node(n.items[1]);
        if (!n.items[2]) return;
        out_ += ":";
        node(n.items[2]);
    }

    void call(const Node& n) {
        node(n.items[0], kTight);
        out_ += "(";
        // `**x` may follow keywords, but reads the same before them.
        list(n.items, 1);
        bool first = n.items.size() == 1;
        for (const Keyword& k : n.keywords) {
            out_ += (first ? "" : ", ") + k.name + "=";
            first = false;
            node(k.value);
        }
        out_ += ")";
    }

    void unary(const Node& n) {
        const Node& operand = n.items[0];
        if (n.text == "not") {
            out_ += "not ";
            return node(operand, kNot);
        }
        out_ += n.text;
        // -(3) is a negation, -3 a constant.
        const bool number = operand.is(NodeKind::Int) || operand.is(NodeKind::Float);
        const bool brackets = number && operand.parenthesized;
        if (brackets) out_ += "(";
        node(operand, kSign);
        if (brackets) out_ += ")";
    }

    void binary(const Node& n) {
        const Strength s = strength(n);
        const bool power = s == kPower;
        node(n.items[0], power ? kTight : s);
        out_ += " " + n.text + " ";
        node(n.items[1], power ? kSign : next(s));
    }

    void comprehension(const Node& n) {
        out_ += n.text;
        std::size_t i = 0;
        node(n.items[i++]);
        if (n.text == "{" && !n.items[1].is(NodeKind::Clause)) {
            out_ += ": ";
            node(n.items[i++]);
        }
        for (; i < n.items.size(); ++i) {
            const Node& clause = n.items[i];
            out_ += " for ";
            target(clause.items[0]);
            out_ += " in ";
            node(clause.items[1], kOr);
            for (std::size_t k = 2; k < clause.items.size(); ++k) {
                out_ += " if ";
                node(clause.items[k], kOr);
            }
        }
        out_ += n.text == "(" ? ")" : n.text == "[" ? "]" : "}";
    }

    void target(const Node& n) {
        if (!n.is(NodeKind::Tuple) || n.items.empty()) return node(n, kTight);
        for (std::size_t i = 0; i < n.items.size(); ++i) {
            if (i > 0) out_ += ", ";
            node(n.items[i], kTight);
        }
        if (n.items.size() == 1) out_ += ",";
    }

    void body(const std::vector<Statement>& lines, int indent) {
        out_ += ":\n";
        statements(lines, indent + 1);
    }

    void statement(const Statement& s, int indent) {
        const std::string margin = indentation(indent);
        for (const Node& d : s.decorators) {
            out_ += margin + "@";
            node(d);
            out_ += "\n";
        }
        out_ += margin;
        switch (s.kind) {
            case StatementKind::If: return branch(s, indent, "if ");
            case StatementKind::For:
                out_ += "for ";
                target(s.target);
                out_ += " in ";
                node(s.value);
                return body(s.body, indent);
            case StatementKind::While:
                out_ += "while ";
                node(s.value);
                return body(s.body, indent);
            case StatementKind::With:
                out_ += "with ";
                node(s.value);
                if (s.target) {
                    out_ += " as ";
                    node(s.target, kTight);
                }
                return body(s.body, indent);
            case StatementKind::Function: function(s); return body(s.body, indent);
            case StatementKind::Class:
                out_ += "class " + s.text;
                if (s.value) {
                    out_ += "(";
                    list(s.value.items);
                    out_ += ")";
                }
                return body(s.body, indent);
            default: simple(s); out_ += "\n";
        }
    }

    void simple(const Statement& s) {
        switch (s.kind) {
            case StatementKind::Assign:
                target(s.target);
                out_ += " = ";
                return node(s.value);
            case StatementKind::AnnotatedAssign:
                target(s.target);
                out_ += ": ";
                node(s.annotation);
                if (!s.value) return;
                out_ += " = ";
                return node(s.value);
            case StatementKind::AugmentedAssign:
                target(s.target);
                out_ += " " + s.text + "= ";
                return node(s.value);
            case StatementKind::Assert:
                out_ += "assert ";
                node(s.value);
                if (!s.annotation) return;
                out_ += ", ";
                return node(s.annotation);
            case StatementKind::Return:
                out_ += s.value ? "return " : "return";
                return node(s.value);
            case StatementKind::Pass: out_ += "pass"; return;
            case StatementKind::Break: out_ += "break"; return;
            case StatementKind::Continue: out_ += "continue"; return;
            case StatementKind::Import: out_ += s.text; return;
            default: return node(s.value);
        }
    }

    void branch(const Statement& s, int indent, const char* word) {
        out_ += word;
        node(s.value);
        body(s.body, indent);
        if (s.otherwise.empty()) return;
        out_ += indentation(indent);
        if (s.otherwise.size() == 1 && s.otherwise[0].is(StatementKind::If)) {
            return branch(s.otherwise[0], indent, "elif ");
        }
        out_ += "else";
        body(s.otherwise, indent);
    }

    void function(const Statement& s) {
        out_ += "def " + s.text;
        for (const Node& type : s.target.items) {
            out_ += (&type == &s.target.items.front() ? "[" : ", ") + type.text;
            if (type.items.empty()) continue;
            out_ += ": ";
            node(type.items[0]);
        }
        out_ += s.target ? "](" : "(";
        bool first = true;
        for (const Parameter& p : s.parameters) {
            out_ += (first ? "" : ", ") + p.stars + p.name;
            first = false;
            if (p.annotation) {
                out_ += ": ";
                node(p.annotation);
            }
            if (!p.fallback) continue;
            out_ += p.annotation ? " = " : "=";
            node(p.fallback);
        }
        out_ += ")";
        if (!s.annotation) return;
        out_ += " -> ";
        node(s.annotation);
    }

    std::string& out_;
};

}  // namespace

std::string print(const Node& node) {
    std::string out;
    TreePrinter(out).node(node);
    return out;
}

std::string print(const Module& file) {
    std::string out;
    bool after_definition = false;
    for (std::size_t i = 0; i < file.body.size(); ++i) {
        const Statement& s = file.body[i];
        const bool definition = s.is(StatementKind::Function) || s.is(StatementKind::Class);
        if (i > 0 && (definition || after_definition)) out += "\n";
        TreePrinter(out).statements({s}, 0);
        after_definition = definition;
    }
    return out;
}

}  // namespace proviso::ir::python
