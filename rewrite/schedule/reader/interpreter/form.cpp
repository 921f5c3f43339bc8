#include "rewrite/schedule/reader/interpreter/form.h"

#include <algorithm>
#include <set>
#include <string>

#include "ir/text/reader/python/failure.h"

namespace proviso::rewrite {

using ir::python::Keyword;
using ir::python::Module;
using ir::python::Node;
using ir::python::NodeKind;
using ir::python::Statement;
using ir::python::StatementKind;

namespace {

constexpr const char* kOneForm =
    "write the calls alone, or in one def that no other calls: def schedule(sch): … return sch";

// Names that the text uses, other than in the `def`s themselves.
void names_in(const Node& n, std::set<std::string>& out) {
    if (n.is(NodeKind::Name)) out.insert(n.text);
    for (const Node& item : n.items) names_in(item, out);
    for (const Keyword& k : n.keywords) names_in(k.value, out);
}

void names_in(const std::vector<Statement>& statements, std::set<std::string>& out) {
    for (const Statement& s : statements) {
        names_in(s.target, out);
        names_in(s.value, out);
        names_in(s.body, out);
        names_in(s.otherwise, out);
    }
}

bool has_call(const Node& n) {
    if (n.is(NodeKind::Call)) return true;
    return std::any_of(n.items.begin(), n.items.end(), has_call) ||
           std::any_of(n.keywords.begin(), n.keywords.end(),
                       [](const Keyword& k) { return has_call(k.value); });
}

bool has_call(const std::vector<Statement>& statements) {
    return std::any_of(statements.begin(), statements.end(), [](const Statement& s) {
        return has_call(s.value) || has_call(s.body) || has_call(s.otherwise);
    });
}

class FormChecker {
  public:
    explicit FormChecker(const Module& module) : module_(module) {}

    const Statement* file() {
        std::vector<Statement> calls;
        std::set<std::string> used;
        names_in(module_.body, used);
        for (const Statement& s : module_.body) {
            if (s.is(StatementKind::Function)) {
                if (!s.decorators.empty()) {
                    ir::fail(
                        module_.at(s.decorators[0], "a schedule has no decorators", "remove it"));
                }
            } else {
                calls.push_back(s);
            }
        }
        const Statement* entry = has_call(calls) ? nullptr : uncalled(used);
        for (const Statement& s : module_.body) {
            if (s.is(StatementKind::Function)) {
                if (&s != entry && used.count(s.text) == 0 && !is_imported(s)) {
                    fail(s, "nothing calls `" + s.text + "`", kOneForm);
                }
                function(s, &s == entry);
                continue;
            }
            if (s.is(StatementKind::Return)) fail(s, "`return` outside of a `def`", "remove it");
            statement(s, "sch");
        }
        return entry;
    }

  private:
    [[noreturn]] void fail(const Statement& s, const std::string& message,
                           const std::string& hint) const {
        ir::fail(module_.at(s.at, message, hint));
    }

    // The first one, or the one called `schedule`.
    const Statement* uncalled(const std::set<std::string>& used) const {
        const Statement* out = nullptr;
        for (const Statement& s : module_.body) {
            if (!s.is(StatementKind::Function) || used.count(s.text) != 0) continue;
            if (is_imported(s)) continue;
            if (out == nullptr || s.text == "schedule") out = &s;
        }
        return out;
    }

    // Its name has that of a file before it (imports.h).
    static bool is_imported(const Statement& def) {
        return def.text.find('.') != std::string::npos;
    }

    void function(const Statement& def, bool entry) {
        if (entry) {
            const bool one = def.parameters.size() == 1 && def.parameters[0].stars.empty() &&
                             !def.parameters[0].fallback;
            if (!one) {
                fail(def, "the `def` of a schedule has one parameter, the schedule object",
                     "write: def schedule(sch):");
            }
        }
        for (const ir::python::Parameter& p : def.parameters) {
            if (p.stars == "**") {
                ir::fail(module_.at(p.at, "`**` parameters are not supported",
                                    "name each parameter, with a default"));
            }
        }
        const std::string object = entry ? def.parameters[0].name : "";
        block(def.body, object, entry);
    }

    void block(const std::vector<Statement>& body, const std::string& object, bool entry) const {
        for (std::size_t i = 0; i < body.size(); ++i) {
            const Statement& s = body[i];
            if (s.is(StatementKind::Function)) fail(s, "a `def` within a `def`", kOneForm);
            if (s.is(StatementKind::Return)) {
                if (entry) returned(s, object);
                if (i + 1 < body.size()) {
                    fail(body[i + 1], "after `return` nothing runs",
                         "move the `return` to the end, or remove it");
                }
            }
            statement(s, object);
            block(s.body, object, entry);
            block(s.otherwise, object, entry);
        }
    }

    void returned(const Statement& s, const std::string& object) const {
        const bool itself = s.value.is(NodeKind::Name) && s.value.text == object;
        if (!s.value || itself) return;
        ir::fail(module_.at(s.value, "a schedule gives nothing but the schedule object",
                            "write a call as a line of its own, and at the end: return " + object));
    }

    void statement(const Statement& s, const std::string& object) const {
        if (s.is(StatementKind::Import)) {
            fail(s, "an import stands outside of functions, loops and choices",
                 "move it to the beginning of the file");
        }
        const bool comment = s.value.is(NodeKind::String);
        if (s.is(StatementKind::Expression) && !comment && !has_call(s.value)) {
            fail(s, "nothing uses this value", "remove it, or give it a name");
        }
        const bool binds =
            s.is(StatementKind::Assign) || s.is(StatementKind::For) || s.is(StatementKind::With);
        if (binds) {
            named(s.target, object);
            for (const Node& item : s.target.items) named(item, object);
        }
    }

    void named(const Node& target, const std::string& object) const {
        if (!target.is(NodeKind::Name) || target.text != object) return;
        ir::fail(module_.at(target, "'" + object + "' is the schedule object",
                            "give the block or the loop another name"));
    }

    const Module& module_;
};

}  // namespace

const Statement* check_form(const Module& module) {
    return FormChecker(module).file();
}

}  // namespace proviso::rewrite
