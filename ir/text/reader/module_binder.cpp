// Files: imports, functions, and a class of functions. And the entry points that read text.
#include <algorithm>
#include <map>
#include <set>

#include "ir/text.h"
#include "ir/text/reader/expressions/foreign.h"
#include "ir/text/reader/function_binder.h"
#include "ir/text/reader/graph/graph_function.h"
#include "ir/text/reader/graph/instances.h"
#include "ir/text/reader/python/expansion.h"
#include "ir/text/reader/python/scopes.h"
#include "ir/text/reader/python/tree_printer.h"
#include "ir/text/spelling.h"

namespace proviso::ir {

using python::Node;
using python::NodeKind;
using python::Statement;
using python::StatementKind;

namespace {

class ModuleBinder {
  public:
    ModuleBinder(Context& ctx, const python::Module& file)
        : ctx_(ctx), file_(file), expansion_(file) {}

    ProgramFile run() {
        for (const Statement& s : file_.body) line(s, true);
        if (definitions_.empty() && !in_class_) {
            wrong({1, 1}, "there is no function here", "functions are marked @T.prim_func");
        }
        check_values();
        for (const Statement* s : definitions_) read(*s);
        // In the order of the file, whoever calls whom.
        ProgramFile out;
        for (const Statement* s : definitions_) {
            const auto bound = bound_.find(s->text);
            if (bound != bound_.end()) {
                out.module.functions.push_back(bound->second);
            } else {
                out.opaque.push_back({s->text, opaque_.at(s->text)});
            }
        }
        if (out.opaque.empty()) {
            const bool one = out.module.functions.size() == 1;
            out.canonical = one ? print(out.module.functions[0]) : print(out.module);
        }
        // A graph stays one: its calls are written out where its meaning counts only.
        const auto is_graph = [](const Statement* s) { return graph_mark(*s) != nullptr; };
        if (!out.opaque.empty() ||
            std::any_of(definitions_.begin(), definitions_.end(), is_graph)) {
            python::check_names(file_);
            out.canonical = python::print(file_);
        }
        return out;
    }

  private:
    [[noreturn]] void wrong(python::Position at, std::string message, std::string hint = {}) const {
        fail(file_.at(at, std::move(message), std::move(hint)));
    }

    void line(const Statement& s, bool outside) {
        switch (s.kind) {
            case StatementKind::Import: return import_line(s);
            case StatementKind::Function: return function(s);
            // What Python computes before the functions are read.
            case StatementKind::Assign:
                if (is_type_variable(s)) around_.type_variables.emplace(s.target.text, s.at);
                [[fallthrough]];
            case StatementKind::AnnotatedAssign: return value(s);
            case StatementKind::Class:
                if (outside) return module_class(s);
                wrong(s.at, "a class cannot stand in a class");
            case StatementKind::Pass: return;
            case StatementKind::Expression:
                if (s.value.is(NodeKind::String)) return;  // documentation
                if (!outside && module_fact(s.value)) return;
                break;
            default: break;
        }
        wrong(s.at, "only functions can stand here", "functions are marked @T.prim_func");
    }

    // What it gives may be used in functions, and changes none that was read.
    void value(const Statement& s) {
        const bool names = s.target.is(NodeKind::Name) || s.target.is(NodeKind::Tuple) ||
                           s.target.is(NodeKind::List);
        if (!names) {
            wrong(s.at, "this stores into something, and only names are given values here",
                  "remove the line, and what it would do");
        }
        std::set<std::string> given;
        python::add_names(s.target, given);
        for (const std::string& name : given) {
            const bool known = by_name_.count(name) != 0 || macros_.count(name) != 0 ||
                               (in_class_ && name == around_.module);
            if (!known) continue;
            wrong(s.at, "this changes what `" + name + "` is after it was read",
                  "remove the line, or give its value another name");
        }
        around_.names.insert(given.begin(), given.end());
        values_.push_back(s);
    }

    void check_values() {
        if (around_.names.count("*") != 0) return;  // from a_module import *
        std::set<std::string> known = {"__file__", "__name__",  "bytes", "callable", "chr",
                                       "complex",  "frozenset", "hash",  "id",       "iter",
                                       "next",     "object",    "open",  "ord",      "repr"};
        known.insert(around_.names.begin(), around_.names.end());
        for (const auto& [name, unused] : by_name_) known.insert(name);
        python::check_names({file_.source, values_}, known);
    }

