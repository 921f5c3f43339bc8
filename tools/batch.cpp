#include "tools/batch.h"

#include <algorithm>
#include <cctype>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tools/program.h"
#include "tools/support.h"

namespace proviso::tools {

using namespace ir;
using nlohmann::json;

namespace {

constexpr std::size_t kLinesPerContext = 1000;  // a fresh context now and then keeps memory flat

// Identifiers of a text that could be variables: not after a dot, not before a parenthesis or
// bracket.
std::vector<std::string> free_names(const std::string& text) {
    std::vector<std::string> out;
    for (std::size_t i = 0; i < text.size();) {
        const auto word = [&](std::size_t at) {
            return at < text.size() &&
                   (std::isalnum(static_cast<unsigned char>(text[at])) != 0 || text[at] == '_');
        };
        if (text[i] == '"' || text[i] == '\'') {
            const std::size_t end = text.find(text[i], i + 1);
            i = end == std::string::npos ? text.size() : end + 1;
            continue;
        }
        if (!word(i)) {
            ++i;
            continue;
        }
        std::size_t end = i;
        while (word(end)) ++end;
        const std::string name = text.substr(i, end - i);
        const bool attribute = i > 0 && text[i - 1] == '.';
        const bool starts = std::isdigit(static_cast<unsigned char>(name[0])) == 0;
        std::size_t next = text.find_first_not_of(' ', end);
        const bool called = next != std::string::npos &&
                            (text[next] == '(' || text[next] == '[' || text[next] == '.');
        if (starts && !attribute && !called) out.push_back(name);
        i = end;
    }
    return out;
}

bool is_word_of_the_language(const std::string& name) {
    static const std::vector<std::string> words = {"and", "or",   "not", "True", "False",  "None",
                                                   "if",  "else", "in",  "is",   "lambda", "T"};
    return std::find(words.begin(), words.end(), name) != words.end();
}

Result<Question> finish(Context& ctx, Question q, const std::vector<std::string>& given,
                        const std::string& expr, bool boolean) {
    std::vector<std::string> texts = given;
    texts.push_back(expr);
    for (const std::string& text : texts) {
        if (const Status ok = declare_missing(ctx, text, q); !ok) return ok.error();
    }
    for (const std::string& text : given) {
        const Result<Expr> fact = parse_expr(ctx, text, q.scope, kBool, "<given>");
        if (!fact) return fact.error();
        q.given.push_back(*fact);
    }
    const auto type = boolean ? std::optional<ScalarType>(kBool) : std::nullopt;
    const Result<Expr> parsed = parse_expr(ctx, expr, q.scope, type, boolean ? "<goal>" : "<expr>");
    if (!parsed) return parsed.error();
    q.expr = *parsed;
    return q;
}

Question blank(Context& ctx) {
    Question q;
    q.function.name = "question";
    q.function.body = ctx.pass();
    return q;
}

}  // namespace

Status declare_missing(Context& ctx, const std::string& text, Question& q) {
    for (const std::string& name : free_names(text)) {
        if (is_word_of_the_language(name) ||
            q.scope.vars.count(name) + q.scope.buffers.count(name) != 0)
            continue;
        if (const Status ok = declare(ctx, name, "int32", q.scope, q.function); !ok) return ok;
    }
    return Unit{};
}

Result<Question> read_question(Context& ctx, const std::vector<std::string>& vars,
                               const std::vector<std::string>& given, const std::string& expr,
                               bool boolean) {
    Question q = blank(ctx);
    for (const std::string& var : vars) {
        const std::size_t colon = std::min(var.find(':'), var.size());
        const std::string type = colon < var.size() ? var.substr(colon + 1) : "int32";
        const Status ok = declare(ctx, var.substr(0, colon), type, q.scope, q.function);
        if (!ok) return ok.error();
    }
    return finish(ctx, std::move(q), given, expr, boolean);
}

Result<Question> read_question(Context& ctx, const json& line, const char* key) {
    if (!line.is_object()) return error("not a JSON object");
    Question q = blank(ctx);
    if (line.contains("vars")) {
        if (!line["vars"].is_object()) return error("\"vars\" must be an object: name -> type");
        for (const auto& [name, type] : line["vars"].items()) {
            if (!type.is_string()) return error("the type of " + name + " must be a string");
            const Status ok = declare(ctx, name, type.get<std::string>(), q.scope, q.function);
            if (!ok) return ok.error();
        }
    }
    std::vector<std::string> given;
    if (line.contains("given")) {
        if (!line["given"].is_array()) return error("\"given\" must be a list of expressions");
        for (const json& fact : line["given"]) {
            if (!fact.is_string()) return error("\"given\" must be a list of expressions");
            given.push_back(fact.get<std::string>());
        }
    }
    if (!line.contains(key) || !line[key].is_string()) {
        return error(std::string("\"") + key + "\" must be an expression");
    }
    return finish(ctx, std::move(q), given, line[key].get<std::string>(),
                  std::string(key) == "goal");
}

int run_lines(const std::string& file, const JsonLine& answer) {
    const Result<std::string> text = read_file(file);
    if (!text) return bad_input(text.error());
    std::istringstream in(*text);
    std::string line;
    std::unique_ptr<Context> ctx;
    int code = kFine;
    for (std::size_t number = 1; std::getline(in, line); ++number) {
        if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
        if (ctx == nullptr || number % kLinesPerContext == 0) ctx = std::make_unique<Context>();
        json out = {{"line", number}};
        const json parsed = json::parse(line, nullptr, false);
        const Result<int> one =
            parsed.is_discarded() ? Result<int>(error("not JSON")) : answer(*ctx, parsed, out);
        if (!one) {
            out = {{"line", number}, {"error", to_json(one.error())}};
            code = kBadInput;
        } else if (code != kBadInput) {
            code = std::max(code, *one);
        }
        print_json(out);
    }
    return code;
}

int run_batch(const std::string& file, const char* key, const AnswerLine& answer) {
    return run_lines(file, [&](Context& ctx, const json& line, json& out) -> Result<int> {
        const Result<Question> q = read_question(ctx, line, key);
        if (!q) return q.error();
        return answer(ctx, *q, out);
    });
}

}  // namespace proviso::tools
