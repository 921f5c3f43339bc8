#include "ir/text/reader/function_binder.h"

#include <algorithm>
#include <limits>

#include "ir/children.h"
#include "ir/text.h"
#include "ir/text/reader/expressions/foreign.h"
#include "ir/text/reader/python/quoted.h"
#include "ir/text/reader/python/scopes.h"
#include "ir/text/reader/strides.h"
#include "ir/text/spelling.h"
#include "ir/well_formed.h"

namespace proviso::ir {

using python::Node;
using python::NodeKind;
using python::Statement;
using python::StatementKind;

namespace {

class FunctionBinder {
  public:
    FunctionBinder(Context& ctx, const python::Source& source, const Statement& definition,
                   const Surroundings& around, const ModuleFunctions& functions)
        : source_(source),
          s_(definition),
          type_variables_(around.type_variables),
          exprs_(ctx, source, names_, false),
          stmts_(exprs_, &head_),
          ctx_(ctx) {
        names_.set_of_file(&around.names);
        head_.functions = functions;
        head_.module = around.module;
        exprs_.set_functions(around.module, &around.function_names);
    }

    Function run() {
        Function f;
        f.name = s_.text;
        decorators();
        result();
        parameters();
        if (head_.has_result) head_.result_name = names_.unique("result");
        f.body = stmts_.bind_function_body(s_.body);
        stmts_.finish_declared(f.body);
        finish_handles();
        finish_sizes();
        if (head_.result != nullptr) head_.params.emplace_back(head_.result);
        f.params = head_.params;
        f.attrs = head_.attrs;
        named_buffers(f);
        if (!head_.strided.empty() &&
            !f.attrs.emplace(kStridesAttr, AttrValue{head_.strided}).second) {
            exprs_.wrong(s_.at,
                         std::string("the attribute \"") + kStridesAttr +
                             "\" is what the reader says of strides",
                         "leave it out");
        }
        // What has no place of its own in the checks above.
        const std::vector<Diagnostic> faults = well_formed(f);
        if (!faults.empty()) {
            misspelt_licence(f, faults[0]);
            exprs_.wrong(s_.at, "function `" + f.name + "`: " + faults[0].message, faults[0].hint);
        }
        return f;
    }

  private:
    void decorators() {
        if (s_.decorators.empty()) {
            exprs_.wrong(s_.at, "function `" + s_.text + "` has no decorator",
                         "write @T.prim_func above it");
        }
        if (s_.decorators.size() > 1) {
            exprs_.wrong(s_.decorators[1], "one decorator is expected");
        }
        const Node& d = s_.decorators[0];
        const std::string name = d.is(NodeKind::Call) ? d.items[0].dotted() : d.dotted();
        static const std::vector<std::string> known = {"T.prim_func", "prim_func",
                                                       "tvm.script.tir.prim_func"};
        if (std::find(known.begin(), known.end(), name) == known.end()) {
            exprs_.wrong(d, "decorator `" + name + "` is not supported",
                         "functions are marked @T.prim_func");
        }
        check_decorator(source_, d, {"private", "check_well_formed", "s_tir", "persistent"});
    }

    // A function with a result has a parameter more, of one cell, which gets it.
    void result() {
        head_.has_result = python::has_result(s_);
        if (!head_.has_result) return;
        if (s_.annotation) {
            const std::string name = s_.annotation.dotted();
            if (name.rfind("T.", 0) == 0) head_.result_type = ScalarType::parse(name.substr(2));
            if (!head_.result_type && !is_foreign_name(name) && name.rfind("T.", 0) == 0) {
                std::vector<std::string> known;
                for (const ScalarType& t : all_scalar_types()) known.push_back("T." + t.str());
                const std::string near = nearest_name(name, known);
                if (!near.empty() && name != "T.handle") {
                    exprs_.wrong(s_.annotation, "this is not a type of a result",
                                 "did you mean `" + near + "`?");
                }
            }
            if (!head_.result_type) {
                exprs_.no_meaning(s_.annotation, "a result of this type has no meaning here",
                                  "a result is a scalar: `-> T.int32`");
            }
        }
        // What TVM's code returns there depends on its back end.
        if (python::leaving(s_.body).completes) {
            exprs_.no_meaning(
                s_.at,
                "function `" + s_.text + "` has a result, and may come to its end without one",
                "end it with a `return`; a loop or a block may run not at all");
        }
    }

