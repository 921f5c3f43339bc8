#include "rewrite/schedule/primitives/placement/unbound.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "ir/child_at.h"

namespace proviso::rewrite {

using namespace ir;

namespace {

// The loop that a step has bound to threads; null: it has done something else.
const For* bound_by(const Step& step) {
    if (step.rule != "bind") return nullptr;
    const Result<Located> at = locate(step.after, step.site);
    const For* loop = at ? at->as<For>() : nullptr;
    return loop != nullptr && loop->kind == ForKind::ThreadBinding ? loop : nullptr;
}

}  // namespace

std::vector<std::string> bound_loops(Stmt s) {
    std::vector<std::string> out;
    for_each_stmt(s, [&](Stmt inner) {
        const For* loop = inner->as<For>();
        if (loop != nullptr && loop->kind == ForKind::ThreadBinding) {
            out.push_back(*loop->var->name);
        }
    });
    return out;
}

std::optional<Unbound> Unbound::make(Proposer& p, const std::vector<std::string>& loops) {
    const std::set<std::string> wanted(loops.begin(), loops.end());
    const std::vector<Step>& steps = p.derivation().steps();
    Unbound out(p.derivation());
    std::set<std::size_t> binding;
    for (std::size_t k = 0; k < steps.size(); ++k) {
        const For* loop = bound_by(steps[k]);
        if (loop == nullptr || wanted.count(*loop->var->name) == 0) continue;
        binding.insert(k);
        out.loops_.push_back({*loop->var->name, loop->thread_tag});
    }
    if (wanted.empty() || out.loops_.size() != wanted.size()) return std::nullopt;
    const std::size_t first = *binding.begin();
    p.derivation().roll_back(first);
    const std::vector<Step>& were = out.was_.steps();
    for (std::size_t k = first; k < were.size(); ++k) {
        if (binding.count(k) != 0) continue;
        // A step that binds leaves every statement where it is, so sites are what they were.
        nlohmann::json args = nlohmann::json::parse(were[k].args);
        if (args.contains("text")) args["text"] = out.as_serial(args["text"]);
        if (p.try_apply(were[k].rule, were[k].site, args)) continue;
        out.take_back(p);
        return std::nullopt;
    }
    return out;
}

std::string Unbound::as_serial(std::string text) const {
    for (const Loop& loop : loops_) {
        const std::string bound = "for " + loop.name + " in T.thread_binding(";
        const std::string axis = ", thread=\"" + loop.axis + "\"";
        const std::size_t at = text.find(bound);
        const std::size_t says = at == std::string::npos ? at : text.find(axis, at);
        if (says == std::string::npos) continue;
        text.erase(says, axis.size());
        text.replace(at, bound.size(), "for " + loop.name + " in T.serial(");
    }
    return text;
}

void Unbound::take_back(Proposer& p) const {
    const std::vector<Rejection> all = p.derivation().rejections();
    p.derivation() = was_;
    for (std::size_t k = was_.rejections().size(); k < all.size(); ++k) {
        p.derivation().record(all[k]);
    }
}

}  // namespace proviso::rewrite
