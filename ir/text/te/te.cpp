#include "ir/text/te/te.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "ir/text.h"
#include "ir/text/reader/python/failure.h"
#include "ir/text/reader/python/python.h"
#include "ir/text/reader/python/python_numbers.h"
#include "ir/text/reader/python/tree_printer.h"
#include "ir/text/spelling.h"
#include "ir/text/te/te_lambda.h"
#include "ir/text/te/te_schedule.h"

namespace proviso::ir::te {

using python::Node;
using python::NodeKind;
using python::Position;
using python::Statement;
using python::StatementKind;

namespace {

Node name_node(const std::string& text, Position at) {
    Node out;
    out.kind = NodeKind::Name;
    out.text = text;
    out.at = at;
    return out;
}

struct Tensor {
    std::string name;  // in the script
    std::vector<Node> shape;
    std::string dtype;
    bool placeholder = false;
    Position at;
};

struct Axis {
    Node lo, hi;
};

// One te.compute.
struct Compute {
    std::string tensor;
    std::vector<std::string> loops, iters;  // spatial
    std::vector<std::string> axes;          // of reduction, by variable of the text
    std::string reducer;                    // "sum", "max", "min"; empty: none
    Node body;                              // over iters
    std::set<std::string> reads;            // tensors
    Position at;
};

class TeReader {
  public:
    TeReader(const python::Module& module, std::string name)
        : module_(module), name_(std::move(name)) {}

    TePrograms run() {
        for (const Statement& s : module_.body) {
            if (!schedule_.statement(s)) statement(s);
        }
        if (computes_.empty()) fail(module_.at(Position{1, 1}, "there is no te.compute", kForm));
        return {script(), schedule_.script()};
    }

  private:
    static constexpr const char* kForm =
        "C = te.compute((n, m), lambda i, j: A[i, j] * 2, name=\"C\")";

    [[noreturn]] void wrong(const Node& at, const std::string& what,
                            const std::string& hint = {}) const {
        fail(module_.at(at, what, hint));
    }

    // --- reading

    void statement(const Statement& s) {
        if (s.is(StatementKind::Import)) return;
        const bool assigns = s.is(StatementKind::Assign);
        if (!assigns && !s.is(StatementKind::Expression)) {
            fail(module_.at(s.at,
                            "tensor expressions are assignments of te.placeholder, "
                            "te.compute, te.reduce_axis and te.var",
                            kForm));
        }
        if (!s.value.is(NodeKind::Call)) {
            if (s.value.is(NodeKind::String)) return;  // a comment
            wrong(s.value, "this is no call of te", kForm);
        }
        const bool printed = !assigns && s.value.items[0].dotted() == "print" &&
                             s.value.items.size() == 2 && s.value.items[1].is(NodeKind::Call);
        const Node& value = printed ? s.value.items[1] : s.value;
        const std::string what = te_name(value.items[0]);
        if (what == "create_prim_func") return function(value, 1, "ops");
        if (what == "lower" || what == "build") return function(value, 2, "args");
        if (!assigns || !s.target.is(NodeKind::Name)) {
            wrong(s.value, "what `" + s.value.items[0].dotted() + "` gives needs a name", kForm);
        }
        const std::string& target = s.target.text;
        if (tensors_.count(target) + axes_.count(target) + sizes_.count(target) != 0) {
            wrong(s.target, "`" + target + "` is assigned twice", "give each tensor its own name");
        }
        if (what == "placeholder") return placeholder(s, target);
        if (what == "compute") return compute(s, target);
        if (what == "reduce_axis") return reduce_axis(s.value, target);
        if (what == "var" || what == "size_var") return size(s.value, target);
        const std::vector<std::string> known = {"placeholder", "compute",  "reduce_axis",
                                                "var",         "size_var", "create_prim_func"};
        const std::string callee = s.value.items[0].dotted();
        if (what == "scan" || what == "extern" || what == "hybrid" || what == "extern_primfunc") {
            wrong(s.value, "`" + callee + "` has no meaning here",
                  "write its loops as a T.prim_func");
        }
        wrong(s.value, "there is no `" + callee + "`", suggest(what, known, kForm));
    }