    // What well_formed says of licences, at the one that it means.
    void misspelt_licence(const Function& f, const Diagnostic& fault) const {
        const auto at = head_.attr_values.find(kLicencesAttr);
        if (at == head_.attr_values.end()) return;
        std::vector<std::string> known = {"no_signed_zero", "reassociate"};
        for (const Param& p : f.params) {
            const Buffer* b = std::get_if<Buffer>(&p);
            const bool real =
                b != nullptr ? (*b)->type.is_float() : std::get<Expr>(p)->type.is_float();
            const std::string& name = b != nullptr ? (*b)->name : *std::get<Expr>(p)->name;
            if (real) known.push_back("finite(" + name + ")");
        }
        for (const Node& item : at->second->items) {
            if (fault.message.rfind("licence \"" + item.text + "\" is not known", 0) != 0) continue;
            exprs_.wrong(item, fault.message, suggest(item.text, known));
        }
    }

    // "proviso.indet" names buffers.
    void named_buffers(const Function& f) const {
        const auto at = head_.attr_values.find("proviso.indet");
        if (at == head_.attr_values.end()) return;
        const bool list = at->second->is(NodeKind::List) || at->second->is(NodeKind::Tuple);
        if (!list) exprs_.wrong(*at->second, "\"proviso.indet\" is a list of names");
        std::vector<std::string> buffers;
        for (Buffer b : f.buffer_params()) buffers.push_back(b->name);
        for (const Node& item : at->second->items) {
            if (item.is(NodeKind::String) && f.find_buffer_param(item.text) != nullptr) continue;
            exprs_.wrong(item,
                         "\"proviso.indet\" lists parameters that are buffers" +
                             (item.is(NodeKind::String) ? ", and `" + item.text + "` is none" : ""),
                         suggest(item.text, buffers));
        }
    }

    // Scalars before buffers, whose shapes may use them.
    void parameters() {
        head_.params.resize(s_.parameters.size(), Param(Buffer{nullptr}));
        std::set<std::string> seen;
        for (std::size_t i = 0; i < s_.parameters.size(); ++i) {
            const python::Parameter& p = s_.parameters[i];
            seen.insert(p.name);
            if (!p.stars.empty())
                exprs_.wrong(p.at, "a T.prim_func has a fixed list of parameters");
            check_default(p.fallback);
            if (!p.annotation) {
                exprs_.wrong(p.at, "parameter `" + p.name + "` has no type",
                             "write `" + p.name + ": T.int32` or `" + p.name +
                                 ": T.Buffer((16,), \"float32\")`");
            }
            scalar_or_handle(p, i);
        }
        type_parameters(seen);
        for (std::size_t i = 0; i < s_.parameters.size(); ++i) {
            const python::Parameter& p = s_.parameters[i];
            if (!is_buffer(p.annotation)) continue;
            const Node annotation = unquoted(p.annotation, seen);
            const BufferDeclaration d = declaration(annotation);
            head_.params[i] = stmts_.bind_parameter_memory(p.name, d);
        }
    }

    // TVM drops default values: its functions are called with all arguments, and so are these.
    // Python computes them all the same, where the function stands.
    void check_default(const Node& value) const {
        for (const std::string& name : python::names_in(value)) {
            if (names_.is_of_file(name) || python::is_built_in(name)) continue;
            exprs_.wrong(value, "`" + name + "` is not defined",
                         "a default value is computed where the function stands");
        }
    }

