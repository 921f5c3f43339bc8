#include "rewrite/schedule/reader/intrinsics.h"

#include <algorithm>
#include <set>

#include "analysis/external/external_call.h"
#include "ir/c_names.h"
#include "ir/text.h"
#include "ir/text/reader/bind.h"
#include "ir/text/reader/function_binder.h"
#include "ir/text/reader/python/failure.h"

namespace proviso::rewrite {

using namespace ir;
using python::Node;
using python::NodeKind;
using python::Statement;
using python::StatementKind;

namespace {

bool ends_in(const std::string& name, std::string_view end) {
    return name.size() >= end.size() && name.substr(name.size() - end.size()) == end;
}

// `T.call_extern`, `tir.call_extern`: the last name.
std::string last_name(const Node& callee) {
    const std::string dotted = callee.dotted();
    return dotted.substr(dotted.rfind('.') + 1);
}

// `Y: T.Buffer((2,), "float32")`
std::string declared(const Param& p) {
    if (const Expr* scalar = std::get_if<Expr>(&p)) {
        return "`" + *(*scalar)->name + ": T." + (*scalar)->type.str() + "`";
    }
    const Buffer b = std::get<Buffer>(p);
    std::string shape;
    for (Expr extent : b->shape) shape += (shape.empty() ? "" : " ") + print(extent) + ",";
    if (b->rank() > 1) shape.pop_back();
    const std::string scope = b->scope == "global" ? "" : ", scope=\"" + b->scope + "\"";
    return "`" + b->name + ": T.Buffer((" + shape + "), \"" + b->type.str() + "\"" + scope + ")`";
}

// An implementation that is one call.
class ExternalReader {
  public:
    ExternalReader(Context& ctx, const python::Module& module, std::string program)
        : ctx_(ctx), module_(module), program_(std::move(program)) {}

    // Null: the function does something else.
    const Node* the_call(const std::vector<Statement>& body, bool in_block = false) {
        const Node* out = nullptr;
        for (const Statement& s : body) {
            const Node* found = nullptr;
            if (s.is(StatementKind::With)) {  // TVM's block around the call
                found = the_call(s.body, true);
                if (found == nullptr) return nullptr;
            } else if (s.is(StatementKind::Assign) &&
                       last_name(callee_of(s.value)) == "match_buffer") {
                const Node* what = s.value.items.size() > 1 ? &s.value.items[1] : nullptr;
                if (in_block || what == nullptr || !what->is(NodeKind::Name)) {
                    wrong(s.value, "a part of a buffer under another name is no argument here",
                          "the call names parameters of the description");
                }
                continue;
            } else if (s.is(StatementKind::Expression) && s.value.is(NodeKind::Call)) {
                const std::string name = last_name(callee_of(s.value));
                if (name == "reads" || name == "writes" || name == "func_attr") continue;
                found = called(s.value);
            }
            if (found == nullptr || out != nullptr) return nullptr;
            out = found;
        }
        return out;
    }

    analysis::ExternalFunction read(const Node& call) {
        if (last_name(call.items[0]) == "call_packed" ||
            last_name(call.items[0]) == "call_cpacked") {
            wrong(call, "a packed function takes TVM's values, which no code here has",
                  "name a C function: T.call_extern(\"void\", \"dot4\", A.access_ptr(\"r\"), …)");
        }
        std::vector<const Node*> arguments;
        for (std::size_t k = 1; k < call.items.size(); ++k) arguments.push_back(&call.items[k]);
        analysis::ExternalFunction out;
        for (const python::Keyword& k : call.keywords) {
            if (k.name != "dtype") wrong(k.value, "`" + k.name + "` is not read here");
            out.result = text(k.value, "the result's type, in quotes");
        }
        std::size_t next = 0;
        const auto take = [&](const char* what) {
            if (next >= arguments.size()) wrong(call, std::string("no ") + what);
            return text(*arguments[next++], what);
        };
        if (call.keywords.empty()) out.result = take("the result's type, in quotes");
        out.symbol = take("the function's name, in quotes");
        check_name(*arguments[next - 1]);
        if (out.result.empty()) out.result = "void";
        if (out.result != "void" && !ScalarType::parse(out.result)) {
            wrong(call.items[1], "\"" + out.result + "\" is no type of a result",
                  "\"void\", \"int32\", …, before the function's name");
        }
        for (; next < arguments.size(); ++next) out.arguments.push_back(argument(*arguments[next]));
        return out;
    }

    // The call names parameters, which are those of the description: the same ones, in one order.
    void check_parameters(const Statement& implementation, const Function& description) const {
        const Function head = without_call(implementation);
        const auto& ours = description.params;
        const auto& theirs = head.params;
        const std::string hint = "the implementation has the parameters of " + description.name +
                                 ": the same names, types and shapes, in the same order";
        if (ours.size() != theirs.size()) {
            fail(module_.at(implementation.at,
                            head.name + " has " + std::to_string(theirs.size()) +
                                " parameters, and " + description.name + " has " +
                                std::to_string(ours.size()),
                            hint));
        }
        for (std::size_t k = 0; k < ours.size(); ++k) {
            const std::string want = declared(ours[k]);
            const std::string have = declared(theirs[k]);
            if (want == have) continue;
            const bool placed = k < implementation.parameters.size();
            fail(module_.at(placed ? implementation.parameters[k].at : implementation.at,
                            "parameter " + std::to_string(k + 1) + " of " + head.name + " is " +
                                have + ", and that of " + description.name + " is " + want,
                            hint));
        }
    }

    // Where a part of a buffer begins is any element of it. `align` is about the whole buffer.
    void check_places(const Statement& function) const {
        for (const python::Parameter& p : function.parameters) check_places(p.annotation);
        for (const Statement& s : function.body) check_places(s.value);
    }

