#include "fuzz/gen/steps/structure_steps.h"

#include <nlohmann/json.hpp>

#include "analysis/facts/path.h"
#include "fuzz/gen/steps/sites.h"
#include "fuzz/gen/steps/witness.h"
#include "ir/text.h"

namespace proviso::fuzz {

using namespace ir;
using nlohmann::json;

namespace {

class StructureGen {
  public:
    StructureGen(Context& ctx, const Function& f, std::set<std::string>& names, Choice& choice)
        : ctx_(ctx), f_(f), names_(names), choice_(choice), statements_(all_statements(f)) {}

    std::optional<StepGuess> run() {
        switch (choice_.weighted({10, 14, 18, 14, 12, 12, 10, 4, 4, 4})) {
            case 0: return merge_guards();
            case 1: return add_guard();
            case 2: return hoist();
            case 3: return trim_loop();
            case 4: return split_range();
            case 5: return merge_loops();
            case 6: return fission();
            case 7: return choice_.chance(50) ? on_loop("unroll") : reverse_loop();
            case 8: return add_assume();
            default: return on_assume();
        }
    }

  private:
    using SitedStmt = std::pair<Site, Stmt>;

    static StepGuess guess(const char* rule, const Site& site, const json& args) {
        return StepGuess{rule, site, args.dump()};
    }

    template <typename Node>
    std::vector<SitedStmt> all() const {
        std::vector<SitedStmt> out;
        for (const SitedStmt& s : statements_) {
            if (s.second->is<Node>()) out.push_back(s);
        }
        return out;
    }

    // First elements of pairs of neighbours of one sort.
    template <typename Node>
    std::vector<Site> neighbours() const {
        std::vector<Site> out;
        for (const auto& [site, s] : statements_) {
            const Seq* list = s->template as<Seq>();
            for (std::size_t k = 0; list != nullptr && k + 1 < list->body.size(); ++k) {
                if (list->body[k]->template is<Node>() && list->body[k + 1]->template is<Node>()) {
                    out.push_back(site.child(std::to_string(k)));
                }
            }
        }
        return out;
    }

    std::optional<StepGuess> merge_guards() {
        const auto sites = neighbours<IfElse>();
        if (sites.empty()) return std::nullopt;
        return guess("merge-guards", choice_.pick(sites),
                     {{"kind", choice_.pick({"identical", "complementary", "exclusive"})}});
    }

    std::optional<StepGuess> merge_loops() {
        const auto sites = neighbours<For>();
        if (sites.empty()) return std::nullopt;
        return guess("merge-loops", choice_.pick(sites), json::object());
    }

    std::optional<StepGuess> on_loop(const char* rule) {
        const auto loops = all<For>();
        if (loops.empty()) return std::nullopt;
        return guess(rule, choice_.pick(loops).first, json::object());
    }

    std::optional<StepGuess> reverse_loop() {
        const auto loops = all<For>();
        if (loops.empty()) return std::nullopt;
        return guess("reverse-loop", choice_.pick(loops).first,
                     {{"name", fresh_name("back", names_)}});
    }

    std::optional<StepGuess> fission() {
        std::vector<SitedStmt> lists;
        for (const SitedStmt& l : all<For>()) {
            const Seq* body = l.second->as<For>()->body->as<Seq>();
            if (body != nullptr && body->body.size() > 1) lists.push_back(l);
        }
        if (lists.empty()) return std::nullopt;
        const auto& [site, s] = choice_.pick(lists);
        const auto size = static_cast<std::int64_t>(s->as<For>()->body->as<Seq>()->body.size());
        return guess("fission", site, {{"at", choice_.between(1, size - 1)}});
    }

    // A comparison of a variable in scope with a small constant.
    std::optional<std::string> comparison(const Site& site) {
        std::vector<Expr> vars;
        for (const auto& [name, v] : analysis::scope_at(ctx_, f_, site).vars) {
            if (v->type.is_int()) vars.push_back(v);
        }
        if (vars.empty()) return std::nullopt;
        Expr v = choice_.pick(vars);
        Expr bound = ctx_.int_imm(v->type, choice_.between(0, 6));
        return print(choice_.chance(60) ? ctx_.lt(v, bound) : ctx_.le(bound, v));
    }

    // A condition of the program that is in scope at the site, or a guess.
    std::optional<std::string> condition(const Site& site) {
        const Scope scope = analysis::scope_at(ctx_, f_, site);
        std::vector<std::string> known;
        for (const auto& [where, e] : all_expressions(f_)) {
            if (!e->type.is_bool() || is_const(e)) continue;
            if (parse_expr(ctx_, print(e), scope, kBool).ok()) known.push_back(print(e));
        }
        if (!known.empty() && choice_.chance(70)) return choice_.pick(known);
        return comparison(site);
    }

