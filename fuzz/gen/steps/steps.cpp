#include "fuzz/gen/steps/steps.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "analysis/facts/path.h"
#include "fuzz/gen/steps/layout_steps.h"
#include "fuzz/gen/steps/sites.h"
#include "fuzz/gen/steps/structure_steps.h"
#include "fuzz/gen/steps/witness.h"
#include "ir/text.h"

namespace proviso::fuzz {

using namespace ir;
using nlohmann::json;

namespace {

class StepGen {
  public:
    StepGen(Context& ctx, const Function& f, Choice& choice)
        : ctx_(ctx), f_(f), choice_(choice), names_(bound_names(f)) {}

    std::optional<StepGuess> run() {
        switch (choice_.weighted({16, 7, 8, 24, 8, 9, 2, 3, 3, 4, 7, 3, 3, 3, 3, 40})) {
            case 0: return split();
            case 1: return fuse();
            case 2: return reorder();
            case 3: return replace();
            case 4: return drop_store();
            case 5: return drop_guard();
            case 6: return drop_empty();
            case 7: return lower_block();
            case 8: return lower_expr(Op::Undef, "lower-undef");
            case 9: return lower_division();
            case 10: return guess_relayout(ctx_, f_, names_, choice_);
            case 11: return flatten();
            case 12: return stage_read();
            case 13: return stage_write();
            case 14: return decide_branch();
            default: return guess_structure(ctx_, f_, names_, choice_);
        }
    }

  private:
    using SitedStmt = std::pair<Site, Stmt>;

    template <typename Node>
    std::vector<SitedStmt> all() {
        std::vector<SitedStmt> out;
        for (const SitedStmt& s : all_statements(f_)) {
            if (s.second->is<Node>()) out.push_back(s);
        }
        return out;
    }
    std::string fresh(const std::string& base) { return fresh_name(base, names_); }
    static StepGuess guess(const char* rule, const Site& site, const json& args) {
        return StepGuess{rule, site, args.dump()};
    }

    std::optional<StepGuess> split() {
        const auto loops = all<For>();
        if (loops.empty()) return std::nullopt;
        const auto& [site, s] = choice_.pick(loops);
        const For& loop = *s->as<For>();
        std::int64_t factor = choice_.between(2, 5);
        if (choice_.chance(6)) factor = choice_.between(-2, 1);
        bool divides = false;
        if (is_int_const(loop.lo) && is_int_const(loop.hi) && factor > 0) {
            divides = (loop.hi->int_value() - loop.lo->int_value()) % factor == 0;
        }
        const bool blocks = contains_block(loop.body);
        std::string guard = divides ? "none" : blocks ? "block" : "if";
        if (choice_.chance(15)) guard = choice_.pick({"none", "if", "block"});
        return guess("split", site,
                     {{"factor", std::to_string(factor)},
                      {"outer", fresh(*loop.var->name + "o")},
                      {"inner", fresh(*loop.var->name + "i")},
                      {"guard", guard}});
    }

    static bool contains_block(Stmt s) {
        bool found = false;
        for_each_stmt(s, [&](Stmt x) { found = found || x->is<Block>(); });
        return found;
    }

    std::optional<StepGuess> fuse() {
        std::vector<SitedStmt> outer;
        for (const SitedStmt& l : all<For>()) {
            if (l.second->as<For>()->body->is<For>()) outer.push_back(l);
        }
        if (outer.empty()) return std::nullopt;
        return guess("fuse", choice_.pick(outer).first, {{"name", fresh("fused")}});
    }

    std::optional<StepGuess> reorder() {
        std::vector<SitedStmt> nests;
        for (const SitedStmt& l : all<For>()) {
            if (l.second->as<For>()->body->is<For>()) nests.push_back(l);
        }
        if (nests.empty()) return std::nullopt;
        const auto& [site, s] = choice_.pick(nests);
        std::vector<std::string> order;
        for (const For* l = s->as<For>(); l != nullptr; l = l->body->as<For>()) {
            order.push_back(*l->var->name);
            if (order.size() >= 2 && choice_.chance(40)) break;
        }
        std::rotate(order.begin(), order.begin() + 1, order.end());
        return guess("reorder", site, {{"order", order}});
    }

    std::optional<StepGuess> replace() {
        const auto sites = all_expressions(f_);
        if (sites.empty()) return std::nullopt;
        for (int attempt = 0; attempt < 5; ++attempt) {
            const auto& [site, e] = choice_.pick(sites);
            if (e->op == Op::Load && choice_.chance(50)) {
                if (auto known = replace_load(site, e)) return known;
            }
            const std::vector<Expr> to = near_equals(ctx_, e);
            if (to.empty()) continue;
            return guess("replace", site, {{"to", print(choice_.pick(to))}});
        }
        return std::nullopt;
    }