    void size(const Node& call, const std::string& target) {
        const Node* type = keyword(call, "dtype");
        if (type == nullptr && call.items.size() > 2) type = &call.items[2];
        if (type != nullptr && !type->is(NodeKind::String)) wrong(*type, "a type is a string");
        sizes_[target] = type == nullptr ? "int32" : type->text;
        size_order_.push_back(target);
    }

    void placeholder(const Statement& s, const std::string& target) {
        const Node& shape = argument(s.value, 1, "shape");
        const Node* type = keyword(s.value, "dtype");
        if (type == nullptr && s.value.items.size() > 2) type = &s.value.items[2];
        if (type != nullptr && !type->is(NodeKind::String)) wrong(*type, "a type is a string");
        add_tensor(s, target, shape, type == nullptr ? "float32" : type->text, true);
    }

    void add_tensor(const Statement& s, const std::string& target, const Node& shape,
                    const std::string& dtype, bool is_placeholder) {
        std::vector<Node> extents = shape.is(NodeKind::Tuple) || shape.is(NodeKind::List)
                                        ? shape.items
                                        : std::vector<Node>{shape};
        if (extents.empty()) wrong(shape, "a tensor needs a dimension", "(1,)");
        for (Node& e : extents) known_names(e, {});
        const Node* given = keyword(s.value, "name");
        if (given != nullptr && !given->is(NodeKind::String)) wrong(*given, "a name is a string");
        const std::string name = given == nullptr ? target : given->text;
        if (!names_.insert(name).second) {
            wrong(given == nullptr ? s.target : *given, "two tensors have the name `" + name + "`");
        }
        tensors_[target] = {name, extents, dtype, is_placeholder, s.at};
        order_.push_back(target);
    }

    void reduce_axis(const Node& call, const std::string& target) {
        const Node& range = argument(call, 1, "dom");
        if (!range.is(NodeKind::Tuple) || range.items.size() != 2) {
            wrong(range, "the range of a reduction is a pair",
                  "te.reduce_axis((0, n), name=\"k\")");
        }
        for (const Node& end : range.items) {
            Node copy = end;
            known_names(copy, {});
        }
        axes_[target] = {range.items[0], range.items[1]};
    }

    const Node& argument(const Node& call, std::size_t position, const std::string& name) const {
        if (const Node* named = keyword(call, name)) return *named;
        if (call.items.size() <= position) {
            wrong(call, "`" + call.items[0].dotted() + "` needs its argument `" + name + "`",
                  kForm);
        }
        return call.items[position];
    }

    void compute(const Statement& s, const std::string& target) {
        const Node& shape = argument(s.value, 1, "shape");
        const Node& f = argument(s.value, 2, "fcompute");
        if (!f.is(NodeKind::Lambda)) wrong(f, "what is computed is a lambda", kForm);
        const std::size_t rank =
            shape.is(NodeKind::Tuple) || shape.is(NodeKind::List) ? shape.items.size() : 1;
        const Indexed lambda = indexed(f, rank, [&](const std::string& name) {
            return axes_.count(name) + sizes_.count(name) + tensors_.count(name) != 0;
        });
        if (lambda.indices.size() != rank) {
            wrong(f,
                  "the lambda has " + std::to_string(lambda.indices.size()) +
                      " parameters, the shape " + std::to_string(rank) + " dimensions",
                  kForm);
        }
        Compute out;
        out.tensor = target;
        out.at = s.at;
        std::map<std::string, std::string> to;
        for (const std::string& p : lambda.indices) {
            if (p.find('*') != std::string::npos) wrong(f, "name each index of the lambda", kForm);
            out.loops.push_back(p);
            out.iters.push_back("v_" + p);
            to[p] = out.iters.back();
        }
        Node body = lambda.body;
        const std::string reducer = body.is(NodeKind::Call) ? te_name(body.items[0]) : "";
        const bool reduces = (reducer == "sum" || reducer == "max" || reducer == "min") &&
                             (keyword(body, "axis") != nullptr || reducer == "sum");
        if (reduces) {
            out.reducer = reducer;
            const Node& axis = argument(body, 2, "axis");
            const std::vector<Node> all = axis.is(NodeKind::List) || axis.is(NodeKind::Tuple)
                                              ? axis.items
                                              : std::vector<Node>{axis};
            for (const Node& a : all) {
                if (!a.is(NodeKind::Name) || axes_.count(a.text) == 0) {
                    wrong(a, "an axis of a reduction comes from te.reduce_axis",
                          "k = te.reduce_axis((0, n), name=\"k\")");
                }
                out.axes.push_back(a.text);
                to[a.text] = "v_" + a.text;
            }
            body = Node(argument(body, 1, "expr"));
        }
        rewrite(body, to, out.reads);
        out.body = body;
        add_tensor(s, target, shape, "", false);
        tensors_[target].dtype = type_of(out, body);
        schedule_.add_stage(target, tensors_[target].name, out.loops.size(), out.axes);
        computes_.push_back(std::move(out));
    }

