// The language of a schedule's text: functions with defaults, loops over ranges and lists, choices,
// arithmetic, lists, strings. It runs the text and calls the primitives; it knows nothing of
// programs. It ends, whatever the text: there is no `while`, and its steps are counted.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "ir/text/reader/python/python.h"
#include "rewrite/schedule/reader/interpreter/form.h"

namespace proviso::rewrite {

// What the interpreter asks of the schedule. Calls come with their arguments computed
// (rewrite/schedule/reader/interpreter/values.h).
struct ScheduleObject {
    using Node = ir::python::Node;
    // A call on a schedule object, `name` as the text calls that: its value. `inside`: the object's
    // number (values.h).
    std::function<Node(const Node& call, const std::string& name, std::size_t inside)> call;
    // `with sch.inside(loop) as s:` of such an object begins, and gives the number of `s`; it ends.
    std::function<std::size_t(const Node& call, const std::string& name, std::size_t inside)> enter;
    std::function<void(std::size_t inside)> leave;
    // An attribute of a block or loop: `sch.get(loop).extent`.
    std::function<Node(const Node& handle, const Node& attribute)> attribute;
    // What `print` writes of a value.
    std::function<std::string(const Node& value)> text;
    std::function<void(const std::string& line, const Node& call)> print;
    // A call of a function of another file begins, or has ended.
    std::function<void(const std::string& function, const Node& call, bool begins)> composite;
};

class Interpreter {
  public:
    using Node = ir::python::Node;
    using Statement = ir::python::Statement;

    Interpreter(const ir::python::Module& module, ScheduleObject object);

    // The file: its statements, or the body of the one `def` that nothing calls. Throws ir::Failure
    // at a mistake in the text.
    void run();

    // A number of statements and expressions that no schedule by hand comes near to.
    static constexpr std::size_t kMostSteps = 1'000'000;
    static constexpr std::size_t kMostCalls = 100;         // of functions inside each other
    static constexpr std::int64_t kLongestList = 100'000;  // with what is in its elements
    static constexpr int kDeepestList = 200;               // lists inside each other

  private:
    using Names = std::map<std::string, Node>;
    enum class Next : std::uint8_t { Go, Break, Continue, Return };

    [[noreturn]] void wrong(const Node& node, std::string message, std::string hint = {}) const;
    void count(ir::python::Position at, std::size_t steps = 1);
    // The size of a list, with what is in its elements; too large a one is a mistake.
    std::size_t measured(const Node& value, const Node& at) const;
    // A value that is made or copied: that takes steps.
    Node sized(Node value, const Node& at);

    Next body(const std::vector<Statement>& statements);
    Next statement(const Statement& s);
    Next each(const Statement& loop);
    Next with(const Statement& s);
    void assign(const Node& target, const Node& value);
    void assign_each(const Node& target, const Node& value);
    void assign_element(const Node& target, const Node& value);

    Node evaluate(const Node& node);
    Node evaluated(const Node& node);
    Node name(const Node& node);
    Node sequence(const Node& node);
    Node operation(const Node& node);
    Node binary(const std::string& op, const Node& a, const Node& b, const Node& at);
    Node comparison(const Node& node);
    Node logic(const Node& node);
    Node subscript(const Node& node);
    Node slice(const Node& value, const Node& bounds);
    Node comprehension(const Node& node);
    // What the names of a target are.
    void keep_names(const Node& target, std::map<std::string, std::optional<Node>>& before) const;
    void clauses(const Node& node, std::size_t k, std::vector<Node>& out);
    Node closure(const Node& lambda);
    Node attribute(const Node& node);
    Node in_library(const Node& node);

    Node call(const Node& node);
    Node arguments(const Node& call);  // the call with its arguments computed
    Node function(const Statement& def, const Node& call);
    // A `def` that is an argument of a primitive, as a lambda: it names values and returns one.
    Node as_lambda(const Statement& def, const Node& at);
    void put_lambdas(Node& call);
    Node apply(const Node& lambda, const Node& call);
    Node method(const Node& object, const Node& call);
    Node append(const Node& list, const Node& call);
    Node builtin(const std::string& name, const Node& call);
    // No argument of the call has a name, but these.
    void no_keywords(const Node& call, const std::string& name,
                     const std::vector<std::string>& but = {}) const;
    Node format(const std::string& pattern, const Node& call) const;

    bool is_true(const Node& value, const Node& at) const;
    std::int64_t whole(const Node& value, const Node& at) const;
    // The elements of a list, a tuple or a string, the keys of a dictionary.
    std::vector<Node> elements(const Node& value, const Node& at) const;
    const Node* variable(const std::string& name) const;
    std::string is_text(const Node& value) const;

    const ir::python::Module& module_;
    ScheduleObject object_;
    std::map<std::string, const Statement*> functions_;
    std::vector<Names> frames_ = {{}};  // of the file, and of the functions at work
    Node returned_;
    std::size_t steps_ = 0;
    std::size_t lists_ = 0;    // that were made: each has a number, by which it is changed
    std::size_t in_call_ = 0;  // of a primitive, whose arguments may be of the library T
};

}  // namespace proviso::rewrite
