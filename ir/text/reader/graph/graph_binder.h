// The translation of one function of Relax (graph_function.h): its lines in graph_function.cpp,
// what computes tensors in graph_calls.cpp.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "ir/text/reader/python/python.h"

namespace proviso::ir {

class GraphFunction {
  public:
    GraphFunction(const python::Source& source, const python::Statement& definition)
        : source_(source), s_(definition) {}

    python::Statement run();

  private:
    using Node = python::Node;
    using Position = python::Position;
    using Statement = python::Statement;

    // A tensor of the graph: one buffer, which several names may stand for.
    struct Tensor {
        std::string buffer;
        std::vector<Node> shape;  // integers of 64 bits
        Node dtype;
        Position at;
        bool parameter = false;
        bool output = false;  // it is what the function returns
        // Calls that updated it in place, and the last of them.
        int updates = 0;
        Position updated;
    };
    // A tensor as it is after so many updates.
    struct Part {
        std::size_t tensor = 0;
        int updates = 0;
    };
    // What a name stands for: one tensor, or a tuple of them.
    struct Value {
        std::vector<Part> parts;
        bool tuple = false;
        bool inner = false;  // bound in a dataflow block that does not give it out
    };
    // The arguments of R.call_tir, as they are written.
    struct Call {
        const Node* arguments = nullptr;
        const Node* results = nullptr;
        const Node* sizes = nullptr;   // tir_vars
        const Node* reused = nullptr;  // inplace_indices
    };

    [[noreturn]] void wrong(Position at, std::string message, std::string hint = {}) const;
    [[noreturn]] void no_meaning(Position at, std::string message, std::string hint = {}) const;
    void collect_names(const std::vector<Statement>& body);
    std::string unique(const std::string& wish);

    Tensor tensor_of(const Node& annotation) const;
    Node extent_of(const Node& written) const;
    std::size_t add(Tensor t, const std::string& buffer);
    void declare_parameter(std::size_t tensor, std::vector<python::Parameter>& params,
                           std::vector<Statement>& sizes);
    void declare_sizes(const Node& extent, std::vector<Statement>& sizes);
    void parameters();

    void lines(const std::vector<Statement>& body);
    void line(const Statement& s);
    void expression(const Statement& s);
    void dataflow(const Statement& s);
    void result(const Statement& s);
    void check_result() const;
    void binding(const Statement& s);
    Value value_of(const Node& node) const;
    Value named(const Node& name) const;
    Value element_of(const Node& node) const;

    // In graph_calls.cpp. `name` is what the result is called.
    Value computed(const Statement& s, const std::string& name);
    Call arguments_of(const Node& call, bool inplace) const;
    Value call_tir(const Node& call, const std::string& name, bool inplace);
    std::vector<int> reused_places(const Node& call, const Node* indices,
                                   std::size_t results) const;
    void update(const Part& part, const Value& given, Position at);
    void add_sizes(const Node& sizes, std::vector<Node>& passed) const;
    Value layout_transform(const Statement& s, const std::string& name);
    std::size_t copy(std::size_t from);
    // Adds `for i0, i1 in T.grid(…): body([i0, i1])`.
    void nest(const Tensor& over, Position at,
              const std::function<Statement(const std::vector<Node>&)>& body);
    const Tensor& alive(const Part& part, Position at) const;

    const python::Source& source_;
    const Statement& s_;
    std::set<std::string> used_;
    std::set<std::string> declared_;  // sizes
    std::map<std::string, Value> values_;
    std::vector<Tensor> tensors_;
    std::vector<python::Parameter> inputs_;
    std::vector<Statement> facts_;    // R.func_attr, cls = Module
    std::vector<Statement> sizes_;    // n = T.int64()
    std::vector<Statement> matches_;  // x = T.match_buffer(var_x, …)
    std::vector<Statement> body_;
    std::vector<std::size_t> outputs_;
    bool returned_ = false;
};

// What helps with an expression of Relax that has no meaning here; may be empty.
std::string operator_hint(const python::Node& node);

}  // namespace proviso::ir
