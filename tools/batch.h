// Questions for the analyzer, one by one or as JSON lines: shared by `prove` and `simplify`.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "ir/result.h"
#include "ir/text.h"

namespace proviso::tools {

struct Question {
    ir::Function function;  // its parameters are the variables
    ir::Scope scope;
    std::vector<ir::Expr> given;
    ir::Expr expr = nullptr;  // the goal, or the expression
};

// From the command line: NAME:TYPE declarations; names that the texts use and nobody declares are
// int32.
Result<Question> read_question(ir::Context& ctx, const std::vector<std::string>& vars,
                               const std::vector<std::string>& given, const std::string& expr,
                               bool boolean);
// From a JSON object {"vars": {NAME: TYPE}, "given": [...], KEY: "..."}; the same for undeclared
// names.
Result<Question> read_question(ir::Context& ctx, const nlohmann::json& line, const char* key);

// Declares the names of a text that nobody has declared, as int32: the type of index arithmetic.
Status declare_missing(ir::Context& ctx, const std::string& text, Question& q);

// Answers each line of a file, a JSON value, with one line of JSON: {"line", …} with what `answer`
// adds, or {"line", "error"}. Bad lines are reported and the others still run. Gives the exit code:
// 2 when any line was bad, else the largest of the answers'.
using JsonLine =
    std::function<Result<int>(ir::Context&, const nlohmann::json& line, nlohmann::json& out)>;
int run_lines(const std::string& file, const JsonLine& answer);

// The same for lines that are questions.
using AnswerLine = std::function<int(ir::Context&, const Question&, nlohmann::json& out)>;
int run_batch(const std::string& file, const char* key, const AnswerLine& answer);

}  // namespace proviso::tools
