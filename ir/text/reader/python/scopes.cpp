#include "ir/text/reader/python/scopes.h"

#include <algorithm>
#include <array>
#include <sstream>

#include "ir/text/reader/python/failure.h"
#include "ir/text/reader/python/quoted.h"
#include "ir/text/spelling.h"

namespace proviso::ir::python {

namespace {

// What Python and TVM's parser give every file.
constexpr std::array kBuiltIn = {
    "T",     "I",    "R",      "tvm",  "tir",       "range",    "len",      "int",
    "float", "bool", "str",    "min",  "max",       "abs",      "sum",      "list",
    "tuple", "dict", "set",    "zip",  "enumerate", "reversed", "sorted",   "isinstance",
    "print", "map",  "filter", "all",  "any",       "round",    "divmod",   "pow",
    "slice", "type", "cls",    "self", "getattr",   "hasattr",  "metadata", "TypeVar"};

void add_names(const std::vector<Statement>& lines, std::set<std::string>& out) {
    for (const Statement& s : lines) {
        switch (s.kind) {
            case StatementKind::Import:
                for (const std::string& name : imported_names(s)) out.insert(name);
                break;
            case StatementKind::Function:
            case StatementKind::Class: out.insert(s.text); continue;  // its lines are its own
            default: add_names(s.target, out);
        }
        add_names(s.body, out);
        add_names(s.otherwise, out);
    }
}

class NameChecker {
  public:
    explicit NameChecker(const Module& file) : file_(file) {
        known_.emplace_back(kBuiltIn.begin(), kBuiltIn.end());
    }

    void scope(const std::vector<Statement>& lines, std::set<std::string> names) {
        add_names(lines, names);
        known_.push_back(std::move(names));
        body(lines, false);
        known_.pop_back();
    }

  private:
    void body(const std::vector<Statement>& lines, bool in_loop) {
        for (const Statement& s : lines) statement(s, in_loop);
    }

    void statement(const Statement& s, bool in_loop) {
        for (const Node& d : s.decorators) expression(d);
        if (s.is(StatementKind::Break) || s.is(StatementKind::Continue)) {
            if (!in_loop) {
                fail(file_.at(s.at,
                              "`" + std::string(s.is(StatementKind::Break) ? "break" : "continue") +
                                  "` stands in no loop"));
            }
            return;
        }
        if (s.is(StatementKind::Function)) return function(s);
        if (s.is(StatementKind::Class)) return scope(s.body, {s.text});
        expression(s.annotation);
        expression(s.value);
        expression(s.target);
        const bool loop = s.is(StatementKind::For) || s.is(StatementKind::While);
        body(s.body, in_loop || loop);
        body(s.otherwise, in_loop);
    }

    void function(const Statement& s) {
        std::set<std::string> names;
        python::add_names(s.target, names);
        for (const Parameter& p : s.parameters) {
            expression(p.fallback);
            names.insert(p.name);
            add_quoted_names(p.annotation, names);
        }
        // Annotations may speak of parameters before them.
        known_.push_back(names);
        for (const Parameter& p : s.parameters) expression(p.annotation);
        expression(s.annotation);
        known_.pop_back();
        if (takes_names_of_its_caller(s)) return;
        scope(s.body, std::move(names));
    }

    // @T.macro(hygienic=False)
    static bool takes_names_of_its_caller(const Statement& s) {
        return std::any_of(s.decorators.begin(), s.decorators.end(), [](const Node& d) {
            return std::any_of(d.keywords.begin(), d.keywords.end(), [](const Keyword& k) {
                return k.name == "hygienic" && k.value.text == "False";
            });
        });
    }

    void expression(const Node& n) {
        if (n.is(NodeKind::Name)) return name(n);
        const std::size_t open = known_.size();
        if (n.is(NodeKind::Lambda)) known_.emplace_back(n.names.begin(), n.names.end());
        if (n.is(NodeKind::Comprehension)) {
            std::set<std::string> names;
            for (const Node& clause : n.items) {
                if (clause.is(NodeKind::Clause)) python::add_names(clause.items[0], names);
            }
            known_.push_back(std::move(names));
        }
        if (n.is_call_of("T.Let")) {  // T.Let(body, where={x: value}) binds x
            std::set<std::string> names;
            for (const Keyword& k : n.keywords) {
                for (std::size_t i = 0; i < k.value.items.size(); i += 2) {
                    python::add_names(k.value.items[i], names);
                }
            }
            known_.push_back(std::move(names));
        }
        for (const Node& item : n.items) expression(item);
        for (const Keyword& k : n.keywords) expression(k.value);
        known_.resize(open);
    }

    void name(const Node& n) const {
        std::vector<std::string> all;
        for (const std::set<std::string>& names : known_) {
            if (names.count(n.text) != 0) return;
            all.insert(all.end(), names.begin(), names.end());
        }
        fail(file_.at(n, "`" + n.text + "` is not defined", suggest(n.text, all)));
    }

    const Module& file_;
    std::vector<std::set<std::string>> known_;
};

}  // namespace

bool is_built_in(const std::string& name) {
    return std::find(kBuiltIn.begin(), kBuiltIn.end(), name) != kBuiltIn.end();
}

void add_names(const Node& target, std::set<std::string>& out) {
    if (target.is(NodeKind::Name)) out.insert(target.text);
    if (target.is(NodeKind::Starred) || target.is(NodeKind::Tuple) || target.is(NodeKind::List)) {
        for (const Node& item : target.items) add_names(item, out);
    }
}

std::vector<std::string> imported_names(const Statement& import) {
    std::vector<std::string> out;
    std::string text;
    for (const char c : import.text) {
        const bool mark = c == ',' || c == '(' || c == ')';
        text += mark ? std::string{' ', c, ' '} : std::string(1, c);
    }
    std::istringstream words(text);
    std::string word;
    bool listed = false;  // after the last `import`
    bool fresh = false;   // a name starts here
    while (words >> word) {
        if (word == "import" || word == "," || word == "(") {
            listed = true;
            fresh = true;
        } else if (word == "as" && listed && !out.empty()) {
            out.pop_back();
            fresh = true;
        } else if (fresh && listed && word != ")") {
            out.push_back(word.substr(0, word.find('.')));
            fresh = false;
        }
    }
    return out;
}

void check_names(const Module& file, const std::set<std::string>& known) {
    NameChecker(file).scope(file.body, known);
}

}  // namespace proviso::ir::python
