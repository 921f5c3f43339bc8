#include "fuzz/gen/steps/raw_steps.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "analysis/facts/path.h"
#include "fuzz/gen/general_program.h"
#include "fuzz/gen/steps/raw_arguments.h"
#include "fuzz/gen/steps/sites.h"
#include "fuzz/gen/steps/witness.h"
#include "ir/children.h"
#include "ir/text.h"
#include "rewrite/kernel/only_members.h"
#include "rewrite/kernel/rule.h"
#include "rewrite/schedule/restated.h"

namespace proviso::fuzz {

using namespace ir;

namespace {

class RawSteps : private RawArguments {
  public:
    using RawArguments::RawArguments;

    StepGuess run() {
        if (choice_.chance(35)) {
            if (auto proposed = guess_step(ctx_, f_, choice_)) {
                return choice_.chance(45) ? spoiled(std::move(*proposed)) : *proposed;
            }
        }
        for (int tries = 0; tries < 20; ++tries) {
            const auto& [rule, make] = choice_.pick(forms());
            std::optional<StepGuess> made = (this->*make)(rule);
            if (!made) continue;
            return choice_.chance(10) ? spoiled(std::move(*made)) : *made;
        }
        return StepGuess{"drop-empty", Site{}, "{}"};
    }

  private:
    using Make = std::optional<StepGuess> (RawSteps::*)(const char*);
    using Form = std::pair<const char*, Make>;

    static const std::vector<Form>& forms() {
        static const std::vector<Form> all = {
            {"replace", &RawSteps::replace},
            {"replace", &RawSteps::replace},
            {"replace", &RawSteps::replace},
            {"drop-store", &RawSteps::drop_store},
            {"drop-empty", &RawSteps::plain<Stmt>},
            {"drop-guard", &RawSteps::guarded},
            {"drop-guard", &RawSteps::guarded},
            {"guard-inside", &RawSteps::guarded},
            {"add-guard", &RawSteps::add_guard},
            {"merge-guards", &RawSteps::merge_guards},
            {"merge-stores", &RawSteps::plain<IfElse>},
            {"hoist", &RawSteps::hoist},
            {"decide-branch", &RawSteps::plain<IfElse>},
            {"decide-branch", &RawSteps::plain<For>},
            {"split-reduction", &RawSteps::plain<For>},
            {"split", &RawSteps::split},
            {"split-range", &RawSteps::bounds},
            {"trim-loop", &RawSteps::bounds},
            {"shift-loop", &RawSteps::bounds},
            {"shift-loop", &RawSteps::bounds},
            {"reverse-loop", &RawSteps::bounds},
            {"fuse", &RawSteps::bounds},
            {"reorder", &RawSteps::reorder},
            {"merge-loops", &RawSteps::plain<For>},
            {"fission", &RawSteps::fission},
            {"compute-at", &RawSteps::placement},
            {"compute-at", &RawSteps::placement},
            {"unroll", &RawSteps::plain<For>},
            {"bind", &RawSteps::bind},
            {"vectorize", &RawSteps::plain<For>},
            {"sync", &RawSteps::sync},
            {"flatten", &RawSteps::flatten},
            {"stage-read", &RawSteps::stage},
            {"stage-write", &RawSteps::stage},
            {"stage-partial", &RawSteps::partial},
            {"share-buffer", &RawSteps::shared},
            {"outline", &RawSteps::outline},
            {"add-assume", &RawSteps::assumed},
            {"drop-assume", &RawSteps::assumed},
            {"check-assume", &RawSteps::assumed},
            {"join-block", &RawSteps::plain<Block>},
            {"rename-block", &RawSteps::renamed},
            {"split-init", &RawSteps::split_init},
            {"restate", &RawSteps::restated},
            {"lower-block", &RawSteps::plain<Block>},
            {"lower-assume", &RawSteps::plain<Assume>},
            {"lower-undef", &RawSteps::lower_expression},
            {"lower-division", &RawSteps::lower_expression},
        };
        return all;
    }

    // Without what the rule does not read, which would be refused.
    static StepGuess step(const std::string& rule, const Site& site, const json& all) {
        json args = json::object();
        for (const auto& [key, value] : all.items()) {
            if (rewrite::only_arguments(rule, {{key, nullptr}})) args[key] = value;
        }
        if (rule == "add-guard") {
            for (json& how : args["stores"]) how.erase("writer");
        }
        return StepGuess{rule, site, args.dump()};
    }