  private:
    void check_places(const Node& node) const {
        for (const python::Keyword& k : node.keywords) {
            if (k.name != "offset_factor" || int_constant(k.value).value_or(0) <= 1) continue;
            wrong(k.value, "the code that calls a C function passes parts of buffers at any offset",
                  "leave out offset_factor; the function loads from any address of an element");
        }
        for (const Node& item : node.items) check_places(item);
    }

    // The function, as if it did nothing.
    Function without_call(const Statement& implementation) const {
        Statement head = implementation;
        std::erase_if(head.body, [](const Statement& s) {
            return !s.is(StatementKind::Assign) || last_name(callee_of(s.value)) != "match_buffer";
        });
        Statement nothing;
        nothing.at = implementation.at;
        head.body.push_back(std::move(nothing));
        const ProgramFile read = bind_file(ctx_, {module_.source, {std::move(head)}});
        if (!read.opaque.empty()) fail(refusal(read.opaque.front()));
        return read.module.functions.front();
    }

    void check_name(const Node& written) const {
        if (const Status fine = check_symbol(written.text); !fine) {
            wrong(written, fine.error().message, fine.error().hint);
        }
        if (written.text == program_ || written.text.rfind(program_ + "__", 0) == 0) {
            wrong(written,
                  "\"" + written.text + "\" is a name that the code of function " + program_ +
                      " gets",
                  "a C function that is called has a name of its own");
        }
    }

    [[noreturn]] void wrong(const Node& at, std::string message, std::string hint = {}) const {
        fail(module_.at(at, std::move(message), std::move(hint)));
    }

    static const Node& callee_of(const Node& value) {
        static const Node none;
        return value.is(NodeKind::Call) ? value.items[0] : none;
    }

    static const Node* called(const Node& value) {
        if (last_name(callee_of(value)) == "evaluate" && value.items.size() == 2) {
            return called(value.items[1]);
        }
        const std::string name = last_name(callee_of(value));
        const bool external = name == "call_extern" || name == "call_pure_extern" ||
                              name == "call_packed" || name == "call_cpacked";
        return external ? &value : nullptr;
    }

    std::string text(const Node& node, const char* what) const {
        if (!node.is(NodeKind::String)) wrong(node, std::string("this is not ") + what);
        return node.text;
    }

    std::string argument(const Node& node) const {
        if (const auto number = int_constant(node)) {
            if (*number == static_cast<std::int32_t>(*number)) return std::to_string(*number);
        }
        const auto of_buffer = [](const Node& n) {
            return n.is(NodeKind::Attribute) && n.items[0].is(NodeKind::Name);
        };
        if (of_buffer(node) && (node.text == "data" || node.text == "elem_offset")) {
            return node.items[0].text + "." + node.text;
        }
        if (node.is(NodeKind::Call) && of_buffer(node.items[0]) &&
            node.items[0].text == "access_ptr" && node.items.size() <= 2 && node.keywords.empty()) {
            return node.items[0].items[0].text;
        }
        if (node.is(NodeKind::Subscript) && of_buffer(node.items[0]) &&
            node.items[0].text == "strides" && node.items.size() == 2) {
            const auto dimension = int_constant(node.items[1]);
            if (dimension && *dimension >= 0) {
                return node.items[0].items[0].text + ".strides[" + std::to_string(*dimension) + "]";
            }
        }
        if (last_name(callee_of(node)) == "address_of" && node.items.size() == 2 &&
            is_first_cell(node.items[1])) {
            return node.items[1].items[0].text;
        }
        wrong(node, "this is no argument that a C function is given",
              "A.access_ptr(\"r\"), T.address_of(A[0, 0]), A.data, A.elem_offset, A.strides[0], or "
              "an int32 constant");
    }

    static bool is_first_cell(const Node& node) {
        if (!node.is(NodeKind::Subscript) || !node.items[0].is(NodeKind::Name)) return false;
        return std::all_of(node.items.begin() + 1, node.items.end(),
                           [](const Node& index) { return int_constant(index) == 0; });
    }

    Context& ctx_;
    const python::Module& module_;
    std::string program_;
};

}  // namespace

Result<Module> read_intrinsics(Context& ctx, std::string_view text, const std::string& file,
                               const std::string& program) {
    const Result<ProgramFile> read = parse_program(ctx, text, file);
    if (!read) return read.error();
    return guarded([&] {
        Module out = read->module;
        const Result<python::Module> tree = python::parse_python(text, file);
        if (!tree) fail(tree.error());
        ExternalReader reader(ctx, *tree, program);
        std::set<std::string> external;
        for (const Statement& s : tree->body) {
            if (!s.is(StatementKind::Function) || !ends_in(s.text, "_impl")) continue;
            const Node* call = reader.the_call(s.body);
            if (call == nullptr) continue;
            Function f;
            f.name = s.text;
            f.attrs[kExternAttr] = reader.read(*call).annotation();
            const std::string described = s.text.substr(0, s.text.size() - 5) + "_desc";
            for (const Function& g : read->module.functions) {
                if (g.name == described) reader.check_parameters(s, g);
            }
            for (const Statement& g : tree->body) {
                if (g.text == s.text || g.text == described) reader.check_places(g);
            }
            f.body = ctx.seq({});
            external.insert(f.name);
            std::erase_if(out.functions, [&](const Function& g) { return g.name == f.name; });
            out.functions.push_back(std::move(f));
        }
        for (const OpaqueFunction& f : read->opaque) {
            if (external.count(f.name) == 0) fail(refusal(f));
        }
        return out;
    });
}

}  // namespace proviso::rewrite