    // n = TypeVar("n"): a size that shapes of parameters may have.
    static bool is_type_variable(const Statement& s) {
        const Node& call = s.value;
        return (call.is_call_of("TypeVar") || call.is_call_of("typing.TypeVar")) &&
               s.target.is(NodeKind::Name) && call.keywords.empty() && call.items.size() == 2 &&
               call.items[1].is(NodeKind::String) && call.items[1].text == s.target.text;
    }

    // What TVM keeps with a module beside its functions: attributes, and devices for functions of
    // graphs. No function of this reader's modules can look at them, so they mean nothing here, and
    // are dropped like the name of the class; what stands in them is checked all the same.
    bool module_fact(const Node& call) const {
        if (!call.is(NodeKind::Call)) return false;
        const std::string name = call.items[0].dotted();
        if (name != "I.module_attrs" && name != "I.module_global_infos") {
            if (name.rfind("I.", 0) != 0) return false;
            if (is_foreign_name(name)) return true;
            wrong(call.at, "`" + name + "` is not supported",
                  suggest(name, {"I.module_attrs", "I.module_global_infos"}));
        }
        check_arguments(*file_.source, call, 1, 1, {});
        const Node& facts = call.items[1];
        if (!facts.is(NodeKind::Dict)) wrong(facts.at, "a dictionary is expected here");
        for (std::size_t i = 0; i < facts.items.size(); i += 2) {
            if (!facts.items[i].is(NodeKind::String)) wrong(facts.items[i].at, "a key is a string");
        }
        return true;
    }

    // Imports say what `T` and `I` are; this reader knows them by these names only.
    void import_line(const Statement& s) {
        for (const auto& [module, name] :
             {std::pair{" tir as ", "T"}, std::pair{" tirx as ", "T"}, std::pair{" s_tir as ", "T"},
              std::pair{" ir as ", "I"}}) {
            const std::size_t at = s.text.find(module);
            if (at == std::string::npos) continue;
            std::string alias = s.text.substr(at + std::string(module).size());
            alias = alias.substr(0, alias.find_first_of(" ,"));
            if (alias != name && alias != "Tx") {
                wrong(s.at, "`" + alias + "` is not understood as a module",
                      std::string("import it as `") + name + "`");
            }
        }
        for (const std::string& name : python::imported_names(s)) {
            if (name != "T" && name != "I") around_.names.insert(name);
        }
    }

    void module_class(const Statement& s) {
        if (in_class_) wrong(s.at, "a file holds one module");
        in_class_ = true;
        around_.module = s.text;
        around_.names.insert({s.text, "cls"});
        if (s.value) {
            for (const Node& base : s.value.items) {
                if (!is_foreign_name(base.dotted())) wrong(base.at, "a module has no bases");
            }
        }
        // Without a mark it is the module when there is no other class.
        const auto classes =
            std::count_if(file_.body.begin(), file_.body.end(),
                          [](const Statement& other) { return other.is(StatementKind::Class); });
        if (s.decorators.size() > 1) wrong(s.decorators[1].at, "one decorator is expected");
        if (!s.decorators.empty()) {
            class_decorator(s.decorators[0]);
        } else if (classes != 1) {
            wrong(s.at, "class `" + s.text + "` is not marked as a module",
                  "write @I.ir_module above it");
        }
        for (const Statement& inner : s.body) line(inner, false);
    }

    void class_decorator(const Node& d) const {
        static const std::vector<std::string> known = {"I.ir_module", "ir_module",
                                                       "tvm.script.ir_module"};
        const std::string name = decorator_name(d);
        if (std::find(known.begin(), known.end(), name) == known.end()) {
            wrong(d.at, "decorator `" + name + "` of a class is not supported",
                  suggest(name, known, "modules are marked @I.ir_module"));
        }
        check_decorator(*file_.source, d, {"check_well_formed", "s_tir"});
    }

    void function(const Statement& s) {
        if (by_name_.count(s.text) != 0) {
            wrong(s.at, "function `" + s.text + "` is defined twice");
        }
        if (python::is_macro(s)) {  // a name for lines of functions
            around_.names.insert(s.text);
            macros_.insert(s.text);
            return;
        }
        definitions_.push_back(&s);
        by_name_.emplace(s.text, &s);
        around_.function_names.push_back(s.text);
    }

    static std::string decorator_name(const Node& d) {
        return d.is(NodeKind::Call) ? d.items[0].dotted() : d.dotted();
    }