    std::optional<StepGuess> restated(const char* rule) {
        const auto& [site, s] = choice_.pick(statements_);
        if (s->is<Seq>()) return std::nullopt;
        return StepGuess{rule, site, rewrite::restate_arguments(s, around(site, s)).dump()};
    }

    template <typename Node>
    std::optional<StepGuess> plain(const char* rule) {
        if constexpr (std::is_same_v<Node, Stmt>) {
            return step(rule, choice_.pick(statements_).first, json::object());
        } else {
            const auto at = some<Node>();
            if (!at) return std::nullopt;
            return step(rule, at->first, json::object());
        }
    }

    std::optional<StepGuess> replace(const char* rule) {
        const auto sites = all_expressions(f_);
        if (sites.empty()) return std::nullopt;
        std::pair<Site, Expr> at = choice_.pick(sites);
        if (choice_.chance(35)) {  // where something chooses, the arms
            std::vector<std::pair<Site, Expr>> choices;
            for (const auto& s : sites) {
                const Op op = s.second->op;
                if (op == Op::IfThenElse || op == Op::Select || op == Op::Undef)
                    choices.push_back(s);
            }
            if (!choices.empty()) at = choice_.pick(choices);
        }
        const auto& [site, e] = at;
        std::vector<Expr> candidates = near_equals(ctx_, e);
        for (Expr a : e->args) {
            if (a->type == e->type) candidates.push_back(a);
        }
        if (choice_.chance(30) || candidates.empty()) {
            for (const auto& [other, x] : sites) {
                if (x->type == e->type) candidates.push_back(x);
            }
            candidates.push_back(general_expression(ctx_, choice_, f_, site, e->type, 1));
        }
        json args = {{"to", print(choice_.pick(candidates))}};
        maybe_claims(args, site);
        if (choice_.chance(3)) args["licences"] = {"no_signed_zero"};
        return step(rule, site, args);
    }

    std::optional<StepGuess> drop_store(const char* rule) {
        const auto at = some<Store>();
        if (!at) return std::nullopt;
        json args = {{"mode", choice_.pick({"same", "dead", "dead", "indet"})}};
        if (const Store* n = at->second->as<Store>()) {
            args["writers"] = json::array();
            const auto count = choice_.weighted({25, 60, 15});
            for (std::size_t k = 0; k < count; ++k) {
                args["writers"].push_back(witness(at->first, n->indices, n->buffer));
            }
        }
        maybe_claims(args, at->first);
        return step(rule, at->first, args);
    }

    std::optional<StepGuess> guarded(const char* rule) {
        const auto at = choice_.chance(50) ? some<IfElse>() : some<Block>();
        if (!at) return std::nullopt;
        const Site site = at->first;
        const std::string base = site.str();
        const bool is_if = at->second->is<IfElse>();
        json args = {{"stores", reasons(site, [&](const Site& inner) {
                          std::string path = inner.str();
                          if (!is_if) return path;
                          return base +
                                 path.substr(std::min(path.size(), base.size() + 5));  // "/then"
                      })}};
        if (choice_.chance(10)) args["keep"] = json::array({choice_.between(0, 1)});
        if (const Block* b = at->second->as<Block>(); b != nullptr && choice_.chance(50)) {
            for (const BlockIter& it : b->iters) {
                json end = number(site, it.var->type, it.hi);
                if (choice_.chance(25)) end = json::array({number(site, it.var->type, it.lo), end});
                args["domains"][*it.var->name] = end;
            }
        }
        maybe_claims(args, site);
        return step(rule, site, args);
    }

    std::optional<StepGuess> add_guard(const char* rule) {
        const SitedStmt& at = choice_.pick(statements_);
        json args = {{"condition", condition(at.first)},
                     {"stores", reasons(at.first, [](const Site& s) { return s.str(); })}};
        maybe_claims(args, at.first);
        return step(rule, at.first, args);
    }

    std::optional<StepGuess> merge_guards(const char* rule) {
        const auto at = some<IfElse>();
        if (!at) return std::nullopt;
        return step(rule, at->first,
                    {{"kind", choice_.pick({"identical", "complementary", "exclusive", "leaf"})}});
    }

