// Values of a trace as values of a schedule: names of blocks, loops and numbers, constants, texts
// of lambdas. Every function throws ir::Failure, with the instruction at hand named.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "rewrite/schedule/trace/trace_reader.h"

namespace proviso::rewrite {

inline constexpr const char* kTraceForm =
    "a trace is [instructions, decisions]; an instruction is [kind, inputs, attributes, outputs]";

class TraceValues {
  protected:
    using Node = ir::python::Node;
    using Position = ir::python::Position;

    // What a name stands for. Root and Inline: what was decided of a loop, which is none then.
    struct Variable {
        enum class Kind : std::uint8_t { Block, Loop, Number, Root, Inline } kind;
        std::int64_t number = 0;
    };

    [[noreturn]] void wrong(const std::string& message, const std::string& hint = kTraceForm) const;
    // Of the instruction at hand.
    Position at() const { return out_.instructions[index_].first; }

    // Inputs: absent ones, "None"; strings, which have quotes of their own; numbers by name.
    static bool is_absent(const nlohmann::json& given);
    nlohmann::json unquoted(const nlohmann::json& given) const;
    Node value(const nlohmann::json& given) const;
    // A block or a loop.
    Node variable(const nlohmann::json& given) const;
    const Variable& known(const nlohmann::json& given) const;
    // A number, a string, a list of them, …, as it stands.
    Node constant(const nlohmann::json& given) const;
    // "lambda i: [i // 4, i % 4]", 0.0, "T.undef(\"float32\")".
    Node expression(const std::string& slot, const nlohmann::json& given) const;

    // Outputs: a block or a loop; a number.
    Node defined(const std::string& name);
    void number(const nlohmann::json& output, std::int64_t is);

    // What follows goes there: the trace, or what is inside of a loop.
    std::vector<ir::python::Statement>& body();
    // The schedule object there.
    std::string object() const;

    void statement(Node value);
    void assignment(Node target, Node value);

    static std::string shown(const nlohmann::json& value);

    TraceProgram out_;
    std::size_t index_ = 0;                                     // of the instruction
    std::vector<std::vector<ir::python::Statement>*> entered_;  // bodies of loops
    std::map<std::string, Variable> variables_;
};

}  // namespace proviso::rewrite
