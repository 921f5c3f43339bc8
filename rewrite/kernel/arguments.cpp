#include "rewrite/kernel/arguments.h"

#include <nlohmann/json.hpp>

#include "analysis/facts/path.h"
#include "rewrite/kernel/only_members.h"

namespace proviso::rewrite {

using namespace ir;
using namespace analysis;
using nlohmann::json;

const json* member(const json& args, const char* key) {
    if (!args.is_object()) return nullptr;
    const auto it = args.find(key);
    return it == args.end() ? nullptr : &*it;
}

Diagnostic missing(const char* key, const char* what) {
    return error(std::string("argument '") + key + "' must be " + what);
}

Result<std::string> arg_string(const json& args, const char* key) {
    const json* v = member(args, key);
    if (v == nullptr || !v->is_string()) return missing(key, "a string");
    return v->get<std::string>();
}

Result<std::int64_t> arg_int(const json& args, const char* key) {
    const json* v = member(args, key);
    if (v == nullptr || !v->is_number_integer()) return missing(key, "an integer");
    return v->get<std::int64_t>();
}

bool arg_flag(const json& args, const char* key) {
    const json* v = member(args, key);
    return v != nullptr && v->get<bool>();  // what is no boolean is caught in propose_step
}

Result<Site> arg_site(const json& args, const char* key) {
    const Result<std::string> text = arg_string(args, key);
    if (!text) return text.error();
    return Site::parse(*text);
}

Result<std::vector<std::string>> arg_strings(const json& args, const char* key) {
    const json* v = member(args, key);
    if (v == nullptr || !v->is_array()) return missing(key, "a list of strings");
    std::vector<std::string> out;
    for (const json& item : *v) {
        if (!item.is_string()) return missing(key, "a list of strings");
        out.push_back(item.get<std::string>());
    }
    return out;
}

Result<Expr> arg_expr(Context& ctx, const json& args, const char* key, const Scope& scope,
                      ScalarType type) {
    const Result<std::string> text = arg_string(args, key);
    if (!text) return text.error();
    return parse_expr(ctx, *text, scope, type, std::string("<argument ") + key + ">");
}

Result<Witness> read_witness(Context& ctx, const Function& f, const json& value,
                             const Scope& scope) {
    Result<Site> statement = arg_site(value, "statement");
    if (!statement) return statement.error();
    const Result<Located> found = locate(f, *statement);
    if (!found) return found.error();
    if (found->stmt == nullptr) return error("a witness names no statement: " + statement->str());
    Witness out{*statement, {}};
    const json* at = member(value, "at");
    if (at == nullptr || !at->is_object()) return missing("at", "an object: loop -> expression");
    std::string loops;
    for (Expr loop : point_at(ctx, f, *statement).loops) {
        Result<Expr> e = arg_expr(ctx, *at, loop->name->c_str(), scope, loop->type);
        if (!e) return e.error();
        out.at[loop] = *e;
        loops += (loops.empty() ? "" : " ") + *loop->name;
    }
    if (const Status ok = only_members(*at, loops); !ok) return ok.error();
    return out;
}

Result<std::vector<Witness>> read_one_or_more(Context& ctx, const Function& f, const json& value,
                                              const Scope& scope) {
    const json list = value.is_array() ? value : json::array({value});
    std::vector<Witness> out;
    for (const json& item : list) {
        if (const Status ok = only_members(item, "at statement"); !ok) return ok.error();
        Result<Witness> w = read_witness(ctx, f, item, scope);
        if (!w) return w.error();
        out.push_back(*std::move(w));
    }
    return out;
}

Result<std::vector<Witness>> read_witnesses(Context& ctx, const Function& f, const json& args,
                                            const char* key, const Scope& scope) {
    const json* list = member(args, key);
    if (list == nullptr) return std::vector<Witness>();
    if (!list->is_array()) return missing(key, "a list of witnesses");
    return read_one_or_more(ctx, f, *list, scope);
}

}  // namespace proviso::rewrite
