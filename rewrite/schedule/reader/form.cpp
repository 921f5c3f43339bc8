#include "rewrite/schedule/reader/form.h"

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
    "write the calls alone, or in one def: def schedule(sch): … return sch";

// Something that is no number of Python: a name, a string, a call on an object.
bool has_name(const Node& n) {
    if (n.is(NodeKind::Name) || n.is(NodeKind::String) || n.is(NodeKind::Attribute)) return true;
    // abs(3) is a number; its name is none that matters.
    const bool call = n.is(NodeKind::Call) && !n.items.empty() && n.items[0].is(NodeKind::Name);
    for (std::size_t i = call ? 1 : 0; i < n.items.size(); ++i) {
        if (has_name(n.items[i])) return true;
    }
    return false;
}

class FormChecker {
  public:
    explicit FormChecker(const Module& module) : module_(module) {}

    void file() {
        const Statement* def = nullptr;
        for (const Statement& s : module_.body) {
            if (s.is(StatementKind::Function)) {
                if (def != nullptr) fail(s, "a second `def`", kOneForm);
                def = &s;
            }
        }
        for (const Statement& s : module_.body) {
            const bool text = s.is(StatementKind::Expression) && s.value.is(NodeKind::String);
            const bool nothing = text || s.is(StatementKind::Pass);
            if (def != nullptr && &s != def && !nothing && !s.is(StatementKind::Import)) {
                fail(s, "a call beside the `def`, which nothing calls", kOneForm);
            }
            if (s.is(StatementKind::Return)) fail(s, "`return` outside of a `def`", "remove it");
            statement(s);
        }
        if (def != nullptr) function(*def);
    }

  private:
    [[noreturn]] void fail(const Statement& s, const char* message, const char* hint) const {
        ir::fail(module_.at(s.at, message, hint));
    }

    void function(const Statement& def) {
        if (!def.decorators.empty()) {
            ir::fail(module_.at(def.decorators[0], "a schedule has no decorators", "remove it"));
        }
        const bool one = def.parameters.size() == 1 && def.parameters[0].stars.empty() &&
                         !def.parameters[0].fallback;
        if (!one) {
            fail(def, "the `def` of a schedule has one parameter, the schedule object",
                 "write: def schedule(sch):");
        }
        object_ = def.parameters[0].name;
        for (std::size_t i = 0; i < def.body.size(); ++i) {
            const Statement& s = def.body[i];
            if (s.is(StatementKind::Function)) fail(s, "a `def` within a `def`", kOneForm);
            if (s.is(StatementKind::Return)) {
                returned(s);
                if (i + 1 < def.body.size()) {
                    fail(def.body[i + 1], "after `return` nothing runs",
                         "move the `return` to the end, or remove it");
                }
            }
            statement(s);
        }
    }

    void returned(const Statement& s) const {
        const bool itself = s.value.is(NodeKind::Name) && s.value.text == object_;
        if (!s.value || itself) return;
        ir::fail(
            module_.at(s.value, "a schedule gives nothing but the schedule object",
                       "write a call as a line of its own, and at the end: return " + object_));
    }

    void statement(const Statement& s) const {
        if (s.is(StatementKind::Import)) {
            fail(s, "a schedule imports nothing",
                 "remove the line: the schedule object and T are known");
        }
        if (s.is(StatementKind::Assign)) {
            named(s.target);
            for (const Node& item : s.target.items) named(item);
        }
        expression(s.value);
    }

    void named(const Node& target) const {
        if (!target.is(NodeKind::Name) || target.text != object_) return;
        ir::fail(module_.at(target, "'" + object_ + "' is the schedule object",
                            "give the block or the loop another name"));
    }

    // Choices within an index map or a condition are about its variables.
    void expression(const Node& n) const {
        if (n.is(NodeKind::Lambda)) return;
        if (n.is(NodeKind::Conditional) && (has_name(n.items[0]) || has_name(n.items[2]))) {
            ir::fail(module_.at(n, "a schedule chooses nothing", "write the one that is meant"));
        }
        for (const Node& item : n.items) expression(item);
        for (const Keyword& k : n.keywords) expression(k.value);
    }

    const Module& module_;
    std::string object_ = "sch";
};

}  // namespace

void check_form(const Module& module) {
    FormChecker(module).file();
}

}  // namespace proviso::rewrite