    // A size that the shape of a parameter defines.
    void define_size(const std::string& name, ScalarType type, python::Position at) {
        Expr var = ctx_.var(names_.unique(name), type);
        names_.bind(name, NameEntry{var, nullptr});
        head_.sizes.push_back({var, at});
        head_.defined[name] = var;
    }

    // def f[n](…), and n = TypeVar("n") outside of functions where an annotation has the name:
    // int64. A parameter of the name is meant instead of the latter.
    void type_parameters(const std::set<std::string>& parameters) {
        for (const Node& type : s_.target.items) {
            const bool is_int = type.items.empty() || type.items[0].dotted() == "int";
            if (!is_int) {
                exprs_.wrong(type.items[0], "a type parameter is a size, of int",
                             "write `" + type.text + "` alone");
            }
            if (parameters.count(type.text) != 0 || head_.defined.count(type.text) != 0) {
                exprs_.wrong(type, "parameter `" + type.text + "` is given twice");
            }
            define_size(type.text, kInt64, type.at);
        }
        std::set<std::string> named;
        for (const python::Parameter& p : s_.parameters) {
            for (const std::string& name : python::names_in(p.annotation)) named.insert(name);
            python::add_quoted_names(p.annotation, named);
        }
        for (const auto& [name, at] : type_variables_) {
            const bool meant = named.count(name) != 0 && parameters.count(name) == 0;
            if (meant && head_.defined.count(name) == 0) define_size(name, kInt64, at);
        }
    }

    // The annotation with expressions for strings in its shape and its strides. As in TVM, these
    // define each name that nothing binds: an int32. Scalar parameters are bound by now.
    Node unquoted(const Node& annotation, const std::set<std::string>& parameters) {
        Node out = annotation;
        for (Node* place : python::quoted_places(out)) unquote(*place, parameters);
        return out;
    }

    void unquote(Node& extent, const std::set<std::string>& parameters) {
        if (!extent.is(NodeKind::String)) return;
        const auto inner = python::quoted_expression(extent);
        if (!inner) {
            exprs_.wrong(extent, "\"" + extent.text + "\" is no expression",
                         "a string in a shape is a name or an expression: (\"n\", \"n * 2\")");
        }
        for (const std::string& name : python::names_in(*inner)) {
            if (name == "T" || names_.find(name) != nullptr || names_.is_of_file(name)) continue;
            if (parameters.count(name) != 0) {
                exprs_.wrong(extent, "`" + name + "` is a buffer, not a size");
            }
            define_size(name, kInt32, extent.at);
        }
        extent = *inner;
    }

    static bool is_buffer(const Node& annotation) {
        const bool applied = annotation.is(NodeKind::Call) || annotation.is(NodeKind::Subscript);
        return applied && annotation.items[0].dotted() == "T.Buffer";
    }

    void scalar_or_handle(const python::Parameter& p, std::size_t place) {
        const Node& type = p.annotation;
        if (is_buffer(type)) return;
        // A handle may say what it points to; the buffer over it says it again.
        const bool handle = type.is_call_of("T.handle") && type.items.size() <= 3;
        const bool call =
            type.is(NodeKind::Call) && type.keywords.empty() && (handle || type.items.size() == 1);
        const Node& named = call ? type.items[0] : type;
        const std::string name = named.dotted();
        if (name == "T.handle") {
            if (call && type.items.size() > 1) {
                head_.pointed_to[p.name] = exprs_.bind_type(type.items[1]);
            }
            head_.handles[p.name] = place;
            names_.bind(p.name, NameEntry{});
            return;
        }
        if (name == "T.Buffer") {
            exprs_.wrong(type, "a buffer needs a shape", "T.Buffer((16,), \"float32\")");
        }
        const std::string member = name.rfind("T.", 0) == 0 ? name.substr(2) : "";
        const std::string applied = type.is(NodeKind::Call) ? type.items[0].dotted() : name;
        if (is_foreign_name(applied) || (type.is(NodeKind::String) && is_foreign_type(type.text))) {
            exprs_.no_meaning(type, "parameters of this type have no meaning here");
        }
        const auto scalar = ScalarType::parse(member);
        if (!scalar) {
            std::vector<std::string> known = {"T.Buffer", "T.handle"};
            for (const ScalarType& t : all_scalar_types()) known.push_back("T." + t.str());
            exprs_.wrong(
                type, "this is not a type of a parameter",
                suggest(name, known, "types are T.int32, T.float32, T.Buffer(…), T.handle"));
        }
        Expr var = ctx_.var(names_.unique(p.name), *scalar);
        names_.bind(p.name, NameEntry{var, nullptr});
        head_.params[place] = var;
    }