    // A load by the value that was stored there last.
    std::optional<StepGuess> replace_load(const Site& site, Expr load) {
        const std::vector<Site> writers = stores_of(f_, load->buffer);
        if (writers.empty()) return std::nullopt;
        const Site& writer = choice_.pick(writers);
        const std::vector<Expr> indices(load->args.begin(), load->args.end());
        const json witness = guess_witness(ctx_, f_, writer, indices, choice_);
        Expr value = locate(f_, writer)->stmt->as<Store>()->value;
        Substitution at;
        const Scope scope = analysis::scope_at(ctx_, f_, site);
        for (Expr v : free_vars(value)) {
            const auto w = witness["at"].find(*v->name);
            if (w == witness["at"].end()) continue;
            const Result<Expr> e = parse_expr(ctx_, w->get<std::string>(), scope, v->type);
            if (!e) return std::nullopt;
            at[v] = *e;
        }
        std::vector<std::string> cell;
        for (Expr i : indices) cell.push_back(print(i));
        const json claim = {{"kind", "last-write"},
                            {"buffer", load->buffer->name},
                            {"indices", cell},
                            {"writer", witness}};
        return guess(
            "replace", site,
            {{"to", print(substitute(ctx_, value, at))}, {"claims", json::array({claim})}});
    }

    json guess_store_reason(const Site& site, const Store& store, bool in_guard) {
        json how = {{"mode", choice_.chance(50) ? "same" : "dead"}};
        std::vector<Site> others = stores_of(f_, store.buffer);
        if (!in_guard || choice_.chance(70)) std::erase(others, site);
        if (others.empty() || choice_.chance(15)) return how;
        const auto witness = [&] {
            return guess_witness(ctx_, f_, choice_.pick(others), store.indices, choice_);
        };
        if (how["mode"] == "same") {
            how["writer"] = witness();
        } else {
            how["writers"] = json::array({witness()});
            if (choice_.chance(20)) how["writers"].push_back(witness());
        }
        return how;
    }

    std::optional<StepGuess> drop_store() {
        const auto stores = all<Store>();
        if (stores.empty()) return std::nullopt;
        const auto& [site, s] = choice_.pick(stores);
        const Store& store = *s->as<Store>();
        if (store.value->op == Op::Undef || choice_.chance(5)) {
            return guess("drop-store", site, {{"mode", "indet"}});
        }
        return guess("drop-store", site, guess_store_reason(site, store, false));
    }

    std::optional<StepGuess> drop_guard() {
        std::vector<SitedStmt> guarded;
        for (const SitedStmt& s : all_statements(f_)) {
            const Block* b = s.second->as<Block>();
            const IfElse* i = s.second->as<IfElse>();
            if (b != nullptr && !is_true(b->predicate)) guarded.push_back(s);
            if (i != nullptr && i->else_body == nullptr) guarded.push_back(s);
        }
        if (guarded.empty()) return std::nullopt;
        const auto& [site, s] = choice_.pick(guarded);
        json args = {{"stores", json::object()}};
        const std::string base = site.str();
        const bool is_if = s->is<IfElse>();
        for (const auto& [inner, x] : all_statements(f_)) {
            const Store* store = x->as<Store>();
            if (store == nullptr || !site.contains(inner)) continue;
            std::string key = inner.str();
            if (is_if) key = base + key.substr(std::min(key.size(), base.size() + 5));  // "/then"
            args["stores"][key] = guess_store_reason(inner, *store, true);
        }
        if (const Block* b = s->as<Block>(); b != nullptr && choice_.chance(60)) {
            for (const BlockIter& it : b->iters) {
                if (!is_int_const(it.hi) || !choice_.chance(70)) continue;
                const Int128 hi = it.hi->int_value() + choice_.between(-1, 4);
                if (!it.hi->type.contains(hi)) continue;
                args["domains"][*it.var->name] = print(ctx_.int_imm(it.hi->type, hi));
            }
        }
        return guess("drop-guard", site, args);
    }

    std::optional<StepGuess> decide_branch() {
        std::vector<SitedStmt> some = all<IfElse>();
        for (const SitedStmt& l : all<For>()) {
            if (is_int_const(l.second->as<For>()->hi)) some.push_back(l);
        }
        if (some.empty()) return std::nullopt;
        return guess("decide-branch", choice_.pick(some).first, json::object());
    }