    // The parameters, as te.create_prim_func or tvm.lower name them.
    void function(const Node& call, std::size_t position, const char* keyword) {
        const Node& list = argument(call, position, keyword);
        parameters_.clear();
        if (!list.is(NodeKind::List)) wrong(list, "the parameters are a list", "[A, C]");
        for (const Node& p : list.items) {
            if (!p.is(NodeKind::Name) || tensors_.count(p.text) == 0) {
                wrong(p, "a parameter is a tensor that was defined before");
            }
            if (std::find(parameters_.begin(), parameters_.end(), p.text) != parameters_.end()) {
                wrong(p, "`" + p.text + "` stands twice in the list");
            }
            parameters_.push_back(p.text);
        }
    }

    // --- expressions

    // Names of sizes only, or of these.
    void known_names(Node& e, const std::map<std::string, std::string>& to) const {
        if (e.is(NodeKind::Name) && sizes_.count(e.text) == 0 && to.count(e.text) == 0) {
            wrong(e, "there is no `" + e.text + "` here", "n = te.var(\"n\")");
        }
        for (Node& item : e.items) known_names(item, to);
    }

    // Parameters of the lambda and axes by the block's iterators, tensors read as `A[i, j]`,
    // functions as those of TVMScript.
    void rewrite(Node& e, const std::map<std::string, std::string>& to,
                 std::set<std::string>& reads) const {
        if (e.is(NodeKind::Name)) {
            const auto at = to.find(e.text);
            if (at != to.end()) {
                e.text = at->second;
            } else if (axes_.count(e.text) != 0) {
                wrong(e, "the axis `" + e.text + "` is not summed over here",
                      "te.sum(…, axis=" + e.text + ")");
            } else if (tensors_.count(e.text) != 0) {
                wrong(e, "the tensor `" + e.text + "` needs indices", e.text + "[i, j]");
            } else if (sizes_.count(e.text) == 0) {
                wrong(e, "there is no `" + e.text + "` here");
            }
            return;
        }
        const bool call = e.is(NodeKind::Call);
        if ((call || e.is(NodeKind::Subscript)) && e.items[0].is(NodeKind::Name)) {
            const auto at = tensors_.find(e.items[0].text);
            if (at == tensors_.end()) wrong(e, "there is no tensor `" + e.items[0].text + "`");
            const std::size_t rank = at->second.shape.size();
            if (e.items.size() != rank + 1) {
                wrong(e, "`" + at->first + "` has " + std::to_string(rank) + " dimensions, not " +
                             std::to_string(e.items.size() - 1));
            }
            reads.insert(at->first);
            e.kind = NodeKind::Subscript;
            e.items[0].text = at->second.name;
            for (std::size_t k = 1; k < e.items.size(); ++k) rewrite(e.items[k], to, reads);
            return;
        }
        if (call) {
            const std::string f = te_name(e.items[0]);
            if (f.empty() && !e.items[0].is(NodeKind::Attribute))
                wrong(e, "this is no function of te");
            if ((f == "sum" || f == "max" || f == "min") && keyword(e, "axis") != nullptr) {
                wrong(e, "a reduction stands alone in a te.compute",
                      "give it a te.compute of its own");
            }
            if (f == "const") {
                number(e);
                return;
            }
            if (f == "all" || f == "any") {
                logic(e, f == "all" ? "and" : "or");
                return rewrite(e, to, reads);
            }
            if (!f.empty()) {
                Node callee;
                callee.kind = NodeKind::Attribute;
                callee.at = e.items[0].at;
                callee.text = f;
                callee.items = {name_node("T", e.items[0].at)};
                e.items[0] = std::move(callee);
            } else {
                rewrite(e.items[0].items[0], to, reads);  // x.astype("int32")
            }
            for (std::size_t k = 1; k < e.items.size(); ++k) rewrite(e.items[k], to, reads);
            return;
        }
        for (Node& item : e.items) rewrite(item, to, reads);
    }

