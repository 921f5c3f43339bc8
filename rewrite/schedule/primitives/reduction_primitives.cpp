// Primitives that give a block, or the initialisation of a reduction, loops of its own.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "rewrite/passes/claim_search.h"
#include "rewrite/schedule/primitives/primitives.h"
#include "rewrite/schedule/restated.h"

namespace proviso::rewrite {

using namespace ir;
using nlohmann::json;

namespace {

// A statement of a list before all others of it that stand before it.
std::optional<Rejection> to_the_front(Proposer& p, const Site& list, std::size_t place) {
    std::vector<Stmt> body = locate(p.current(), list)->stmt->as<Seq>()->body;
    Restated r;
    for (std::size_t k = 0; k < body.size(); ++k) {
        const std::size_t now = k == place ? 0 : k < place ? k + 1 : k;
        r.parts.push_back(
            Part{Site{}.child(std::to_string(now)), Site{}.child(std::to_string(k)), {}, {}});
        if (k < place) r.apart.emplace(k, place);
    }
    std::rotate(body.begin(), body.begin() + static_cast<std::ptrdiff_t>(place),
                body.begin() + static_cast<std::ptrdiff_t>(place) + 1);
    r.after = p.ctx().seq(body);
    return restate(p, list, r);
}

// if c: { S; T }  →  if c: S;  if c: T
std::optional<Rejection> first_under_its_own(Proposer& p, const Site& at, const IfElse& branch) {
    Context& ctx = p.ctx();
    const Seq& list = *branch.then_body->as<Seq>();
    const std::vector<Stmt> rest(list.body.begin() + 1, list.body.end());
    Restated r;
    const Site then = Site{}.child("then");
    r.parts.push_back(Part{Site{}.child("0").child("then"), then.child("0"), {}, {}});
    for (std::size_t k = 0; k < rest.size(); ++k) {
        Site now = Site{}.child("1").child("then");
        if (rest.size() > 1) now = now.child(std::to_string(k));
        r.parts.push_back(Part{now, then.child(std::to_string(k + 1)), {}, {}});
    }
    r.after = ctx.seq({ctx.if_(branch.cond, list.body[0]), ctx.if_(branch.cond, ctx.seq(rest))});
    return restate(p, at, r);
}

}  // namespace

std::variant<std::string, Refusal> Primitives::split_init(const std::string& block) {
    const Site at = *p_.index().block(block);
    json names = json::object();
    for (const BlockIter& it : locate(p_.current(), at)->stmt->as<Block>()->iters) {
        names[*it.var->name] = fresh(*it.var->name + "_init");
    }
    const std::string init = fresh(block + "_init");
    if (auto no = step("split-init", at, json{{"block", init}, {"names", names}})) return *no;
    return init;
}

std::optional<Refusal> Primitives::part_loop(const std::string& block, std::size_t k) {
    while (true) {
        const Site at = *p_.index().block(block);
        // The loops that are around the block now: the second part of a loop has a new name.
        const std::string loop = *loops_around(p_.current(), at)[k]->name;
        const Site here = *p_.index().loop(loop);
        if (!locate(p_.current(), here.child("body"))->stmt->is<Seq>()) return std::nullopt;
        const std::size_t place = std::stoul(at.steps[here.steps.size() + 1]);
        Outcome parted = fission(loop, static_cast<std::int64_t>(place > 0 ? place : place + 1));
        if (Refusal* no = std::get_if<Refusal>(&parted)) return std::move(*no);
    }
}

std::optional<Refusal> Primitives::init_first(const std::string& init, std::size_t k) {
    while (true) {
        const Site at = *p_.index().block(init);
        const std::string loop = *loops_around(p_.current(), at)[k]->name;
        const Site here = *p_.index().loop(loop);
        const Site body = here.child("body");
        // The largest statement with nothing but the initialisation in it.
        Site nest = at;
        while (nest != body && !locate(p_.current(), nest.parent())->stmt->is<Seq>()) {
            nest = nest.parent();
        }
        if (nest == body) return std::nullopt;
        const Site list = nest.parent();
        const std::size_t place = std::stoul(nest.steps.back());
        if (place != 0) {
            if (auto no = to_the_front(p_, list, place)) return std::get<Refusal>(refuse(*no));
            continue;
        }
        if (list == body) {
            Outcome parted = fission(loop, 1);
            if (Refusal* no = std::get_if<Refusal>(&parted)) return std::move(*no);
            return std::nullopt;
        }
        Stmt around = locate(p_.current(), list.parent())->stmt;
        if (const IfElse* branch = around->as<IfElse>()) {
            if (auto no = first_under_its_own(p_, list.parent(), *branch)) {
                return std::get<Refusal>(refuse(*no));
            }
            continue;
        }
        const Allocate* buffer = around->as<Allocate>();
        if (buffer == nullptr) {
            return std::get<Refusal>(
                refuse("the initialisation cannot leave what stands between loop " + loop +
                           " and block " + init,
                       "decompose the reduction before a loop inside of it"));
        }
        // Everything but the initialisation in a buffer of its own.
        const std::string rest = fresh("u");
        const std::size_t last = locate(p_.current(), list)->stmt->as<Seq>()->body.size() - 1;
        const std::string name = buffer->buffer->name;
        bool shrunk = put_together(p_, list, 1, last, rest);
        shrunk = shrunk && !own_temporary(rest, buffer->buffer);
        if (!shrunk || !take_apart(p_, rest)) {
            return std::get<Refusal>(
                refuse("the initialisation cannot leave the scope of " + name +
                           ", which stands between it and loop " + loop,
                       "decompose the reduction first, then give the loop " + name));
        }
    }
}

std::optional<Refusal> Primitives::separate_from_rest(const std::string& block) {
    const Site at = *p_.index().block(block);
    std::string init;
    if (locate(p_.current(), at)->stmt->as<Block>()->init != nullptr) {
        const auto split = split_init(block);
        if (const Refusal* no = std::get_if<Refusal>(&split)) return *no;
        init = std::get<std::string>(split);
    }
    for (std::size_t k = loops_around(p_.current(), *p_.index().block(block)).size(); k-- > 0;) {
        if (auto no = part_loop(block, k)) return no;
    }
    if (!init.empty()) reduce_own_extents(p_, init);
    return std::nullopt;
}

Outcome Primitives::decompose_reduction(const std::string& block, const std::string& loop) {
    const std::optional<Site> at = p_.index().block(block);
    if (!at) return refuse("there is no block '" + block + "' any more");
    if (locate(p_.current(), *at)->stmt->as<Block>()->init == nullptr) {
        return refuse("block " + block + " has no initialisation to take out",
                      "a reduction states it with T.init()");
    }
    const std::vector<Expr> loops = loops_around(p_.current(), *at);
    const auto outermost =
        std::find_if(loops.begin(), loops.end(), [&](Expr v) { return *v->name == loop; });
    if (outermost == loops.end()) {
        return refuse("loop " + loop + " is not around block " + block,
                      "the initialisation goes before one of the loops around the reduction");
    }
    const auto first = static_cast<std::size_t>(outermost - loops.begin());
    const std::size_t start = p_.derivation().steps().size();
    reserved_.clear();
    const auto init = split_init(block);
    if (const Refusal* no = std::get_if<Refusal>(&init)) return *no;
    for (std::size_t k = loops.size(); k-- > first;) {
        if (auto no = init_first(std::get<std::string>(init), k)) {
            p_.derivation().roll_back(start);
            return *no;
        }
    }
    reduce_own_extents(p_, std::get<std::string>(init));
    return Names{std::get<std::string>(init)};
}

}  // namespace proviso::rewrite
