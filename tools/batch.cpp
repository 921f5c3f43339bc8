#include "tools/batch.h"

#include <algorithm>
#include <cctype>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "ir/files/json_text.h"
#include "ir/files/limits.h"
#include "ir/text/keywords.h"
#include "ir/text/spelling.h"
#include "tools/program.h"
#include "tools/support/support.h"

namespace proviso::tools {

using namespace ir;
using nlohmann::json;

namespace {

constexpr std::size_t kLinesPerContext = 1000;  // a fresh context now and then keeps memory flat

// Identifiers of a text that could be variables: not after a dot, not before a parenthesis or
// bracket, not in a comment. With `all`, those before brackets, too.
std::vector<std::string> words_of(const std::string& text, bool all) {
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
        if (text[i] == '#') {
            i = std::min(text.find('\n', i), text.size());
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
        const bool called = next != std::string::npos && (text[next] == '(' || text[next] == '[');
        if (starts && !attribute && (all || !called)) out.push_back(name);
        i = end;
    }
    return out;
}

bool is_word_of_the_language(const std::string& name) {
    return name == "T" || python::is_keyword(name);
}

Result<Question> finish(Context& ctx, Question q, const std::vector<std::string>& given,
                        const std::string& expr, bool boolean) {
    std::vector<std::string> texts = given;
    texts.push_back(expr);
    for (const std::string& text : texts) {
        if (const Status ok = declare_missing(ctx, text, q); !ok) return ok.error();
    }
    for (std::size_t i = 0; i < given.size(); ++i) {
        const Result<Expr> fact =
            read_text(ctx, given[i], q.scope, kBool, name_of_fact(i, given.size()));
        if (!fact) return fact.error();
        q.given.push_back(*fact);
    }
    const auto type = boolean ? std::optional<ScalarType>(kBool) : std::nullopt;
    const Result<Expr> parsed = read_text(ctx, expr, q.scope, type, boolean ? "<goal>" : "<expr>");
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

std::string name_of_fact(std::size_t index, std::size_t of) {
    return of == 1 ? "<given>" : "<given " + std::to_string(index + 1) + ">";
}

Result<Expr> read_text(Context& ctx, const std::string& text, const Scope& scope,
                       std::optional<ScalarType> type, const std::string& file) {
    // A let is named so that it is no other name of the whole scope.
    const bool lets =
        text.find("let") != std::string::npos || text.find("Let") != std::string::npos;
    Scope here;
    for (const std::string& name : words_of(text, true)) {
        if (const auto v = scope.vars.find(name); v != scope.vars.end()) here.vars.insert(*v);
        if (const auto b = scope.buffers.find(name); b != scope.buffers.end()) {
            here.buffers.insert(*b);
        }
    }
    Result<Expr> out = parse_expr(ctx, text, lets ? scope : here, type, file);
    if (out) return out;
    // With all names, any of which may be the one that was meant.
    Diagnostic wrong = parse_expr(ctx, text, scope, type, file).error();
    const std::string unknown = "is not defined";
    const bool is_buffer = wrong.message.size() > unknown.size() &&
                           wrong.message.substr(wrong.message.size() - unknown.size()) == unknown;
    if (is_buffer && wrong.hint.empty()) wrong.hint = "a buffer is declared: --var A:float32[8]";
    return wrong;
}

Status declare_missing(Context& ctx, const std::string& text, Question& q) {
    for (const std::string& name : words_of(text, false)) {
        if (is_word_of_the_language(name) ||
            q.scope.vars.count(name) + q.scope.buffers.count(name) != 0)
            continue;
        if (const Status ok = declare(ctx, name, "int32", q.scope, q.function); !ok) return ok;
    }
    return Unit{};
}

std::vector<std::pair<std::string, std::string>> declarations(
    const std::vector<std::string>& vars) {
    std::vector<std::pair<std::string, std::string>> out;
    for (const std::string& var : vars) {
        const std::size_t colon = std::min(var.find(':'), var.size());
        out.emplace_back(var.substr(0, colon),
                         colon < var.size() ? var.substr(colon + 1) : "int32");
    }
    return out;
}

Status declare_all(Context& ctx, const std::vector<std::pair<std::string, std::string>>& vars,
                   Question& q) {
    for (const bool buffers : {false, true}) {
        for (const auto& [name, type] : vars) {
            if ((type.find('[') != std::string::npos) != buffers) continue;
            const Status ok = declare(ctx, name, type, q.scope, q.function);
            if (!ok) return ok;
        }
    }
    return Unit{};
}

Result<Question> read_question(Context& ctx, const std::vector<std::string>& vars,
                               const std::vector<std::string>& given, const std::string& expr,
                               bool boolean) {
    Question q = blank(ctx);
    if (const Status ok = declare_all(ctx, declarations(vars), q); !ok) return ok.error();
    return finish(ctx, std::move(q), given, expr, boolean);
}

Status only_keys(const json& line, const std::vector<std::string>& known) {
    if (!line.is_object()) {
        return error(std::string("a line is one JSON object, not ") + line.type_name(),
                     "such as {\"" + known.back() + "\": …}");
    }
    for (const auto& [key, value] : line.items()) {
        if (std::find(known.begin(), known.end(), key) != known.end()) continue;
        std::string all;
        for (const std::string& k : known) all += (all.empty() ? "" : ", ") + k;
        return error("unknown key \"" + key + "\"", suggest(key, known, "there are: " + all));
    }
    return Unit{};
}

namespace {

Diagnostic wrong_kind(const std::string& what, const char* expected, const json& value) {
    return error(what + " must be " + expected + ", not " + value.type_name());
}

}  // namespace

Result<std::string> text_of(const json& line, const char* key) {
    if (!line.contains(key)) return std::string();
    if (line[key].is_string()) return line[key].get<std::string>();
    return wrong_kind(std::string("\"") + key + "\"", "a string", line[key]);
}

Result<std::vector<std::string>> texts_of(const json& line, const char* key) {
    std::vector<std::string> out;
    if (!line.contains(key)) return out;
    const std::string name = std::string("\"") + key + "\"";
    if (!line[key].is_array()) return wrong_kind(name, "a list of strings", line[key]);
    for (const json& e : line[key]) {
        if (!e.is_string()) return wrong_kind("an element of " + name, "a string", e);
        out.push_back(e.get<std::string>());
    }
    return out;
}

Result<std::vector<std::pair<std::string, std::string>>> pairs_of(const json& line,
                                                                  const char* key) {
    std::vector<std::pair<std::string, std::string>> out;
    if (!line.contains(key)) return out;
    const std::string name = std::string("\"") + key + "\"";
    if (!line[key].is_object()) return wrong_kind(name, "an object: name -> text", line[key]);
    for (const auto& [of, value] : line[key].items()) {
        if (!value.is_string()) return wrong_kind(of + " of " + name, "a string", value);
        out.emplace_back(of, value.get<std::string>());
    }
    return out;
}

Result<Question> read_question(Context& ctx, const json& line, const char* key) {
    if (const Status ok = only_keys(line, {"vars", "given", key}); !ok) return ok.error();
    Question q = blank(ctx);
    const auto vars = pairs_of(line, "vars");
    if (!vars) return vars.error();
    if (const Status ok = declare_all(ctx, *vars, q); !ok) return ok.error();
    const auto given = texts_of(line, "given");
    if (!given) return given.error();
    if (!line.contains(key)) return error(std::string("there is no \"") + key + "\"");
    const auto text = text_of(line, key);
    if (!text) return text.error();
    return finish(ctx, std::move(q), *given, *text, std::string(key) == "goal");
}

namespace {

// What nlohmann's message says after the place.
std::string without_place(const std::string& what) {
    const std::size_t column = what.find("column ");
    const std::size_t end = what.find(": ", column == std::string::npos ? 0 : column);
    return end == std::string::npos ? what : what.substr(end + 2);
}

}  // namespace

// Of a key that is given twice JSON readers keep one, whichever they like.
Result<json> line_of_json(const std::string& line) {
    std::vector<std::set<std::string>> open;
    std::string twice;
    const auto look = [&](int, json::parse_event_t event, json& value) {
        if (event == json::parse_event_t::object_start) open.emplace_back();
        if (event == json::parse_event_t::object_end) open.pop_back();
        const bool is_key = event == json::parse_event_t::key;
        if (is_key && !open.back().insert(value.get<std::string>()).second && twice.empty()) {
            twice = value.get<std::string>();
        }
        return true;
    };
    if (const std::string excess = json_excess(line); !excess.empty()) return error(excess);
    try {
        json out = json::parse(line, look);
        if (!twice.empty()) return error("the key \"" + twice + "\" is given twice");
        return out;
    } catch (const json::parse_error& e) {
        Diagnostic wrong = error("not JSON: " + without_place(e.what()));
        wrong.column = static_cast<int>(e.byte);
        return wrong;
    } catch (const json::exception& e) {
        return error(std::string("not JSON: ") + without_place(e.what()));
    }
}

namespace {

std::string without_mark(std::string text) {
    constexpr std::string_view mark = "\xEF\xBB\xBF";  // of UTF-8, as some editors write it
    if (text.compare(0, mark.size(), mark) == 0) text.erase(0, mark.size());
    return text;
}

}  // namespace

int run_lines(const std::string& file, const JsonLine& answer) {
    Result<std::string> text = read_file(file, limits::kBatchBytes);
    if (!text) return bad_input(text.error(), true);
    std::istringstream in(without_mark(*std::move(text)));
    std::string line;
    std::unique_ptr<Context> ctx;
    int code = kFine;
    std::size_t answered = 0;
    for (std::size_t number = 1; std::getline(in, line); ++number) {
        if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
        if (answered++ % kLinesPerContext == 0) ctx = std::make_unique<Context>();
        json out = {{"line", number}};
        const Result<json> value = line_of_json(line);
        const Result<int> one = value ? answer(*ctx, *value, out) : Result<int>(value.error());
        if (!one) {
            out = {{"line", number}, {"error", to_json(one.error())}};
            code = kBadInput;
        } else if (code != kBadInput) {
            code = std::max(code, *one);
        }
        print_json(out);
    }
    if (answered > 0) return code;
    return bad_input(error((file == "-" ? "standard input" : file) + " holds no line to answer"),
                     true);
}

int run_batch(const std::string& file, const char* key, const AnswerLine& answer) {
    return run_lines(file, [&](Context& ctx, const json& line, json& out) -> Result<int> {
        const Result<Question> q = read_question(ctx, line, key);
        if (!q) return q.error();
        return answer(ctx, *q, out);
    });
}

}  // namespace proviso::tools