    // te.all(a, b): a and b.
    void logic(Node& e, const char* word) const {
        if (e.items.size() < 2) {
            wrong(e, "`" + e.items[0].dotted() + "` needs a condition", "te.all(0 < i, i < n)");
        }
        e.items.erase(e.items.begin());
        if (e.items.size() == 1) {
            e = Node(e.items[0]);
            return;
        }
        e.kind = NodeKind::Logic;
        e.text = word;
    }

    // te.const(5), te.const(5, "int8"): T.int32(5), T.int8(5).
    void number(Node& e) const {
        const Node value = argument(e, 1, "value");
        const Node* type = keyword(e, "dtype");
        if (type == nullptr && e.items.size() > 2) type = &e.items[2];
        if (type != nullptr && !type->is(NodeKind::String)) wrong(*type, "a type is a string");
        const bool real = value.is(NodeKind::Float);
        Node callee;
        callee.kind = NodeKind::Attribute;
        callee.at = e.at;
        callee.text = type != nullptr ? type->text : real ? "float32" : "int32";
        callee.items = {name_node("T", e.at)};
        e.items = {callee, value};
        e.keywords.clear();
    }

    // The type of the body, as TVMScript has it.
    std::string type_of(const Compute& c, const Node& body) const {
        Context ctx;
        Scope scope;
        for (const auto& [size, type] : sizes_) {
            scope.vars[size] = ctx.var(size, type == "int64" ? kInt64 : kInt32);
        }
        for (const std::string& v : c.iters) scope.vars[v] = ctx.var(v, kInt32);
        for (const std::string& a : c.axes) scope.vars["v_" + a] = ctx.var("v_" + a, kInt32);
        for (const std::string& t : c.reads) {
            const auto type = ScalarType::parse(tensors_.at(t).dtype);
            if (!type) wrong(body, "the type of `" + t + "` is not known: " + tensors_.at(t).dtype);
            const std::string& name = tensors_.at(t).name;
            scope.buffers[name] =
                ctx.buffer(name, *type, std::vector<Expr>(tensors_.at(t).shape.size(), ctx.i32(1)));
        }
        const Result<Expr> e = parse_expr(ctx, python::print(body), scope);
        if (!e) wrong(body, e.error().message, e.error().hint);
        return (*e)->type.str();
    }

    // --- writing

    void line(const std::string& text, Position at) {
        out_.text += text + "\n";
        out_.places.emplace_back(at.line, at.column);
    }

    static std::string tuple(const std::vector<Node>& items) {
        std::string out = "(";
        for (const Node& e : items) out += python::print(e) + ", ";
        if (items.size() > 1) out.resize(out.size() - 2);
        if (items.size() == 1) out.resize(out.size() - 1);
        return out + ")";
    }

    bool is_parameter(const std::string& tensor) const {
        return std::find(parameters_.begin(), parameters_.end(), tensor) != parameters_.end();
    }

