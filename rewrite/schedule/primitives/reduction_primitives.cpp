// Primitives that give a block, or the initialisation of a reduction, loops of its own.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "rewrite/passes/claim_search.h"
#include "rewrite/schedule/primitives/primitives.h"

namespace proviso::rewrite {

using namespace ir;
using nlohmann::json;

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

std::optional<Refusal> Primitives::part_loop(const std::string& block, std::size_t k, bool after) {
    while (true) {
        const Site at = *p_.index().block(block);
        // The loops that are around the block now: the second part of a loop has a new name.
        const std::string loop = *loops_around(p_.current(), at)[k]->name;
        const Site here = *p_.index().loop(loop);
        if (!locate(p_.current(), here.child("body"))->stmt->is<Seq>()) return std::nullopt;
        const std::size_t place = std::stoul(at.steps[here.steps.size() + 1]);
        if (place == 0 && !after) return std::nullopt;
        Outcome parted = fission(loop, static_cast<std::int64_t>(place > 0 ? place : place + 1));
        if (Refusal* no = std::get_if<Refusal>(&parted)) return std::move(*no);
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
        if (auto no = part_loop(block, k, true)) return no;
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
        if (auto no = part_loop(block, k, false)) {
            p_.derivation().roll_back(start);
            return *no;
        }
    }
    reduce_own_extents(p_, std::get<std::string>(init));
    return Names{std::get<std::string>(init)};
}

}  // namespace proviso::rewrite
