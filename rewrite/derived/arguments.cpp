#include "rewrite/derived/arguments.h"

#include <nlohmann/json.hpp>

namespace proviso::rewrite {

using namespace ir;
using nlohmann::json;

std::optional<std::string> arg_string_if(const json& args, const char* key) {
    const json* v = member(args, key);
    if (v == nullptr) return std::nullopt;
    return v->get<std::string>();  // what is no string is caught in propose_step
}

Result<std::vector<Expr>> arg_exprs(Context& ctx, const json& args, const char* key,
                                    const Scope& scope, ScalarType type) {
    const Result<std::vector<std::string>> texts = arg_strings(args, key);
    if (!texts) return texts.error();
    std::vector<Expr> out;
    for (const std::string& text : *texts) {
        Result<Expr> e = parse_expr(ctx, text, scope, type, std::string("<argument ") + key + ">");
        if (!e) return e.error();
        out.push_back(*e);
    }
    return out;
}

}  // namespace proviso::rewrite