    Script script() {
        if (parameters_.empty()) {
            std::set<std::string> read;
            for (const Compute& c : computes_) read.insert(c.reads.begin(), c.reads.end());
            for (const std::string& t : order_) {
                if (tensors_[t].placeholder || read.count(t) == 0) parameters_.push_back(t);
            }
        }
        for (const std::string& t : order_) {
            if (!tensors_[t].placeholder || is_parameter(t)) continue;
            fail(module_.at(tensors_[t].at, "the placeholder `" + t + "` is no parameter",
                            "te.create_prim_func([" + t + ", …])"));
        }
        const Position first = tensors_[order_.front()].at;
        std::string header = "def " + name_ + "(";
        for (std::size_t k = 0; k < parameters_.size(); ++k) {
            header +=
                (k == 0 ? "" : ", ") + ("var_" + tensors_[parameters_[k]].name) + ": T.handle";
        }
        line("@T.prim_func", first);
        line(header + "):", first);
        for (const std::string& n : size_order_)
            line("    " + n + " = T." + sizes_[n] + "()", first);
        for (const std::string& t : parameters_) {
            const Tensor& tensor = tensors_[t];
            line("    " + tensor.name + " = T.match_buffer(var_" + tensor.name + ", " +
                     tuple(tensor.shape) + ", \"" + tensor.dtype + "\")",
                 tensor.at);
        }
        for (const std::string& t : order_) {
            const Tensor& tensor = tensors_[t];
            if (is_parameter(t)) continue;
            line("    " + tensor.name + " = T.alloc_buffer(" + tuple(tensor.shape) + ", \"" +
                     tensor.dtype + "\")",
                 tensor.at);
        }
        for (const Compute& c : computes_) block(c);
        return std::move(out_);
    }

    void block(const Compute& c) {
        std::string indent = "    ";
        const Tensor& tensor = tensors_[c.tensor];
        const auto loop = [&](const std::string& var, const std::string& range) {
            line(indent + "for " + var + " in range(" + range + "):", c.at);
            indent += "    ";
        };
        for (std::size_t k = 0; k < c.loops.size(); ++k) {
            loop(c.loops[k], python::print(tensor.shape[k]));
        }
        for (const std::string& a : c.axes) {
            loop(a, python::print(axes_[a].lo) + ", " + python::print(axes_[a].hi));
        }
        line(indent + "with T.block(\"" + tensor.name + "\"):", c.at);
        indent += "    ";
        std::string cell = tensor.name + "[";
        for (std::size_t k = 0; k < c.loops.size(); ++k) {
            line(indent + c.iters[k] + " = T.axis.spatial(" + python::print(tensor.shape[k]) +
                     ", " + c.loops[k] + ")",
                 c.at);
            cell += (k == 0 ? "" : ", ") + c.iters[k];
        }
        cell += "]";
        for (const std::string& a : c.axes) {
            line(indent + "v_" + a + " = T.axis.reduce((" + python::print(axes_[a].lo) + ", " +
                     python::print(axes_[a].hi) + "), " + a + ")",
                 c.at);
        }
        const std::string body = python::print(c.body);
        if (c.reducer.empty()) {
            line(indent + cell + " = " + body, c.at);
            return;
        }
        const std::string start = c.reducer == "sum"   ? "T." + tensor.dtype + "(0)"
                                  : c.reducer == "max" ? "T.min_value(\"" + tensor.dtype + "\")"
                                                       : "T.max_value(\"" + tensor.dtype + "\")";
        line(indent + "with T.init():", c.at);
        line(indent + "    " + cell + " = " + start, c.at);
        line(indent + cell + " = " +
                 (c.reducer == "sum" ? cell + " + (" + body + ")"
                                     : "T." + c.reducer + "(" + cell + ", " + body + ")"),
             c.at);
    }

    const python::Module& module_;
    std::string name_;
    TeSchedule schedule_{module_};
    std::map<std::string, Tensor> tensors_;
    std::map<std::string, Axis> axes_;
    std::map<std::string, std::string> sizes_;  // name -> type
    std::set<std::string> names_;               // of tensors
    std::vector<std::string> order_, size_order_, parameters_;
    std::vector<Compute> computes_;
    Script out_;
};

}  // namespace

Result<TePrograms> read_te(std::string_view text, const std::string& file,
                           const std::string& name) {
    Result<python::Module> module = python::parse_python(text, file);
    if (!module) return module.error();
    return guarded([&] {
        for (Statement& s : module->body) python::compute_numbers(s, *module->source, {});
        return TeReader(*module, name).run();
    });
}

}  // namespace proviso::ir::te
