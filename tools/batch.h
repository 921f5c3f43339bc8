// Questions for the analyzer, one by one or as JSON lines: shared by `prove` and `simplify`.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <utility>
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

// "<given 3>": what messages call the fact of this index (from 0).
std::string name_of_fact(std::size_t index, std::size_t of);
// parse_expr in time that does not grow with the scope: 1,000 facts may have as many names. Where a
// buffer is missing, the message says how one is declared.
Result<ir::Expr> read_text(ir::Context& ctx, const std::string& text, const ir::Scope& scope,
                           std::optional<ir::ScalarType> type, const std::string& file);
// "NAME:TYPE" arguments as pairs; int32 where no type is said.
std::vector<std::pair<std::string, std::string>> declarations(const std::vector<std::string>& vars);
// Declares names with their types: variables first, then the buffers, whose extents may use them.
Status declare_all(ir::Context& ctx, const std::vector<std::pair<std::string, std::string>>& vars,
                   Question& q);
// Declares the names of a text that nobody has declared, as int32: the type of index arithmetic.
Status declare_missing(ir::Context& ctx, const std::string& text, Question& q);

// Parts of a line of a batch; absent ones are empty, those of a wrong kind an error.
Result<std::string> text_of(const nlohmann::json& line, const char* key);
Result<std::vector<std::string>> texts_of(const nlohmann::json& line, const char* key);
// An object, name -> text, in the order of the names.
Result<std::vector<std::pair<std::string, std::string>>> pairs_of(const nlohmann::json& line,
                                                                  const char* key);
// Fails unless the line is an object with no other keys than these: a word that nobody reads would
// be a fact that nobody uses.
Status only_keys(const nlohmann::json& line, const std::vector<std::string>& known);

// The JSON of a line; an error where it is none, has too many values or a key twice.
Result<nlohmann::json> line_of_json(const std::string& line);

// Answers each line of a file, a JSON object, with one line of JSON: {"line", …} with what `answer`
// adds, or {"line", "error"}. Bad lines are reported and the others still run; blank ones are
// passed over, but count. Gives the exit code: 2 when any line was bad or there is none, else the
// largest of the answers'.
using JsonLine =
    std::function<Result<int>(ir::Context&, const nlohmann::json& line, nlohmann::json& out)>;
int run_lines(const std::string& file, const JsonLine& answer);

// The same for lines that are questions.
using AnswerLine = std::function<Result<int>(ir::Context&, const Question&, nlohmann::json& out)>;
int run_batch(const std::string& file, const char* key, const AnswerLine& answer);

}  // namespace proviso::tools
