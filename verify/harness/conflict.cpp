#include "verify/harness/conflict.h"

#include <algorithm>
#include <map>
#include <optional>

#include "analysis/facts/facts.h"
#include "ir/children.h"
#include "ir/site.h"

namespace proviso::verify {

using namespace ir;

namespace {

// More of them are not told apart.
constexpr std::size_t kMostInstances = 24;

void conjuncts(Expr e, std::vector<Expr>& out) {
    if (e->op != Op::And) {
        out.push_back(e);
        return;
    }
    for (Expr part : e->args) conjuncts(part, out);
}

// `e` is `pattern` with terms for its variables.
bool is_instance(Expr pattern, Expr e, std::map<Expr, Expr>& terms) {
    if (pattern == e && pattern->args.empty() && pattern->op != Op::Var) return true;
    if (pattern->type != e->type) return false;
    if (pattern->op == Op::Var) return terms.emplace(pattern, e).first->second == e;
    const bool same_node = pattern->op == e->op && pattern->bits == e->bits &&
                           pattern->args.size() == e->args.size() && !pattern->args.empty();
    if (!same_node) return false;
    if (pattern->op == Op::Load && pattern->buffer->name != e->buffer->name) return false;
    for (std::size_t k = 0; k < pattern->args.size(); ++k) {
        if (!is_instance(pattern->arg(k), e->arg(k), terms)) return false;
    }
    return true;
}

struct Instance {
    Expr fact = nullptr;
    std::size_t condition = 0;
};

// The first condition of which a part stands in the fact.
std::optional<std::size_t> spoken_of(Expr fact, const std::vector<std::vector<Expr>>& parts) {
    std::optional<std::size_t> out;
    for_each_node(fact, [&](Expr e) {
        if (out || !e->type.is_bool()) return;
        for (std::size_t k = 0; k < parts.size() && !out; ++k) {
            for (Expr part : parts[k]) {
                std::map<Expr, Expr> terms;
                if (part->args.empty() || !is_instance(part, e, terms)) continue;
                out = k;
                break;
            }
        }
    });
    return out;
}

}  // namespace

std::vector<Expr> assumed_conditions(const Function& f) {
    std::vector<Expr> out;
    for (const auto& [site, stmt] : all_statements(f)) {
        if (const Assume* n = stmt->as<Assume>()) out.push_back(n->cond);
    }
    return out;
}

std::vector<std::size_t> conflicting(const Function& f, const std::vector<Expr>& facts,
                                     const std::vector<Expr>& conditions,
                                     analysis::Prover& prover) {
    Context& ctx = prover.context();
    std::vector<std::vector<Expr>> parts(conditions.size());
    for (std::size_t k = 0; k < conditions.size(); ++k) conjuncts(conditions[k], parts[k]);
    std::vector<Instance> held;
    for (Expr fact : facts) {
        if (const auto k = spoken_of(fact, parts)) held.push_back({fact, *k});
    }
    const std::vector<Expr> declared = analysis::parameter_facts(ctx, f);
    const auto contradict = [&](const std::vector<Instance>& some) {
        std::vector<Expr> all = declared;
        for (const Instance& i : some) all.push_back(i.fact);
        return prover.prove(all, ctx.false_()).verdict == analysis::Verdict::Proved;
    };
    if (held.empty() || held.size() > kMostInstances || !contradict(held)) return {};
    for (std::size_t k = held.size(); k-- > 0;) {
        std::vector<Instance> fewer = held;
        fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(k));
        if (!fewer.empty() && contradict(fewer)) held = std::move(fewer);
    }
    std::vector<std::size_t> out;
    for (const Instance& i : held) out.push_back(i.condition);
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
}

}  // namespace proviso::verify
