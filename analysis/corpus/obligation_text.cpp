// See obligation_text.h.
#include "analysis/corpus/obligation_text.h"

#include <algorithm>
#include <cctype>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "ir/children.h"
#include "ir/files/json_text.h"
#include "ir/files/limits.h"
#include "ir/files/read.h"
#include "ir/text.h"

namespace proviso::analysis {

using ir::Expr;
using ir::Op;
using nlohmann::json;

namespace {

constexpr std::uint32_t kLargest = 4000;  // nodes of a printed tree

std::string buffer_type(ir::Buffer b) {
    std::string out = b->type.str() + "[";
    for (std::size_t i = 0; i < b->shape.size(); ++i) {
        const Expr extent = b->shape[i];
        out += (i == 0 ? "" : ", ") + (ir::is_int_const(extent) ? ir::print(extent) : "1");
    }
    return out + "]";
}

// "int32", "float32[4, 8]"
Status declare(ir::Context& ctx, const std::string& name, const std::string& type,
               ir::Scope& scope) {
    const std::size_t bracket = type.find('[');
    const auto scalar = ir::ScalarType::parse(type.substr(0, bracket));
    if (!scalar) return error("no type '" + type + "'");
    if (bracket == std::string::npos) {
        scope.vars[name] = ctx.var(name, *scalar);
        return Unit{};
    }
    std::vector<Expr> shape;
    std::string digits;
    for (const char c : type.substr(bracket + 1)) {
        if (std::isdigit(static_cast<unsigned char>(c)) != 0) {
            digits += c;
        } else if (!digits.empty()) {
            if (digits.size() > 9) return error("an extent out of range");
            shape.push_back(ctx.i32(std::stoll(digits)));
            digits.clear();
        }
    }
    scope.buffers[name] = ctx.buffer(name, *scalar, shape);
    return Unit{};
}

// Names that the text uses and nobody has declared.
void declare_missing(ir::Context& ctx, const std::string& text, ir::Scope& scope) {
    const auto word = [&](std::size_t at) {
        return at < text.size() &&
               (std::isalnum(static_cast<unsigned char>(text[at])) != 0 || text[at] == '_');
    };
    for (std::size_t at = 0; at < text.size();) {
        if (!word(at)) {
            ++at;
            continue;
        }
        std::size_t end = at;
        while (word(end)) ++end;
        const std::string name = text.substr(at, end - at);
        const bool attribute = at > 0 && text[at - 1] == '.';
        const bool number = std::isdigit(static_cast<unsigned char>(name[0])) != 0;
        const std::size_t next = text.find_first_not_of(' ', end);
        const bool called = next != std::string::npos && (text[next] == '(' || text[next] == '[' ||
                                                          text[next] == '.' || text[next] == '"');
        const bool keyword = name == "and" || name == "or" || name == "not" || name == "T" ||
                             name == "True" || name == "False" || name == "if" || name == "else";
        if (!attribute && !number && !called && !keyword && scope.vars.count(name) == 0) {
            scope.vars[name] = ctx.var(name, ir::kInt32);
        }
        at = end;
    }
}

bool is_text_list(const json& line, const char* key) {
    if (!line.contains(key)) return true;
    if (!line[key].is_array()) return false;
    const auto is_text = [](const json& x) { return x.is_string(); };
    return std::all_of(line[key].begin(), line[key].end(), is_text);
}

}  // namespace

json obligation_json(ir::Context& ctx, const Obligation& obligation) {
    json out = json::object();
    std::vector<Expr> all = obligation.facts;
    all.push_back(obligation.goal);
    json vars = json::object();
    bool clash = false;
    const auto name = [&](const std::string& n, const std::string& type) {
        const auto [at, is_new] = vars.emplace(n, type);
        clash = clash || *at != type;
    };
    for (Expr e : all) {
        if (e->size > kLargest) return nullptr;
        ir::for_each_node(e, [&](Expr n) {
            if (n->op == Op::Var) name(*n->name, n->type.str());
            if (n->op == Op::Load) name(n->buffer->name, buffer_type(n->buffer));
        });
    }
    if (clash) return nullptr;
    out["vars"] = vars;
    out["given"] = json::array();
    for (Expr f : obligation.facts) out["given"].push_back(ir::print(f));
    out["goal"] = ir::print(obligation.goal);
    for (Expr v : obligation.unbounded) out["unbounded"].push_back(*v->name);
    ir::Context other;
    const Result<Obligation> again = read_obligation(other, out);
    if (!again || to_smt(other, *again).text != to_smt(ctx, obligation).text) return nullptr;
    return out;
}

Result<Obligation> read_obligation(ir::Context& ctx, const json& line) {
    if (!line.is_object() || !line.contains("goal") || !line["goal"].is_string() ||
        !is_text_list(line, "given") || !is_text_list(line, "unbounded")) {
        return error("not an obligation: \"goal\" and \"given\" must be expressions");
    }
    ir::Scope scope;
    const json vars = line.value("vars", json::object());
    for (const auto& [name, type] : vars.items()) {
        if (!type.is_string()) return error("the type of " + name + " must be a string");
        if (const Status ok = declare(ctx, name, type.get<std::string>(), scope); !ok) {
            return ok.error();
        }
    }
    Obligation out;
    out.purpose.words = "corpus";
    std::vector<std::string> texts;
    const json given = line.value("given", json::array());
    for (const json& fact : given) texts.push_back(fact.get<std::string>());
    texts.push_back(line["goal"].get<std::string>());
    for (const std::string& text : texts) declare_missing(ctx, text, scope);
    for (const std::string& text : texts) {
        const Result<Expr> e = ir::parse_expr(ctx, text, scope, ir::kBool);
        if (!e) return e.error();
        out.facts.push_back(*e);
    }
    out.goal = out.facts.back();
    out.facts.pop_back();
    for (const json& v : line.value("unbounded", json::array())) {
        const auto at = scope.vars.find(v.get<std::string>());
        if (at != scope.vars.end()) out.unbounded.push_back(at->second);
    }
    return out;
}

Result<std::vector<CorpusEntry>> read_corpus(ir::Context& ctx, const std::string& path) {
    const Result<std::string> lines = ir::read_file(path, ir::limits::kBatchBytes);
    if (!lines) return lines.error();
    std::istringstream in(*lines);
    std::vector<CorpusEntry> out;
    std::string text;
    for (int number = 1; std::getline(in, text); ++number) {
        if (text.empty()) continue;
        const json line = ir::parse_json(text);
        Result<Obligation> o = line.is_discarded() ? Result<Obligation>(error("not JSON"))
                                                   : read_obligation(ctx, line);
        if (!o) return error(path + ":" + std::to_string(number) + ": " + o.error().message);
        const std::string verdict = line.value("verdict", "");
        out.push_back({line.value("id", ""), line.value("origin", ""),
                       verdict == "PROVED"    ? Verdict::Proved
                       : verdict == "REFUTED" ? Verdict::Refuted
                                              : Verdict::Unknown,
                       *o});
    }
    return out;
}

}  // namespace proviso::analysis