    std::optional<StepGuess> hoist(const char* rule) {
        const SitedStmt& at = choice_.pick(statements_);
        const std::string what = choice_.pick({"condition", "let", "expression"});
        json args = {{"what", what}, {"condition", condition(at.first)}, {"name", name()}};
        std::vector<std::string> parts;
        for (const auto& [site, e] : all_expressions(f_)) {
            if (at.first.contains(site) && !e->args.empty()) parts.push_back(print(e));
        }
        args["expression"] = parts.empty() ? text(at.first, kInt32) : choice_.pick(parts);
        args["let"] = choice_.pick(statements_).first.str();
        if (what == "let") {
            std::vector<Site> lets;
            for (const auto& [site, s] : statements_) {
                if (s->is<LetStmt>()) lets.push_back(site);
            }
            if (lets.empty()) return std::nullopt;
            const Site let = choice_.pick(lets);
            args["let"] = let.str();
            Site around = let;
            while (!around.steps.empty() && choice_.chance(60)) around = around.parent();
            return step(rule, around, args);
        }
        return step(rule, at.first, args);
    }

    std::optional<StepGuess> split(const char* rule) {
        const auto at = some<For>();
        const For* loop = at ? at->second->as<For>() : nullptr;
        if (loop == nullptr) return std::nullopt;
        const std::string own = *loop->var->name;
        return step(rule, at->first,
                    {{"factor", number(at->first, loop->var->type)},
                     {"outer", name(own)},
                     {"inner", name(own)},
                     {"guard", choice_.pick({"none", "if", "leaf", "block"})}});
    }

    std::optional<StepGuess> bounds(const char* rule) {
        const auto at = some<For>();
        const For* loop = at ? at->second->as<For>() : nullptr;
        if (loop == nullptr) return std::nullopt;
        const ScalarType type = loop->var->type;
        json args = {{"name", name(*loop->var->name)},
                     {"lo", number(at->first, type, loop->lo)},
                     {"hi", number(at->first, type, loop->hi)},
                     {"at", number(at->first, type, choice_.chance(50) ? loop->lo : loop->hi)},
                     {"offset", number(at->first, type)},
                     {"guard", choice_.pick({"none", "if", "leaf", "block"})}};
        return step(rule, at->first, args);
    }

    std::optional<StepGuess> reorder(const char* rule) {
        const auto at = some<For>();
        const For* loop = at ? at->second->as<For>() : nullptr;
        if (loop == nullptr) return std::nullopt;
        std::vector<std::string> order;
        for (; loop != nullptr && order.size() < 3; loop = loop->body->as<For>()) {
            order.push_back(*loop->var->name);
        }
        if (choice_.chance(90)) std::rotate(order.begin(), order.begin() + 1, order.end());
        if (choice_.chance(6)) order.push_back(name());
        if (choice_.chance(4)) order.clear();
        json args = {{"order", order}};
        if (choice_.chance(5)) args["licences"] = {"reassociate"};
        return step(rule, at->first, args);
    }

    std::optional<StepGuess> fission(const char* rule) {
        const auto at = some<For>();
        if (!at) return std::nullopt;
        return step(rule, at->first, {{"at", choice_.between(-1, 3)}});
    }

