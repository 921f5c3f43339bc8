#include "rewrite/kernel/arguments.h"

#include <nlohmann/json.hpp>

#include "analysis/path.h"

namespace proviso::rewrite {

using namespace ir;
using namespace analysis;
using nlohmann::json;

namespace {

const json* member(const json& args, const char* key) {
    if (!args.is_object()) return nullptr;
    const auto it = args.find(key);
    return it == args.end() ? nullptr : &*it;
}

Diagnostic missing(const char* key, const char* what) {
    return error(std::string("argument '") + key + "' must be " + what);
}

}  // namespace

Result<std::string> arg_string(const json& args, const char* key) {
    const json* v = member(args, key);
    if (v == nullptr || !v->is_string()) return missing(key, "a string");
    return v->get<std::string>();
}

std::optional<std::string> arg_string_if(const json& args, const char* key) {
    const json* v = member(args, key);
    if (v == nullptr || !v->is_string()) return std::nullopt;
    return v->get<std::string>();
}

Result<std::int64_t> arg_int(const json& args, const char* key) {
    const json* v = member(args, key);
    if (v == nullptr || !v->is_number_integer()) return missing(key, "an integer");
    return v->get<std::int64_t>();
}

bool arg_flag(const json& args, const char* key) {
    const json* v = member(args, key);
    return v != nullptr && v->is_boolean() && v->get<bool>();
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

Result<Witness> read_witness(Context& ctx, const Function& f, const json& value,
                             const Scope& scope) {
    Result<Site> statement = arg_site(value, "statement");
    if (!statement) return statement.error();
    const Result<Located> found = locate(f, *statement);
    if (!found) return found.error();
    Witness out{*statement, {}};
    const json* at = member(value, "at");
    if (at == nullptr || !at->is_object()) return missing("at", "an object: loop -> expression");
    for (Expr loop : point_at(ctx, f, *statement).loops) {
        Result<Expr> e = arg_expr(ctx, *at, loop->name->c_str(), scope, loop->type);
        if (!e) return e.error();
        out.at[loop] = *e;
    }
    return out;
}

Result<std::vector<Witness>> read_witnesses(Context& ctx, const Function& f, const json& args,
                                            const char* key, const Scope& scope) {
    std::vector<Witness> out;
    const json* list = member(args, key);
    if (list == nullptr) return out;
    if (!list->is_array()) return missing(key, "a list of witnesses");
    for (const json& item : *list) {
        Result<Witness> w = read_witness(ctx, f, item, scope);
        if (!w) return w.error();
        out.push_back(*std::move(w));
    }
    return out;
}

namespace {

struct ClaimReader {
    const MemoryModel& memory;
    const json& claim;
    const ClaimPoint& point;
    Scope scope;

    Context& ctx() const { return memory.ctx(); }

    Result<Buffer> buffer() const {
        const Result<std::string> name = arg_string(claim, "buffer");
        if (!name) return name.error();
        const auto found = scope.buffers.find(*name);
        if (found == scope.buffers.end()) return error("no buffer '" + *name + "' in scope");
        return found->second;
    }

    // The index type is int32 unless the text says otherwise.
    Result<std::vector<Expr>> indices(Buffer b) const {
        const Result<std::vector<std::string>> texts = arg_strings(claim, "indices");
        if (!texts) return texts.error();
        if (texts->size() != b->rank()) return error("claim with the wrong number of indices");
        std::vector<Expr> out;
        for (const std::string& text : *texts) {
            Result<Expr> e = parse_expr(ctx(), text, scope, std::nullopt, "<claim>");
            if (!e) return e.error();
            if (!(*e)->type.is_int()) return error("index '" + text + "' is not an integer");
            out.push_back(*e);
        }
        return out;
    }

    Result<Witness> witness(const char* key) const {
        const json* w = member(claim, key);
        if (w == nullptr) return missing(key, "a witness");
        return read_witness(ctx(), memory.function(), *w, scope);
    }

    Result<Established> invariant() const {
        const Result<Buffer> b = buffer();
        if (!b) return b.error();
        const Result<std::vector<Expr>> at = indices(*b);
        if (!at) return at.error();
        const Result<Witness> writer = witness("writer");
        if (!writer) return writer.error();
        Invariant inv;
        inv.buffer = *b;
        inv.var = ctx().var("v", (*b)->type);
        Scope only_v;
        only_v.vars["v"] = inv.var;
        const Result<Expr> property = arg_expr(ctx(), claim, "property", only_v, kBool);
        if (!property) return property.error();
        inv.property = *property;
        if (const json* coverage = member(claim, "coverage")) {
            if (!coverage->is_object()) return missing("coverage", "an object");
            for (const auto& [key, list] : coverage->items()) {
                const Result<Site> site = Site::parse(key);
                if (!site) return site.error();
                if (const auto found = locate(memory.function(), *site); !found) {
                    return found.error();
                }
                if (!list.is_array()) return missing("coverage", "lists of witnesses");
                const Scope inner = scope_at(ctx(), memory.function(), *site);
                for (const json& w : list) {
                    Result<Witness> one = read_witness(ctx(), memory.function(), w, inner);
                    if (!one) return one.error();
                    inv.coverage[*site].push_back(*one);
                }
            }
        }
        return store_invariant(memory, point, inv, *at, *writer);
    }

    Result<Established> read() const {
        const Result<std::string> kind = arg_string(claim, "kind");
        if (!kind) return kind.error();
        if (*kind == "assume") {
            const Result<Witness> w = read_witness(ctx(), memory.function(), claim, scope);
            if (!w) return w.error();
            return known_by_assume(memory, point, *w);
        }
        if (*kind == "invariant") return invariant();
        if (*kind == "last-write") {
            const Result<Buffer> b = buffer();
            if (!b) return b.error();
            const Result<std::vector<Expr>> at = indices(*b);
            if (!at) return at.error();
            const Result<Witness> w = witness("writer");
            if (!w) return w.error();
            return last_write(memory, point, *b, *at, *w);
        }
        return error("no claim of kind '" + *kind + "'", "assume, invariant or last-write");
    }
};

}  // namespace

Result<FactsByPoint> read_claims(const MemoryModel& memory, const json& args, const Site& at,
                                 const std::vector<Expr>& extra,
                                 std::vector<Obligation>& obligations) {
    FactsByPoint out;
    const json* claims = member(args, "claims");
    if (claims == nullptr) return out;
    if (!claims->is_array()) return missing("claims", "a list");
    for (const json& claim : *claims) {
        Site where = at;
        if (member(claim, "point") != nullptr) {
            const Result<Site> given = arg_site(claim, "point");
            if (!given) return given.error();
            where = *given;
        }
        const Result<Located> found = locate(memory.function(), where);
        if (!found) return found.error();
        where = path_to(memory.function(), where).statement_site;
        std::vector<Expr> known = extra;
        std::vector<Expr>& established = out[where];
        known.insert(known.end(), established.begin(), established.end());
        const ClaimPoint point = claim_point(memory, where, known);
        const ClaimReader reader{memory, claim, point,
                                 scope_at(memory.ctx(), memory.function(), where)};
        Result<Established> result = reader.read();
        if (!result) return result.error();
        for (Obligation& o : result->obligations) obligations.push_back(std::move(o));
        established.insert(established.end(), result->facts.begin(), result->facts.end());
    }
    return out;
}

}  // namespace proviso::rewrite
