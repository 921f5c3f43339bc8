#include "rewrite/schedule/loop_copies.h"

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>

#include "ir/site.h"
#include "rewrite/passes/proposer.h"
#include "rewrite/schedule/merge_padding.h"

namespace proviso::rewrite {

using namespace ir;

namespace {

std::vector<std::string> loop_names(Stmt s) {
    std::vector<std::string> out;
    for_each_stmt(s, [&](Stmt inner) {
        if (const For* loop = inner->as<For>()) out.push_back(*loop->var->name);
    });
    return out;
}

// "j" of "j_1": what a fresh copy is named after.
std::string named_after(const std::string& copy) {
    std::size_t end = copy.size();
    while (end > 0 && std::isdigit(static_cast<unsigned char>(copy[end - 1])) != 0) --end;
    return end > 0 && end < copy.size() && copy[end - 1] == '_' ? copy.substr(0, end - 1) : copy;
}

bool only_stores_in(Stmt s, const std::set<std::string>& blocks) {
    if (const Block* block = s->as<Block>()) return blocks.count(block->name) != 0;
    if (const For* loop = s->as<For>()) return only_stores_in(loop->body, blocks);
    if (const Seq* list = s->as<Seq>()) {
        return std::all_of(list->body.begin(), list->body.end(),
                           [&](Stmt inner) { return only_stores_in(inner, blocks); });
    }
    return false;
}

// The loops of a reduction that is computed in parts are those of the block of parts: new loops
// that a restating step says to count as old ones.
std::map<std::string, std::vector<std::string>> restated_loops(const Step& step) {
    const std::vector<std::string> old = loop_names(step.before.body);
    const std::vector<std::string> now = loop_names(step.after.body);
    const auto has = [](const std::vector<std::string>& names, const std::string& name) {
        return std::find(names.begin(), names.end(), name) != names.end();
    };
    std::map<std::string, std::vector<std::string>> out;
    const nlohmann::json args = nlohmann::json::parse(step.args);
    for (const nlohmann::json& part : args["parts"]) {
        for (const auto& [loop, is] : part["to"].items()) {
            const auto was = is.get<std::string>();
            if (loop != was && has(now, loop) && has(old, was)) out[was] = {loop};
        }
    }
    return out;
}

}  // namespace

// `inits`: blocks that initialise reductions.
LoopCopies::Became LoopCopies::became(const Step& step, const std::set<std::string>& inits) {
    Became out;
    if (step.rule == "merge-loops") {
        const For* first = locate(step.before, step.site)->stmt->as<For>();
        const For* second = next_statement(step.before, step.site)->as<For>();
        out.loops[*second->var->name] = {*first->var->name};
        out.merged = true;
        return out;
    }
    static const std::set<std::string> copying = {"fission", "hoist", "split-range", "unroll"};
    if (copying.count(step.rule) == 0) return out;
    const std::vector<std::string> old = loop_names(step.before.body);
    const std::set<std::string> known(old.begin(), old.end());
    for (const std::string& name : loop_names(step.after.body)) {
        if (known.count(name) != 0) continue;
        const std::string from = named_after(name);
        std::vector<std::string>& copies = out.loops[from];
        if (copies.empty()) copies = {from};
        copies.push_back(name);
    }
    if (step.rule != "fission" || out.loops.size() != 1) return out;
    auto& [loop, parts] = *out.loops.begin();
    const std::optional<Site> first = find_loop(step.after, loop);
    if (first && only_stores_in(locate(step.after, *first)->stmt, inits))
        parts.erase(parts.begin());
    return out;
}

LoopCopies::LoopCopies(const std::vector<Step>& steps, std::size_t first) {
    std::set<std::string> inits;
    bool parted = false;
    for (std::size_t k = first; k < steps.size(); ++k) {
        if (steps[k].rule == "split-init") {
            inits.insert(nlohmann::json::parse(steps[k].args)["block"].get<std::string>());
        }
        Became step = became(steps[k], inits);
        if (parted && steps[k].rule == "restate") step.loops = restated_loops(steps[k]);
        parted = parted || steps[k].rule == "stage-partial";
        if (!step.loops.empty()) steps_.push_back(std::move(step));
    }
}

std::set<std::string> LoopCopies::changed() const {
    std::set<std::string> out;
    for (const Became& step : steps_) {
        for (const auto& [loop, is] : step.loops) {
            if (of({loop}) != std::vector<std::string>{loop}) out.insert(loop);
        }
    }
    return out;
}

std::vector<std::string> LoopCopies::of(std::vector<std::string> loops) const {
    for (const Became& step : steps_) {
        if (step.merged && loops.size() == 1) continue;  // of no copies
        std::vector<std::string> now;
        for (const std::string& name : loops) {
            const auto found = step.loops.find(name);
            const std::vector<std::string> same = {name};
            for (const std::string& n : found != step.loops.end() ? found->second : same) {
                if (std::find(now.begin(), now.end(), n) == now.end()) now.push_back(n);
            }
        }
        loops = std::move(now);
    }
    return loops;
}

}  // namespace proviso::rewrite