    // A nest in a loop of another statement of its list, one iteration or a few in each.
    std::optional<StepGuess> placement(const char* rule) {
        std::vector<std::pair<SitedStmt, SitedStmt>> pairs;
        for (const SitedStmt& nest : statements_) {
            if (!nest.second->is<For>() || nest.first.steps.empty()) continue;
            const Site list = nest.first.parent();
            if (!locate(f_, list)->stmt->is<Seq>()) continue;
            for (const SitedStmt& loop : statements_) {
                const bool beside = list.contains(loop.first) && !nest.first.contains(loop.first);
                if (beside && loop.second->is<For>()) pairs.emplace_back(nest, loop);
            }
        }
        if (pairs.empty()) return std::nullopt;
        const auto& [nest, loop] = choice_.pick(pairs);
        const Site list = nest.first.parent();
        const std::string other = loop.first.steps[list.steps.size()];
        const bool before = std::stoul(nest.first.steps.back()) < std::stoul(other);
        const std::string x = *nest.second->as<For>()->var->name;
        const std::string l = *loop.second->as<For>()->var->name;
        const std::string t = name();
        const std::int64_t extent = choice_.chance(70) ? 1 : choice_.between(0, 4);
        json owner = json::object();
        for (const auto& [site, stmt] : statements_) {
            if (!stmt->is<For>() || !site.contains(loop.first)) continue;
            owner[*stmt->as<For>()->var->name] = choice_.chance(50) ? "0" : x;
        }
        owner[l] = choice_.chance(60)   ? x
                   : choice_.chance(50) ? "T.max(" + x + " - " + std::to_string(extent - 1) + ", 0)"
                                        : x + " // " + std::to_string(extent + 1);
        json args = {{"nest", nest.first.str()},
                     {"loop", loop.first.str()},
                     {"over", {x}},
                     {"names", {t}},
                     {"low", {choice_.chance(80) ? l : number(loop.first, kInt32)}},
                     {"extent", {std::to_string(extent)}},
                     {"owner", owner}};
        if (choice_.chance(40)) {
            args["guard"] = l + " == 0 or " + t + " == " + std::to_string(extent - 1);
            args["kind"] = choice_.pick({"if", "if", "leaf", "block"});
        }
        if (choice_.chance(15)) {
            args["needed"] = x + " < " + std::to_string(choice_.between(1, 8));
            args["unseen"] = {
                {"stores", reasons(nest.first, [](const Site& s) { return s.str(); })}};
        }
        return step(rule, before ? nest.first : list.child(other), args);
    }

    std::optional<StepGuess> bind(const char* rule) {
        const auto at = some<For>();
        if (!at) return std::nullopt;
        return step(rule, at->first,
                    {{"kind", choice_.pick({"parallel", "parallel", "thread", "serial"})},
                     {"thread", choice_.pick({"threadIdx.x", "blockIdx.x", "vthread", ""})}});
    }

    std::optional<StepGuess> sync(const char* rule) {
        json after = json::array();
        if (choice_.chance(70)) after.push_back(choice_.pick(statements_).first.str());
        return step(rule, Site{}, {{"after", after}});
    }

    std::optional<StepGuess> flatten(const char* rule) {
        Buffer b = buffer();
        if (b == nullptr) return std::nullopt;
        return step(rule, Site{}, {{"buffer", b->name}, {"var", name()}});
    }

    std::optional<StepGuess> stage(const char* rule) {
        const SitedStmt& at = choice_.pick(statements_);
        Buffer b = buffer();
        if (b == nullptr) return std::nullopt;
        json args = {{"buffer", b->name},
                     {"name", name(b->name)},
                     {"scope", choice_.pick({"local", "global", "shared", "nowhere"})},
                     {"reads", json::object()}};
        std::vector<std::string> loops;
        std::vector<Expr> cell;
        for (Expr extent : b->shape) {
            loops.push_back(name());
            cell.push_back(ctx_.var(loops.back().empty() ? "c" : loops.back(), extent->type));
        }
        args["names"] = loops;
        if (choice_.chance(40)) args["block"] = name();
        if (choice_.chance(55)) {
            args["offsets"] = json::array();
            args["extents"] = json::array();
            for (Expr extent : b->shape) {
                args["offsets"].push_back(number(at.first, extent->type));
                args["extents"].push_back(std::to_string(choice_.between(0, 5)));
            }
        }
        if (choice_.chance(25)) args["again"] = choice_.pick(statements_).first.str();
        if (choice_.chance(10)) args["ends"] = choice_.pick({"difference", "both"});
        args["writer"] = witness(at.first, cell, b);
        for (const auto& [where, e] : all_expressions(f_)) {
            if (e->op != Op::Load || e->buffer != b || !at.first.contains(where)) continue;
            const Site statement = analysis::path_to(f_, where).statement_site;
            args["reads"][statement.str()].push_back(
                witness(statement, {e->args.begin(), e->args.end()}, b));
        }
        return step(rule, at.first, args);
    }

