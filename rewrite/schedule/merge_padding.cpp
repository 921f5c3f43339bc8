// for i, j: if d: S            for i, j: if d: S
// for i, j in front: P    →                else: P
// for i, j at the back: P
//
// Each box is widened to the range of the data, with a guard; its loops are merged with those of
// the data; then its branch goes into the else part of the data's. The last one is what is left
// there, so that its guard goes, and the arms that do the same become one.
#include "rewrite/schedule/merge_padding.h"

#include <nlohmann/json.hpp>

#include "ir/children.h"
#include "ir/text.h"
#include "rewrite/passes/block_domains.h"

namespace proviso::rewrite {

using namespace ir;
using nlohmann::json;

namespace {

constexpr std::size_t kMostBoxes = 16;

// The loops of a nest with nothing between them, outermost first.
std::vector<Site> nest_of(const Function& f, Site site) {
    std::vector<Site> out;
    for (; locate(f, site)->stmt->is<For>(); site = site.child("body")) out.push_back(site);
    return out;
}

// What stands in a nest.
Stmt leaf_of(const Function& f, const std::vector<Site>& nest) {
    return locate(f, nest.back().child("body"))->stmt;
}

bool is_guarded(Stmt data) {
    const Block* block = data->as<Block>();
    const IfElse* branch = data->as<IfElse>();
    return (block != nullptr && !is_true(block->predicate)) ||
           (branch != nullptr && branch->else_body == nullptr);
}

// A store, guarded or not.
bool is_box(Stmt s) {
    const IfElse* branch = s->as<IfElse>();
    if (branch != nullptr && branch->else_body == nullptr) s = branch->then_body;
    return s->is<Store>();
}

// The loops at `second` over the ranges of those at `first`, with a guard around the store.
bool widen(Proposer& p, const std::vector<Site>& first, const std::vector<Site>& second) {
    for (std::size_t k = 0; k < first.size(); ++k) {
        const For to = *locate(p.current(), first[k])->stmt->as<For>();
        const For from = *locate(p.current(), second[k])->stmt->as<For>();
        if (from.lo == to.lo && from.hi == to.hi) continue;
        for (std::size_t outer = 0; outer < k; ++outer) {
            Expr v = locate(p.current(), first[outer])->stmt->as<For>()->var;
            if (occurs_free(v, to.lo) || occurs_free(v, to.hi)) return false;
        }
        std::set<std::string> used = bound_names(p.current());
        const json args = {{"offset", "0"},
                           {"lo", print(to.lo)},
                           {"hi", print(to.hi)},
                           {"name", fresh_name(*from.var->name, used)},
                           {"guard", "leaf"}};
        if (!p.try_apply("shift-loop", second[k], args)) return false;
    }
    return true;
}

enum class Folded : std::uint8_t {
    No,
    Open,   // into the else part, under its own guard still
    Closed  // it is what happens where no other guard holds
};

// Two branches, at `site` and after it, as one.
Folded fold(Proposer& p, const Site& site) {
    const IfElse* first = locate(p.current(), site)->stmt->as<IfElse>();
    if (first == nullptr) return Folded::No;
    const bool plain = first->else_body == nullptr;
    if (plain && p.try_apply("merge-guards", site, json{{"kind", "complementary"}})) {
        return Folded::Closed;
    }
    const std::size_t list = locate(p.current(), site.parent())->stmt->as<Seq>()->body.size();
    if (!p.try_apply("merge-guards", site, json{{"kind", "exclusive"}})) return Folded::No;
    if (plain) return Folded::Open;
    const Site rest = (list == 2 ? site.parent() : site).child("else");
    const Folded inner = fold(p, rest.child("0"));
    if (inner == Folded::Closed) p.try_apply("decide-branch", rest, json::object());
    return inner;
}

// The statements at `site`, of which the second one is a branch, as one.
Folded one_branch(Proposer& p, const Site& site) {
    Site first = site.child("0");
    if (const Block* block = locate(p.current(), first)->stmt->as<Block>()) {
        const std::string name = block->name;
        if (!is_true(block->predicate)) {
            json args = json::object();
            const json domains = wider_domains(p, first, *block);
            if (!domains.empty()) args["domains"] = domains;
            if (!p.try_apply("guard-inside", first, args)) return Folded::No;
        }
        if (!p.try_apply("join-block", first, json::object())) return Folded::No;
        first = p.index().block(name)->child("body").child("0");
    }
    return fold(p, first);
}

// The nest that begins with the loop `name` takes the nest after it.
Folded take_box(Proposer& p, const std::string& name) {
    const Function f = p.current();
    const Site site = *p.index().loop(name);
    Stmt box = next_statement(f, site);
    if (box == nullptr || !box->is<For>()) return Folded::No;
    const Site next = site.parent().child(std::to_string(std::stoul(site.steps.back()) + 1));
    const std::vector<Site> first = nest_of(f, site);
    const std::vector<Site> second = nest_of(f, next);
    if (first.size() != second.size() || !is_box(leaf_of(f, second))) return Folded::No;
    if (!widen(p, first, second)) return Folded::No;
    Site here = *p.index().loop(name);
    for (std::size_t k = 0; k < first.size(); ++k) {
        if (k > 0) here = here.child("0");
        if (!p.try_apply("merge-loops", here, json::object())) return Folded::No;
        const std::string loop = *locate(f, first[k])->stmt->as<For>()->var->name;
        here = p.index().loop(loop)->child("body");
    }
    return one_branch(p, here);
}

}  // namespace

Stmt next_statement(const Function& f, const Site& site) {
    if (site.steps.empty()) return nullptr;
    const Seq* list = locate(f, site.parent())->stmt->as<Seq>();
    if (list == nullptr) return nullptr;
    const std::size_t k = std::stoul(site.steps.back()) + 1;
    return k < list->body.size() ? list->body[k] : nullptr;
}

bool merge_with_padding(Proposer& p, const Site& site, std::optional<std::size_t> boxes) {
    const std::string name = *locate(p.current(), site)->stmt->as<For>()->var->name;
    if (!is_guarded(leaf_of(p.current(), nest_of(p.current(), site)))) return false;
    const std::size_t start = p.derivation().steps().size();
    for (std::size_t taken = 1; taken <= boxes.value_or(kMostBoxes); ++taken) {
        const Folded folded = take_box(p, name);
        if (folded == Folded::No) break;
        if (folded == Folded::Open) continue;
        if (boxes && taken != *boxes) break;
        return true;
    }
    p.derivation().roll_back(start);
    return false;
}

}  // namespace proviso::rewrite