    // T.Buffer((14,), "int32"), T.Buffer(14, "int32"), T.Buffer[(14,), "int32"], T.Buffer[14, 16]
    BufferDeclaration declaration(const Node& annotation) {
        if (annotation.is(NodeKind::Call)) return stmts_.bind_declaration(annotation, 0);
        Node call = annotation;
        call.kind = NodeKind::Call;
        if (!call.items.back().is(NodeKind::String)) {  // a shape that lost its parentheses
            Node shape;
            shape.kind = NodeKind::Tuple;
            shape.at = annotation.at;
            shape.items.assign(call.items.begin() + 1, call.items.end());
            call.items.resize(1);
            call.items.push_back(std::move(shape));
        }
        return stmts_.bind_declaration(call, 0);
    }

    void finish_handles() {
        for (std::size_t i = 0; i < head_.params.size(); ++i) {
            const Buffer* b = std::get_if<Buffer>(&head_.params[i]);
            if (b == nullptr || *b != nullptr) continue;
            const python::Parameter& p = s_.parameters[i];
            exprs_.no_meaning(p.at, "handle `" + p.name + "` is not matched to a buffer",
                              "X = T.match_buffer(" + p.name + ", shape, dtype)");
        }
    }

    // TVM binds a size variable by the shape of the buffer that is passed; here the caller passes
    // it too, after the other parameters.
    void finish_sizes() {
        std::vector<Expr> used;
        for (const Param& p : head_.params) {
            const Buffer* b = std::get_if<Buffer>(&p);
            if (b == nullptr) continue;
            for (Expr e : (*b)->shape) {
                for (Expr v : free_vars(e)) used.push_back(v);
            }
        }
        for (Expr e : head_.strides) {
            for (Expr v : free_vars(e)) used.push_back(v);
        }
        for (const FunctionHead::SizeVariable& size : head_.sizes) {
            if (std::find(used.begin(), used.end(), size.var) == used.end()) {
                exprs_.wrong(size.at, "size variable `" + *size.var->name +
                                          "` is in no shape of a parameter");
            }
            head_.params.emplace_back(size.var);
        }
    }