    // What a loop stores to, one partial result for each iteration of a loop in it, or for each
    // few.
    std::optional<StepGuess> partial(const char* rule) {
        const auto at = some<For>();
        if (!at) return std::nullopt;
        const std::vector<Buffer> stored = analysis::stored_buffers(at->second);
        Buffer b = stored.empty() ? buffer() : choice_.pick(stored);
        if (b == nullptr || b->rank() == 0) return std::nullopt;
        std::vector<std::string> inside;
        for (const auto& [site, s] : statements_) {
            const For* loop = s->as<For>();
            if (loop != nullptr && at->first.contains(site)) inside.push_back(*loop->var->name);
        }
        const std::string part = inside.empty() ? "0" : choice_.pick(inside);
        std::vector<Expr> cell;
        json args = {{"buffer", b->name},
                     {"name", name(b->name)},
                     {"scope", choice_.pick({"local", "global"})},
                     {"names", {name()}},
                     {"extents", {std::to_string(choice_.between(1, 6))}},
                     {"map", {choice_.chance(70) ? part : part + " % 2"}},
                     {"start", choice_.pick({"0", "0", "0", "1", "-0.0", "True"})},
                     {"most", choice_.pick({0, 9, 100, 1000000})}};
        for (Expr extent : b->shape) {
            const std::string x = name();
            const std::string own = name();
            args["vars"].push_back(x);
            args["map"].push_back(choice_.chance(85) ? x : "0");
            args["names"].push_back(own);
            args["inverse"].push_back(choice_.chance(90) ? own : "0");
            args["extents"].push_back(is_int_const(extent) && choice_.chance(85)
                                          ? int128_text(extent->int_value())
                                          : std::to_string(choice_.between(0, 5)));
            cell.push_back(ctx_.var(own.empty() ? "c" : own, extent->type));
        }
        args["writer"] = witness(at->first, cell, b);
        return step(rule, at->first, args);
    }

    std::optional<StepGuess> outline(const char* rule) {
        const SitedStmt& at = choice_.pick(statements_);
        json steps = json::array();
        json args = {{"name", name()}, {"steps", steps}};
        if (choice_.chance(20)) args["count"] = choice_.between(0, 3);
        return step(rule, at.first, args);
    }

    std::optional<StepGuess> shared(const char* rule) {
        std::vector<std::string> names;
        for (const SitedStmt& at : statements_) {
            if (const auto* n = at.second->as<Allocate>()) names.push_back(n->buffer->name);
        }
        if (names.size() < 2) return std::nullopt;
        return step(rule, {}, {{"first", choice_.pick(names)}, {"second", choice_.pick(names)}});
    }

    std::optional<StepGuess> assumed(const char* rule) {
        const bool adds = std::string(rule) == "add-assume";
        const auto at = adds ? std::optional(choice_.pick(statements_)) : some<Assume>();
        if (!at) return std::nullopt;
        json args = {{"condition", condition(at->first)}, {"message", "assumed"}};
        if (adds && choice_.chance(25)) {
            Buffer b = buffer();
            if (b != nullptr && b->rank() == 1) {
                args["condition"] = b->name + "[0] == T.undef(\"" + b->type.str() + "\")";
            }
        }
        if (adds && choice_.chance(20)) {
            args["loops"] = json::array({{{"var", name()}, {"extent", number(at->first, kInt32)}}});
        }
        maybe_claims(args, at->first);
        return step(rule, at->first, args);
    }

    std::optional<StepGuess> renamed(const char* rule) {
        const auto at = some<Block>();
        if (!at) return std::nullopt;
        return step(rule, at->first, {{"block", name()}});
    }

    std::optional<StepGuess> split_init(const char* rule) {
        const auto at = some<Block>();
        const Block* b = at ? at->second->as<Block>() : nullptr;
        if (b == nullptr) return std::nullopt;
        json names = json::array();
        for (std::size_t k = 0; k < b->iters.size(); ++k) names.push_back(name());
        return step(rule, at->first, {{"block", name()}, {"names", names}});
    }

    std::optional<StepGuess> lower_expression(const char* rule) {
        std::vector<Site> sites;
        for (const auto& [site, e] : all_expressions(f_)) {
            if (e->op == Op::Undef || e->op == Op::FloorDiv || e->op == Op::FloorMod) {
                sites.push_back(site);
            }
        }
        if (sites.empty()) return std::nullopt;
        json args = {{"form", choice_.pick({"trunc", "general"})}};
        if (choice_.chance(20)) args["shift"] = std::to_string(choice_.between(-1, 3));
        return step(rule, choice_.pick(sites), args);
    }
};

}  // namespace

StepGuess raw_step(Context& ctx, const Function& f, Choice& choice) {
    return RawSteps(ctx, f, choice).run();
}

}  // namespace proviso::fuzz
