// What Python computes before TVM reads a function: constants of the file, macros (@T.macro and
// @T.inline), T.meta_var, comprehensions and unpacking over lists that are known, operators of
// numbers (python_numbers.h). Gives the function with all of these written out, as a tree.
//
//     N = 4                                     for i in range(4):
//     @T.macro                                      A[i] = A[i] * 2
//     def double(X, i):                 is
//         X[i] = X[i] * 2
//     for i in range(N):
//         double(A, i)
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "ir/text/reader/python/python.h"

namespace proviso::ir::python {

// Statements that macros may make of one function, macros inside each other, and items of one
// comprehension.
inline constexpr std::size_t kMaxExpandedStatements = 100'000;
inline constexpr int kMaxMacroDepth = 64;
inline constexpr std::size_t kMaxItems = 10'000;

// Whether a definition is marked @T.macro or @T.inline.
bool is_macro(const Statement& definition);

class Expansion {
  public:
    // By name; shared, so that a copy for an inner place is cheap.
    using Values = std::map<std::string, std::shared_ptr<const Node>>;

    // The constants and macros of a file, and of the class in it.
    explicit Expansion(const Module& file);

    // Throws Failure for a call that does not fit its macro, and beyond the limits.
    Statement expand(const Statement& function);

  private:
    struct Macro {
        const Statement* definition = nullptr;
        bool of_file = false;  // not in a function, whose names it would see
    };
    struct Place {  // what is known at a line
        Values values;
        std::map<std::string, Macro> macros;
    };

    Statement written_out(const Statement& function);
    void unquote(Node& annotation, const Values& values) const;
    void collect(const std::vector<Statement>& lines);
    void constant(const Statement& s);
    std::vector<Statement> list(const std::vector<Statement>& lines, const Place& around);
    Statement line(const Statement& s, const Place& place);
    std::vector<Statement> call(const Statement& s, const Macro& macro, const Place& place);
    Values arguments(const Node& call, const Statement& macro, const Place& place) const;
    void rename_locals(const Statement& macro, Values& values, std::set<std::string>& locals);
    void check_hygiene(const Statement& macro, const std::set<std::string>& known) const;

    // In expansion_values.cpp.
    static std::shared_ptr<const Node> known(Node value);
    // Counts what is made against the limit of the file; `at` is for the message.
    void count(std::size_t more, Position at) const;
    Values copied(const Values& values, Position at) const;
    Node value(const Node& n, const Values& values) const;
    std::vector<Node> items(const std::vector<Node>& from, const Values& values) const;
    Node comprehension(const Node& n, const Values& values) const;
    void clauses(const Node& n, std::size_t clause, const Values& values, Node& out) const;
    Node subscript(Node n) const;
    static bool is_list(const Node& n);  // or a tuple
    static void set_depth(Node& n);

    void takes_no_keywords(const Node& call) const;
    [[noreturn]] void wrong(const Node& node, std::string message, std::string hint = {}) const;

    const Module& file_;
    Place top_;
    std::set<std::string> of_file_;     // names that its lines bind
    std::set<std::string> several_;     // those that get several values
    std::set<std::string> used_;        // names of the function at hand
    std::map<std::string, int> bound_;  // how often it binds each
    std::size_t statements_ = 0;
    int depth_ = 0;
    mutable std::size_t made_ = 0;  // values, of the whole file: limits::kPythonValues
    mutable int making_ = 0;        // macros and comprehensions around the node at hand
};

}  // namespace proviso::ir::python
