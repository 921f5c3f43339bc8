#include "ir/text/reader/python/expansion.h"

#include <algorithm>
#include <optional>

#include "ir/text/reader/python/failure.h"
#include "ir/text/reader/python/python_numbers.h"
#include "ir/text/reader/python/quoted.h"
#include "ir/text/reader/python/scopes.h"
#include "ir/text/reader/python/tree_printer.h"

namespace proviso::ir::python {

namespace {

void collect_names(const Node& n, std::set<std::string>& out) {
    if (n.is(NodeKind::Name)) out.insert(n.text);
    out.insert(n.names.begin(), n.names.end());
    for (const Node& item : n.items) collect_names(item, out);
    for (const Keyword& k : n.keywords) collect_names(k.value, out);
}

void collect_names(const std::vector<Statement>& lines, std::set<std::string>& out) {
    for (const Statement& s : lines) {
        for (const Node* n : {&s.target, &s.value, &s.annotation}) collect_names(*n, out);
        for (const Parameter& p : s.parameters) out.insert(p.name);
        if (s.is(StatementKind::Function)) out.insert(s.text);
        collect_names(s.body, out);
        collect_names(s.otherwise, out);
    }
}

bool is_meta(const Statement& s) {
    return s.is(StatementKind::Assign) && s.target.is(NodeKind::Name) &&
           s.value.is_call_of("T.meta_var") && s.value.items.size() == 2;
}

// `xs = [1, 2]`, `xs = [k for k in range(4)]`
bool gives_list(const Statement& s) {
    return s.is(StatementKind::Assign) && s.target.is(NodeKind::Name) &&
           (s.value.is(NodeKind::List) || s.value.is(NodeKind::Tuple) ||
            s.value.is(NodeKind::Comprehension));
}

// Numbers, and lists of them.
bool is_of_numbers(const Node& n) {
    if (n.is(NodeKind::List) || n.is(NodeKind::Tuple)) {
        return std::all_of(n.items.begin(), n.items.end(), is_of_numbers);
    }
    const Node& number = n.is(NodeKind::Unary) && n.text == "-" ? n.items[0] : n;
    return number.is(NodeKind::Int) || number.is(NodeKind::Float) || n.is(NodeKind::Constant);
}

// How often the lines, and those inside of them, bind each name.
void count_bound(const std::vector<Statement>& lines, std::map<std::string, int>& out) {
    for (const Statement& s : lines) {
        std::set<std::string> bound;
        add_names(s.target, bound);
        if (s.is(StatementKind::Function)) bound = {s.text};
        for (const std::string& name : bound) ++out[name];
        for (const Parameter& p : s.parameters) ++out[p.name];
        count_bound(s.body, out);
        count_bound(s.otherwise, out);
    }
}

// Names that the lines bind as TVM sees them; T.meta_var binds for Python only.
void collect_locals(const std::vector<Statement>& lines, std::set<std::string>& out) {
    for (const Statement& s : lines) {
        if (!is_meta(s)) add_names(s.target, out);
        if (s.is(StatementKind::Function)) continue;
        collect_locals(s.body, out);
        collect_locals(s.otherwise, out);
    }
}

// Python computes something here, whatever the file gives.
bool computes(const Node& n) {
    if (n.is(NodeKind::Comprehension) || n.is(NodeKind::Starred)) return true;
    if (n.is_call_of("T.meta_var")) return true;
    return std::any_of(n.items.begin(), n.items.end(), [](const Node& i) { return computes(i); }) ||
           std::any_of(n.keywords.begin(), n.keywords.end(),
                       [](const Keyword& k) { return computes(k.value); });
}

bool computes(const std::vector<Statement>& lines) {
    return std::any_of(lines.begin(), lines.end(), [](const Statement& s) {
        return is_macro(s) || gives_list(s) || computes(s.target) || computes(s.value) ||
               computes(s.body) || computes(s.otherwise);
    });
}

}  // namespace

bool is_macro(const Statement& definition) {
    if (!definition.is(StatementKind::Function)) return false;
    return std::any_of(
        definition.decorators.begin(), definition.decorators.end(), [](const Node& d) {
            const std::string name = d.is(NodeKind::Call) ? d.items[0].dotted() : d.dotted();
            return name == "T.macro" || name == "T.inline";
        });
}

Expansion::Expansion(const Module& file) : file_(file) {
    collect(file.body);
}

void Expansion::wrong(const Node& node, std::string message, std::string hint) const {
    fail(file_.at(node, std::move(message), std::move(hint)));
}

// T.meta_var(x), range(n): of Python, without the binder's checks.
void Expansion::takes_no_keywords(const Node& call) const {
    if (call.keywords.empty()) return;
    const Keyword& k = call.keywords[0];
    fail(file_.at(k.at, "`" + call.items[0].dotted() + "` has no argument `" + k.name + "` here"));
}

void Expansion::collect(const std::vector<Statement>& lines) {
    for (const Statement& s : lines) {
        if (s.is(StatementKind::Class)) collect(s.body);
        if (is_macro(s)) top_.macros[s.text] = Macro{&s, true};
        // A name that gets several values has, in each function, the one of its place: not known
        // here.
        std::set<std::string> given;
        const bool value = !s.is(StatementKind::AnnotatedAssign) || s.value;  // not `n: int`
        if (!s.is(StatementKind::Function) && value) add_names(s.target, given);
        for (const std::string& name : given) {
            if (of_file_.insert(name).second) continue;
            top_.values.erase(name);
            several_.insert(name);
        }
        if (s.is(StatementKind::Function)) of_file_.insert(s.text);
        if (s.is(StatementKind::Import)) {
            for (const std::string& name : imported_names(s)) of_file_.insert(name);
        }
        const bool gives = s.is(StatementKind::Assign) || s.is(StatementKind::AnnotatedAssign);
        if (gives && s.value) constant(s);
    }
}

// N = 16, SHAPE = (4, N * 2): of literals and of constants before it.
void Expansion::constant(const Statement& s) {
    const Node computed = value(s.value, top_.values);
    std::set<std::string> open;
    collect_names(computed, open);
    open.erase("T");
    if (s.target.is(NodeKind::Name) && open.empty()) {
        if (several_.count(s.target.text) == 0) top_.values[s.target.text] = known(computed);
    } else if (s.target.is(NodeKind::Tuple) && is_list(computed) && open.empty() &&
               computed.items.size() == s.target.items.size()) {
        for (std::size_t i = 0; i < computed.items.size(); ++i) {
            const Node& name = s.target.items[i];
            const bool one = name.is(NodeKind::Name) && several_.count(name.text) == 0;
            if (one) top_.values[name.text] = known(computed.items[i]);
        }
    }
}

Statement Expansion::expand(const Statement& function) {
    Statement out = written_out(function);
    compute_numbers(out, *file_.source, of_file_);
    return out;
}

Statement Expansion::written_out(const Statement& function) {
    statements_ = 0;
    depth_ = 0;
    used_.clear();
    if (top_.values.empty() && top_.macros.empty() && !computes({function})) return function;
    collect_names({function}, used_);
    bound_.clear();
    count_bound({function}, bound_);
    // What the function mentions, and no more: a file may have many constants and functions.
    Place place{{}, top_.macros};
    std::set<std::string> mentioned = used_;
    for (const Parameter& p : function.parameters) {
        collect_names(p.annotation, mentioned);
        add_quoted_names(p.annotation, mentioned);
    }
    for (const std::string& name : mentioned) {
        const auto found = top_.values.find(name);
        if (found != top_.values.end()) place.values.insert(*found);
    }
    std::set<std::string> locals;
    for (const Parameter& p : function.parameters) locals.insert(p.name);
    collect_locals(function.body, locals);
    for (const std::string& name : locals) place.values.erase(name);
    Statement out = function;
    for (Parameter& p : out.parameters) {
        unquote(p.annotation, place.values);
        p.annotation = value(p.annotation, place.values);
    }
    out.body = list(function.body, place);
    return out;
}

// T.Buffer(("N * 2",), …), where N is a constant of the file. Other names in the string stay in
// one.
void Expansion::unquote(Node& annotation, const Values& values) const {
    for (Node* place : quoted_places(annotation)) {
        const auto inner = quoted_expression(*place);
        if (!inner) continue;
        std::vector<std::string> open = names_in(*inner);
        const auto known =
            std::erase_if(open, [&](const std::string& name) { return values.count(name) != 0; });
        std::erase(open, "T");
        if (known == 0) continue;
        Node computed = value(*inner, values);
        if (open.empty()) {
            *place = std::move(computed);
        } else {
            place->text = print(computed);
        }
    }
}

std::vector<Statement> Expansion::list(const std::vector<Statement>& lines, const Place& around) {
    // A list that binds nothing for Python knows what is known around it.
    const bool binds = std::any_of(lines.begin(), lines.end(), [](const Statement& s) {
        return is_macro(s) || is_meta(s) || gives_list(s);
    });
    std::optional<Place> own;
    if (binds) own = Place{copied(around.values, lines[0].at), around.macros};
    const Place& place = own ? *own : around;
    std::vector<Statement> out;
    for (const Statement& s : lines) {
        if (++statements_ > kMaxExpandedStatements) {
            fail(file_.at(s.at, "macros make more than " + std::to_string(kMaxExpandedStatements) +
                                    " statements of this function"));
        }
        if (is_macro(s)) {
            own->macros[s.text] = Macro{&s, false};
            continue;
        }
        if (is_meta(s)) {
            takes_no_keywords(s.value);
            own->values[s.target.text] = known(value(s.value.items[1], place.values));
            continue;
        }
        // A list of numbers that is given once means its items, wherever it is used. TVM's parser
        // binds each item to a name, too, which nothing uses.
        if (gives_list(s) && bound_[s.target.text] == 1) {
            Node items = value(s.value, place.values);
            if (is_of_numbers(items)) {
                own->values[s.target.text] = known(std::move(items));
                continue;
            }
        }
        const bool call_line = s.is(StatementKind::Expression) && s.value.is(NodeKind::Call);
        const std::string callee = call_line ? s.value.items[0].dotted() : std::string();
        const std::size_t dot = callee.rfind('.');  // cls.macro(…)
        const auto macro = place.macros.find(dot == std::string::npos || callee.rfind("T.", 0) == 0
                                                 ? callee
                                                 : callee.substr(dot + 1));
        if (macro == place.macros.end()) {
            out.push_back(line(s, place));
            continue;
        }
        for (Statement& made : call(s, macro->second, place)) out.push_back(std::move(made));
    }
    if (out.empty()) {
        Statement pass;
        pass.kind = StatementKind::Pass;
        if (!lines.empty()) pass.at = lines[0].at;
        out.push_back(std::move(pass));
    }
    return out;
}

Statement Expansion::line(const Statement& s, const Place& place) {
    // To Python it would end the macro; TVM writes it into the function.
    if (depth_ > 0 && s.is(StatementKind::Return)) {
        fail_opaque(file_.at(s.at, "`return` in a macro has no meaning here",
                             "put the lines that follow under `if`"));
    }
    Statement out;
    out.kind = s.kind;
    out.at = s.at;
    out.text = s.text;
    out.decorators = s.decorators;
    out.parameters = s.parameters;
    out.target = value(s.target, place.values);
    out.value = value(s.value, place.values);
    out.annotation = value(s.annotation, place.values);
    if (!s.body.empty()) out.body = list(s.body, place);
    if (!s.otherwise.empty()) out.otherwise = list(s.otherwise, place);
    return out;
}

std::vector<Statement> Expansion::call(const Statement& s, const Macro& macro, const Place& place) {
    const Statement& definition = *macro.definition;
    if (++depth_ > kMaxMacroDepth) {
        wrong(s.value, "macros are expanded more than " + std::to_string(kMaxMacroDepth) +
                           " levels deep: does `" + definition.text + "` call itself?");
    }
    ++making_;
    Place inner{copied(macro.of_file ? top_.values : place.values, s.at), place.macros};
    Values given = arguments(s.value, definition, place);
    std::set<std::string> locals;
    collect_locals(definition.body, locals);
    for (const std::string& name : locals) inner.values.erase(name);
    if (macro.of_file) {
        std::set<std::string> known = of_file_;
        known.insert(locals.begin(), locals.end());
        for (const auto& [name, unused] : given) known.insert(name);
        check_hygiene(definition, known);
    }
    rename_locals(definition, given, locals);
    for (auto& [name, node] : given) inner.values[name] = std::move(node);
    std::vector<Statement> out = list(definition.body, inner);
    --depth_;
    --making_;
    return out;
}

// The arguments of a call by the names of the macro's parameters.
Expansion::Values Expansion::arguments(const Node& call, const Statement& macro,
                                       const Place& place) const {
    Values out;
    const std::vector<Node> given = items(call.items, place.values);
    std::size_t next = 1;  // after the callee
    for (const Parameter& p : macro.parameters) {
        if (p.name == "self") continue;
        if (p.stars == "*") {
            Node rest;
            rest.kind = NodeKind::Tuple;
            rest.at = call.at;
            for (; next < given.size(); ++next) rest.items.push_back(given[next]);
            set_depth(rest);
            out[p.name] = known(std::move(rest));
            continue;
        }
        const auto named = std::find_if(call.keywords.begin(), call.keywords.end(),
                                        [&](const Keyword& k) { return k.name == p.name; });
        if (next < given.size()) {
            out[p.name] = known(given[next++]);
        } else if (named != call.keywords.end()) {
            out[p.name] = known(value(named->value, place.values));
        } else if (p.fallback) {
            out[p.name] = known(value(p.fallback, top_.values));
        } else {
            wrong(call, "macro `" + macro.text + "` needs an argument `" + p.name + "`");
        }
    }
    if (next < given.size()) {
        wrong(given[next], "macro `" + macro.text + "` has no such argument");
    }
    for (const Keyword& k : call.keywords) {
        if (out.count(k.name) == 0) {
            wrong(k.value, "macro `" + macro.text + "` has no argument `" + k.name + "`");
        }
    }
    return out;
}

// A name that the macro binds, and that the function has too, gets another one: neither means the
// other.
void Expansion::rename_locals(const Statement& macro, Values& values,
                              std::set<std::string>& locals) {
    for (const std::string& name : locals) {
        if (values.count(name) != 0) {
            fail(file_.at(macro.at,
                          "macro `" + macro.text + "` changes its parameter `" + name + "`"));
        }
        std::string fresh = name;
        for (int n = 1; used_.count(fresh) != 0; ++n) fresh = name + "_" + std::to_string(n);
        used_.insert(fresh);
        if (fresh == name) continue;
        Node node;
        node.kind = NodeKind::Name;
        node.at = macro.at;
        node.text = fresh;
        values[name] = known(std::move(node));
    }
}

// @T.macro sees the names of its own place; with hygienic=False those of its caller.
void Expansion::check_hygiene(const Statement& macro, const std::set<std::string>& known) const {
    for (const Node& d : macro.decorators) {
        for (const Keyword& k : d.keywords) {
            if (k.name == "hygienic" && k.value.text == "False") return;
        }
    }
    Module alone{file_.source, {macro}};
    check_names(alone, known);
}

}  // namespace proviso::ir::python