    std::optional<StepGuess> drop_empty() {
        return guess("drop-empty", choice_.pick(all_statements(f_)).first, json::object());
    }

    std::optional<StepGuess> lower_block() {
        const auto blocks = all<Block>();
        if (blocks.empty()) return std::nullopt;
        return guess("lower-block", choice_.pick(blocks).first, json::object());
    }

    std::optional<StepGuess> lower_expr(Op op, const char* rule) {
        std::vector<Site> sites;
        for (const auto& [site, e] : all_expressions(f_)) {
            if (e->op == op) sites.push_back(site);
        }
        if (sites.empty()) return std::nullopt;
        return guess(rule, choice_.pick(sites), json::object());
    }

    std::optional<StepGuess> lower_division() {
        std::vector<Site> sites;
        for (const auto& [site, e] : all_expressions(f_)) {
            if (e->op == Op::FloorDiv || e->op == Op::FloorMod) sites.push_back(site);
        }
        if (sites.empty()) return std::nullopt;
        return guess("lower-division", choice_.pick(sites),
                     {{"form", choice_.chance(60) ? "trunc" : "general"}});
    }

    std::vector<Buffer> buffers(std::size_t least_rank) {
        std::vector<Buffer> out;
        for (Buffer b : f_.buffer_params()) out.push_back(b);
        for (const SitedStmt& a : all<Allocate>()) out.push_back(a.second->as<Allocate>()->buffer);
        std::erase_if(out, [&](Buffer b) { return b->rank() < least_rank; });
        return out;
    }

    std::optional<StepGuess> flatten() {
        const auto some = buffers(2);
        if (some.empty()) return std::nullopt;
        return guess("flatten", Site{},
                     {{"buffer", choice_.pick(some)->name}, {"var", fresh("flat")}});
    }

    json staging(Buffer b) {
        std::vector<std::string> loops;
        for (std::size_t d = 0; d < b->rank(); ++d) loops.push_back(fresh("c"));
        json args = {{"buffer", b->name},
                     {"name", fresh(b->name + "_cache")},
                     {"scope", "local"},
                     {"names", loops}};
        if (choice_.chance(50)) args["block"] = fresh("copy");
        return args;
    }

    std::optional<StepGuess> stage_read() {
        const auto some = buffers(1);
        if (some.empty()) return std::nullopt;
        const auto statements = all_statements(f_);
        return guess("stage-read", choice_.pick(statements).first, staging(choice_.pick(some)));
    }

    std::optional<StepGuess> stage_write() {
        const auto statements = all_statements(f_);
        const auto& [site, s] = choice_.pick(statements);
        const std::vector<Buffer> written = analysis::stored_buffers(s);
        if (written.empty()) return std::nullopt;
        Buffer b = choice_.pick(written);
        json args = staging(b);
        std::vector<Expr> cell;
        for (std::size_t d = 0; d < b->rank(); ++d) {
            cell.push_back(ctx_.var(args["names"][d].get<std::string>(), b->shape[d]->type));
        }
        std::vector<Site> writers = stores_of(f_, b);
        std::erase_if(writers, [&](const Site& w) { return !site.contains(w); });
        args["writer"] = guess_witness(ctx_, f_, choice_.pick(writers), cell, choice_);
        args["reads"] = json::object();
        for (const auto& [at, e] : all_expressions(f_)) {
            if (e->op != Op::Load || e->buffer != b || !site.contains(at)) continue;
            const Site statement = analysis::path_to(f_, at).statement_site;
            args["reads"][statement.str()].push_back(
                guess_witness(ctx_, f_, choice_.pick(writers),
                              std::vector<Expr>(e->args.begin(), e->args.end()), choice_));
        }
        return guess("stage-write", site, args);
    }

    Context& ctx_;
    const Function& f_;
    Choice& choice_;
    std::set<std::string> names_;
};

}  // namespace

std::optional<StepGuess> guess_step(Context& ctx, const Function& f, Choice& choice) {
    return StepGen(ctx, f, choice).run();
}

std::optional<StepGuess> next_lowering(const Function& f) {
    for (const auto& [site, s] : all_statements(f)) {
        if (s->is<Assume>()) return StepGuess{"lower-assume", site, "{}"};
        if (s->is<Block>()) return StepGuess{"lower-block", site, "{}"};
    }
    for (const auto& [site, e] : all_expressions(f)) {
        if (e->op == Op::Undef) return StepGuess{"lower-undef", site, "{}"};
    }
    return std::nullopt;
}

}  // namespace proviso::fuzz
