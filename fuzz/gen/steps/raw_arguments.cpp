#include "fuzz/gen/steps/raw_arguments.h"

#include <nlohmann/json.hpp>

#include "analysis/memory/access.h"
#include "fuzz/gen/general_program.h"
#include "fuzz/gen/steps/sites.h"
#include "fuzz/gen/steps/witness.h"
#include "ir/children.h"
#include "ir/text.h"

namespace proviso::fuzz {

using namespace ir;

namespace {

std::vector<std::string> texts(const std::vector<Expr>& exprs) {
    std::vector<std::string> out;
    for (Expr e : exprs) out.push_back(print(e));
    return out;
}

}  // namespace

RawArguments::RawArguments(Context& ctx, const Function& f, Choice& choice)
    : ctx_(ctx), f_(f), choice_(choice), statements_(all_statements(f)), names_(bound_names(f)) {
    fresh_ = names_;
}

std::string RawArguments::name(const std::string& own) {
    if (!own.empty() && choice_.chance(12)) return own;
    if (choice_.chance(80) || names_.empty()) return fresh_name("r", fresh_);
    if (choice_.chance(6)) return choice_.pick({"", "for", "a b", "_", "general"});
    return choice_.pick(std::vector<std::string>(names_.begin(), names_.end()));
}

rewrite::Restated RawArguments::around(const Site& site, Stmt s) {
    rewrite::Restated out;
    rewrite::Part part{Site{}.child("body"), Site{}, {}, {}};
    Expr zero = ctx_.int_imm(kInt32, 0);
    if (choice_.chance(60)) {
        std::set<std::string> used = names_;
        Expr u = ctx_.var(fresh_name("u", used), kInt32);
        Expr end = ctx_.int_imm(kInt32, choice_.chance(80) ? 1 : 2);
        out.after = ctx_.stmt(For{u, zero, end, ForKind::Serial, "", s});
        part.to[u] = zero;
    } else {
        std::vector<Expr> shape;
        for (auto rank = choice_.between(1, 2); rank > 0; --rank) {
            shape.push_back(choice_.chance(80)
                                ? ctx_.int_imm(kInt32, choice_.between(-1, 4))
                                : general_expression(ctx_, choice_, f_, site, kInt32, 1));
        }
        const ScalarType type = choice_.pick({kInt32, kBool, kFloat32});
        const std::string scope = choice_.pick({"global", "local"});
        out.after = ctx_.stmt(Allocate{ctx_.buffer(name(), type, shape, scope), s});
    }
    out.parts.push_back(std::move(part));
    return out;
}

std::string RawArguments::text(const Site& site, ScalarType type, int depth) {
    return print(general_expression(ctx_, choice_, f_, site, type, depth));
}

std::string RawArguments::number(const Site& site, ScalarType type, Expr near) {
    switch (choice_.weighted({near == nullptr ? 0 : 40, 40, 12, 8})) {
        case 0:
            if (is_int_const(near)) {
                return int128_text(near->int_value() + choice_.between(-2, 2));
            }
            return print(choice_.chance(50) ? near : ctx_.add(near, ctx_.int_imm(near->type, 1)));
        case 1: return std::to_string(choice_.between(-1, 5));
        case 2: return text(site, type, 0);
        default: return text(site, type, 1);
    }
}

std::string RawArguments::condition(const Site& site) {
    if (choice_.chance(50)) {
        std::vector<Expr> known;
        for (const auto& [where, e] : all_expressions(f_)) {
            if (e->type.is_bool() && !is_const(e)) known.push_back(e);
        }
        if (!known.empty()) return print(choice_.pick(known));
    }
    return text(site, kBool, 1);
}

nlohmann::json RawArguments::witness(const Site& site, const std::vector<Expr>& cell, Buffer b) {
    std::vector<Site> writers = stores_of(f_, b);
    if (writers.empty() || choice_.chance(6)) {
        const SitedStmt& any = choice_.pick(statements_);
        return {{"statement", any.first.str()}, {"at", iteration(site, any.first)}};
    }
    const Site& writer = choice_.pick(writers);
    if (choice_.chance(70)) return guess_witness(ctx_, f_, writer, cell, choice_);
    return {{"statement", writer.str()}, {"at", iteration(site, writer)}};
}

nlohmann::json RawArguments::iteration(const Site& site, const Site& of) {
    json at = json::object();
    for (Expr v : analysis::point_at(ctx_, f_, of).loops) {
        at[*v->name] = choice_.chance(60) ? *v->name : number(site, v->type);
    }
    return at;
}

nlohmann::json RawArguments::claims(const Site& site) {
    json out = json::array();
    const auto count = choice_.between(1, 2);
    for (std::int64_t k = 0; k < count; ++k) out.push_back(claim(site));
    return out;
}

nlohmann::json RawArguments::claim(const Site& site) {
    const std::string kind =
        choice_.pick({"assume", "binding", "last-write", "observed", "observed", "invariant"});
    json out = {{"kind", kind}};
    const SitedStmt& any = choice_.pick(statements_);
    out["statement"] = any.first.str();
    out["at"] = iteration(site, any.first);
    if (choice_.chance(15)) out["point"] = choice_.pick(statements_).first.str();
    if (choice_.chance(15)) out["when"] = text(site, kBool, 0);
    Buffer b = buffer();
    if (kind == "observed" && b != nullptr && choice_.chance(70)) out["unchanged"] = {b->name};
    if ((kind == "last-write" || kind == "invariant") && b != nullptr) {
        std::vector<Expr> cell;
        for (Expr extent : b->shape) {
            cell.push_back(general_expression(ctx_, choice_, f_, site, extent->type, 0));
        }
        out["buffer"] = b->name;
        out["indices"] = texts(cell);
        out["writer"] = witness(site, cell, b);
        out["property"] = choice_.pick({"v == v", "0 <= v", "v < 2147483647", "v == 0"});
        out["coverage"] = json::object();
        out["definite"] = choice_.chance(50);
    }
    // What such a claim does not read is refused.
    if (kind == "binding") out.erase("at");
    if (kind == "last-write" || kind == "invariant") {
        for (const char* key : {"statement", "at"}) out.erase(key);
    }
    if (kind == "last-write") {
        for (const char* key : {"property", "coverage", "definite"}) out.erase(key);
    }
    return out;
}

Buffer RawArguments::buffer() {
    std::vector<Buffer> all = f_.buffer_params();
    for (const SitedStmt& s : statements_) {
        if (const Allocate* n = s.second->as<Allocate>()) all.push_back(n->buffer);
    }
    return all.empty() ? nullptr : choice_.pick(all);
}

void RawArguments::maybe_claims(json& args, const Site& site) {
    if (choice_.chance(30)) args["claims"] = claims(site);
}

nlohmann::json RawArguments::reasons(const Site& site,
                                     const std::function<std::string(const Site&)>& key) {
    json out = json::object();
    for (const auto& [inner, s] : statements_) {
        const Store* store = s->as<Store>();
        if (store == nullptr || !site.contains(inner)) continue;
        const std::string mode =
            choice_.pick({"same", "dead", "dead", "unreachable", "indet", "unreachable"});
        json how = {{"mode", mode}};
        if (choice_.chance(85)) {
            how[mode == "dead" ? "writers" : "writer"] =
                mode == "dead" ? json::array({witness(inner, store->indices, store->buffer)})
                               : witness(inner, store->indices, store->buffer);
        }
        out[key(inner)] = how;
    }
    return out;
}

StepGuess RawArguments::spoiled(StepGuess guess) {
    if (choice_.chance(12)) guess.site = choice_.pick(statements_).first;
    json args = json::parse(guess.args);
    if (choice_.chance(85)) spoil(args, guess.site, 0);
    guess.args = args.dump();
    return guess;
}

// One member, somewhere.
void RawArguments::spoil(json& value, const Site& site, int depth) {
    if (value.is_object() && !value.empty() && (depth == 0 || choice_.chance(70))) {
        auto it = value.begin();
        std::advance(it, choice_.between(0, static_cast<std::int64_t>(value.size()) - 1));
        if (choice_.chance(8)) {
            value.erase(it);
        } else {
            spoil(*it, site, depth + 1);
        }
        return;
    }
    if (value.is_array() && !value.empty() && choice_.chance(60)) {
        const auto k = static_cast<std::size_t>(
            choice_.between(0, static_cast<std::int64_t>(value.size()) - 1));
        if (choice_.chance(15)) {
            value.erase(value.begin() + static_cast<std::ptrdiff_t>(k));
        } else if (choice_.chance(15)) {
            value.push_back(json(value[k]));
        } else {
            spoil(value[k], site, depth + 1);
        }
        return;
    }
    switch (choice_.weighted({30, 15, 12, 12, 6, 5, 5, 5, 10})) {
        case 0: value = name(); break;
        case 1: value = number(site, kInt32); break;
        case 2: value = text(site, choice_.pick({kInt32, kInt64, kInt8, kFloat32, kBool})); break;
        case 3: value = choice_.pick(statements_).first.str(); break;
        case 4: value = json::array(); break;
        case 5: value = json::object(); break;
        case 6: value = choice_.between(-2, 5); break;
        case 7: value = choice_.chance(50) ? json(nullptr) : json(true); break;
        default: value = condition(site);
    }
}

}  // namespace proviso::fuzz