    std::optional<StepGuess> add_guard() {
        const auto& [site, s] = choice_.pick(statements_);
        const auto c = choice_.chance(50) ? condition(site) : comparison(site);
        if (!c) return std::nullopt;
        json stores = json::object();
        for (const auto& [where, t] : statements_) {
            const Store* store = t->as<Store>();
            if (store == nullptr || !site.contains(where)) continue;
            json how = {{"mode", choice_.pick({"same", "dead", "dead", "unreachable"})}};
            std::vector<Site> others = stores_of(f_, store->buffer);
            std::erase_if(others, [&, inside = site](const Site& w) { return inside.contains(w); });
            if (how["mode"] == "dead" && !others.empty()) {
                how["writers"] = json::array(
                    {guess_witness(ctx_, f_, choice_.pick(others), store->indices, choice_)});
            }
            if (store->value->op == Op::Undef) how = {{"mode", "indet"}};
            stores[where.str()] = how;
        }
        return guess("add-guard", site, {{"condition", *c}, {"stores", stores}});
    }

    std::optional<StepGuess> hoist() {
        const auto& [site, s] = choice_.pick(statements_);
        if (choice_.chance(40)) {
            const auto c = condition(site);
            if (!c) return std::nullopt;
            return guess("hoist", site, {{"what", "condition"}, {"condition", *c}});
        }
        std::vector<Site> lets;
        std::vector<std::string> parts;
        const Scope scope = analysis::scope_at(ctx_, f_, site);
        for (const auto& [where, t] : statements_) {
            if (t->is<LetStmt>() && site.contains(where)) lets.push_back(where);
        }
        if (!lets.empty() && choice_.chance(50)) {
            return guess("hoist", site, {{"what", "let"}, {"let", choice_.pick(lets).str()}});
        }
        for (const auto& [where, e] : all_expressions(f_)) {
            if (!site.contains(where) || e->args.empty() || e->op == Op::Undef) continue;
            if (parse_expr(ctx_, print(e), scope, e->type).ok()) parts.push_back(print(e));
        }
        if (parts.empty()) return std::nullopt;
        return guess("hoist", site,
                     {{"what", "expression"},
                      {"expression", choice_.pick(parts)},
                      {"name", fresh_name("hoisted", names_)}});
    }

    std::string near(Expr bound, std::int64_t by) {
        if (is_int_const(bound) && bound->type.contains(bound->int_value() + by)) {
            return print(ctx_.int_imm(bound->type, bound->int_value() + by));
        }
        return print(by == 0 ? bound : ctx_.add(bound, ctx_.int_imm(bound->type, by)));
    }

    std::optional<StepGuess> trim_loop() {
        std::vector<SitedStmt> guarded;
        for (const SitedStmt& l : all<For>()) {
            Stmt body = l.second->as<For>()->body;
            const Block* b = body->as<Block>();
            if (body->is<IfElse>() || (b != nullptr && !is_true(b->predicate))) {
                guarded.push_back(l);
            }
        }
        if (guarded.empty() || choice_.chance(15)) guarded = all<For>();
        if (guarded.empty()) return std::nullopt;
        const auto& [site, s] = choice_.pick(guarded);
        const For& loop = *s->as<For>();
        return guess("trim-loop", site,
                     {{"lo", near(loop.lo, choice_.chance(50) ? 0 : choice_.between(-1, 3))},
                      {"hi", near(loop.hi, choice_.chance(20) ? 0 : -choice_.between(-1, 4))}});
    }

    std::optional<StepGuess> split_range() {
        const auto loops = all<For>();
        if (loops.empty()) return std::nullopt;
        const auto& [site, s] = choice_.pick(loops);
        const For& loop = *s->as<For>();
        const bool from_below = choice_.chance(60);
        return guess("split-range", site,
                     {{"at", from_below ? near(loop.lo, choice_.between(0, 3))
                                        : near(loop.hi, -choice_.between(0, 3))}});
    }

    std::optional<StepGuess> add_assume() {
        const auto& [site, s] = choice_.pick(statements_);
        const auto c = condition(site);
        if (!c) return std::nullopt;
        return guess("add-assume", site, {{"condition", *c}});
    }

    std::optional<StepGuess> on_assume() {
        const auto assumes = all<Assume>();
        if (assumes.empty()) return std::nullopt;
        const Site& site = choice_.pick(assumes).first;
        if (choice_.chance(50)) return guess("drop-assume", site, json::object());
        return guess("check-assume", site, {{"message", "assumed"}});
    }

    Context& ctx_;
    const Function& f_;
    std::set<std::string>& names_;
    Choice& choice_;
    std::vector<SitedStmt> statements_;
};

}  // namespace

std::optional<StepGuess> guess_structure(Context& ctx, const Function& f,
                                         std::set<std::string>& names, Choice& choice) {
    return StructureGen(ctx, f, names, choice).run();
}

}  // namespace proviso::fuzz