    const python::Source& source_;
    const Statement& s_;
    const std::map<std::string, python::Position>& type_variables_;
    Names names_;
    FunctionHead head_;
    ExprBinder exprs_;
    StmtBinder stmts_;
    Context& ctx_;
};

}  // namespace

void check_decorator(const python::Source& source, const Node& decorator,
                     const std::vector<std::string>& keywords) {
    if (!decorator.is(NodeKind::Call)) return;
    const std::string name = decorator.items[0].dotted();
    if (decorator.items.size() > 1) {
        fail(source.at(decorator.items[1].at, "`" + name + "` takes keywords only"));
    }
    check_arguments(source, decorator, 0, keywords.size(), keywords);
    for (const python::Keyword& k : decorator.keywords) {
        const bool truth = k.value.is(NodeKind::Constant) && k.value.text != "None";
        if (!truth) fail(source.at(k.value.at, "True or False is expected"));
        // It changes how a kernel is launched, and what of it runs.
        if (k.name == "persistent" && k.value.text == "True") {
            fail_opaque(source.at(k.value.at, "persistent kernels have no meaning here"));
        }
    }
}

bool StmtBinder::is_head_line(const Statement& s) const {
    if (head_ == nullptr || !top_) return false;
    if (s.is(StatementKind::Expression)) return s.value.is_call_of("T.func_attr");
    if (!s.is(StatementKind::Assign) || !s.target.is(NodeKind::Name)) return false;
    if (names_module(s.value)) return true;
    return s.value.is_call_of("T.match_buffer") && !is_view(s.value);
}

// `cls = Module`, which TVM prints before calls `cls.f(A)`: only the name of the function counts.
bool StmtBinder::names_module(const Node& value) const {
    return value.is(NodeKind::Name) && !head_->module.empty() && value.text == head_->module &&
           names_.find(value.text) == nullptr;
}

void StmtBinder::bind_head_line(const Statement& s) {
    const Node& call = s.value;
    if (names_module(call)) {
        head_->aliases.insert(s.target.text);
        return;
    }
    if (call.is_call_of("T.match_buffer")) return bind_match(s.target, call);
    check_arguments(exprs_.source(), call, 1, 1, {});
    const Node& dict = call.items[1];
    check_attribute_names(exprs_, dict);
    for (std::size_t i = 0; dict.is(NodeKind::Dict) && i < dict.items.size(); i += 2) {
        head_->attr_values[dict.items[i].text] = &dict.items[i + 1];
    }
    for (auto& [key, v] : bind_annotations(exprs_, dict)) {
        if (!head_->attrs.emplace(key, v).second) {
            wrong(dict, "attribute \"" + key + "\" is given twice");
        }
    }
}

// A = T.match_buffer(a, (n, 4), "float32")
void StmtBinder::bind_match(const Node& target, const Node& call) {
    if (call.items.size() < 2) wrong(call, "`T.match_buffer` takes a handle and a shape");
    const Node& handle = call.items[1];
    const auto found = head_->handles.find(handle.text);
    if (!handle.is(NodeKind::Name) || found == head_->handles.end()) {
        std::vector<std::string> handles;
        handles.reserve(head_->handles.size());
        for (const auto& [name, place] : head_->handles) handles.push_back(name);
        wrong(handle, "a parameter of type T.handle is expected here",
              suggest(handle.text, handles));
    }
    Param& param = head_->params[found->second];
    if (std::get<Buffer>(param) != nullptr) {
        wrong(handle, "handle `" + handle.text + "` is matched to `" +
                          std::get<Buffer>(param)->name + "` already");
    }
    BufferDeclaration d = read_declaration(call, 1);
    // Where the caller's tensor starts in its memory: the parameter's cells are the same ones.
    if (d.elem_offset != nullptr &&
        (is_free_variable(*d.elem_offset) || find_declared(*d.elem_offset) != nullptr)) {
        d.elem_offset = nullptr;
    }
    require_own_memory(d);
    bind_parameter(param, handle, target, d);
}

void StmtBinder::bind_parameter(Param& param, const Node& handle, const Node& target,
                                const BufferDeclaration& declared) {
    const auto pointed = head_->pointed_to.find(handle.text);
    if (pointed != head_->pointed_to.end() && pointed->second != declared.type) {
        wrong(handle, "`" + handle.text + "` points to cells of type " + pointed->second.str() +
                          ", not " + declared.type.str());
    }
    if (!target.is(NodeKind::Name)) wrong(target, "a name is expected here");
    param = bind_parameter_memory(target.text, declared);
}

Function bind_function(Context& ctx, const python::Source& source, const Statement& definition,
                       const Surroundings& around, const ModuleFunctions& functions) {
    return FunctionBinder(ctx, source, definition, around, functions).run();
}

}  // namespace proviso::ir