    // Keeps why a function has no meaning; a mistake ends the reading.
    void read(const Statement& s) {
        if (bound_.count(s.text) + opaque_.count(s.text) != 0) return;
        try {
            bind(s);
        } catch (Failure& failure) {
            if (!failure.opaque) throw;
            open_.clear();
            opaque_.emplace(s.text, std::move(failure.diagnostic));
        }
    }

    // A function that is called is read before its caller.
    const Function* bind(const Statement& s) {
        const auto found = bound_.find(s.text);
        if (found != bound_.end()) return &found->second;
        const auto opaque = opaque_.find(s.text);
        if (opaque != opaque_.end()) fail_opaque(opaque->second);
        if (!open_.insert(s.text).second) {
            wrong(s.at, "function `" + s.text + "` calls itself", "recursion is not supported");
        }
        const bool graph = graph_mark(s) != nullptr;
        const Statement expanded =
            expansion_.expand(graph ? function_of_graph(*file_.source, s) : s);
        Callee& mine = callees_[s.text];
        mine.has_result = python::has_result(expanded);
        const auto callee = [&](const std::string& name) -> ModuleFunction {
            const auto other = by_name_.find(name);
            if (other == by_name_.end()) return {};
            const Function* bound = bind(*other->second);
            const Callee& its = callees_[name];
            mine.calls = std::max(mine.calls, its.calls + 1);
            return {bound, other->second->parameters.size(), its.has_result, its.calls};
        };
        Function f = bind_function(ctx_, *file_.source, expanded, around_, callee);
        if (graph) f = with_instances(ctx_, std::move(f));
        open_.erase(s.text);
        return &bound_.emplace(s.text, std::move(f)).first->second;
    }

    struct Callee {
        bool has_result = false;
        int calls = 0;  // inside each other
    };

    Context& ctx_;
    const python::Module& file_;
    std::map<std::string, Callee> callees_;
    python::Expansion expansion_;
    std::vector<const Statement*> definitions_;
    std::map<std::string, const Statement*> by_name_;
    std::map<std::string, Function> bound_;
    std::map<std::string, Diagnostic> opaque_;
    std::set<std::string> macros_;
    std::vector<Statement> values_;  // that names are given
    std::set<std::string> open_;     // being read
    bool in_class_ = false;
    Surroundings around_;
};

}  // namespace

ProgramFile bind_file(Context& ctx, const python::Module& file) {
    return ModuleBinder(ctx, file).run();
}

Result<ProgramFile> parse_program(Context& ctx, std::string_view text, const std::string& file) {
    const auto parsed = python::parse_python(text, file);
    if (!parsed) return parsed.error();
    return guarded([&] { return bind_file(ctx, *parsed); });
}

Diagnostic refusal(const OpaqueFunction& f) {
    Diagnostic out = f.reason;
    out.notes.push_back("`" + f.name +
                        "` is well formed: `proviso fmt` prints it, and nothing else "
                        "can be done with it");
    return out;
}

Result<Module> parse_module(Context& ctx, std::string_view text, const std::string& file) {
    Result<ProgramFile> read = parse_program(ctx, text, file);
    if (!read) return read.error();
    if (!read->opaque.empty()) return refusal(read->opaque[0]);
    return std::move(read->module);
}

Result<Function> parse_function(Context& ctx, std::string_view text, const std::string& file) {
    Result<Module> module = parse_module(ctx, text, file);
    if (!module) return module.error();
    if (module->functions.size() != 1) {
        const std::vector<std::string> graphs = graph_functions(text);
        if (graphs.size() == 1) return *module->find(graphs[0]);
        return python::Source(std::string(text), file)
            .at({1, 1},
                "one function is expected, not " + std::to_string(module->functions.size()));
    }
    return std::move(module->functions[0]);
}

Result<Stmt> parse_stmt(Context& ctx, std::string_view text, const Scope& scope,
                        const std::string& file) {
    const auto parsed = python::parse_python(text, file);
    if (!parsed) return parsed.error();
    return guarded([&]() -> Stmt {
        Names names;
        bind_scope(names, scope);
        ExprBinder exprs(ctx, *parsed->source, names, false);
        StmtBinder stmts(exprs, nullptr);
        Stmt out = stmts.bind_body(parsed->body);
        stmts.finish_declared(out);
        return out;
    });
}

}  // namespace proviso::ir
