#include "rewrite/schedule/primitives/caches/cache_scope.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "analysis/facts/path.h"
#include "analysis/memory/access.h"
#include "ir/text.h"
#include "rewrite/passes/claim_search.h"
#include "rewrite/schedule/primitives/stored_value.h"
#include "rewrite/schedule/restated.h"

namespace proviso::rewrite {

using namespace ir;
using namespace analysis;
using nlohmann::json;

namespace {

constexpr std::size_t kMostLoads = 64;      // each is a step
constexpr std::size_t kMostFollowing = 16;  // the order of each pair is an obligation

std::optional<Site> store_in(const Function& f, const Site& block) {
    for (const auto& [site, s] : all_statements(f)) {
        if (block.contains(site) && s->is<Store>()) return site;
    }
    return std::nullopt;
}

// A load of a cell of the cache by one of that cell of the buffer, which was copied.
bool read_copied(Proposer& p, const Access& load, const Site& copying, Buffer buffer) {
    const Result<Located> at = locate(p.current(), load.site);
    if (!at || at->expr == nullptr) return false;
    const std::vector<Expr> cell(at->expr->args.begin(), at->expr->args.end());
    json indices = json::array();
    for (Expr i : cell) indices.push_back(print(i));
    const std::string to = print(p.ctx().load(buffer, cell));
    for (const StoreWitness& w :
         stores_touching(p.memory(), p.prover(), buffer, cell, load.statement, {})) {
        if (w.statement != copying) continue;
        const json claim = {{"kind", "last-write"},
                            {"buffer", buffer->name},
                            {"indices", indices},
                            {"writer", w.json()}};
        if (p.try_apply("replace", load.site, {{"to", to}, {"claims", json::array({claim})}})) {
            return true;
        }
    }
    return false;
}

}  // namespace

std::size_t scope_of_cache(Proposer& p, const Site& list, std::size_t first, Buffer buffer) {
    const Seq& all = *locate(p.current(), list)->stmt->as<Seq>();
    std::size_t end = first + 1;
    while (end < all.body.size() && !stores_to(all.body[end], buffer)) ++end;
    std::size_t loads = 0;
    std::size_t last = first;  // that reads it
    for (const Access& a : p.memory().all()) {
        if (a.is_store || a.buffer != buffer || !list.contains(a.statement)) continue;
        const std::size_t k = std::stoul(a.statement.steps[list.steps.size()]);
        if (k <= first || k >= end) continue;
        ++loads;
        last = std::max(last, k);
    }
    if (loads == 0 || loads > kMostLoads || last - first > kMostFollowing) return 1;
    return end - first <= kMostFollowing + 1 ? end - first : last - first + 1;
}

bool copy_behind_first(Proposer& p, const Site& list, const std::string& copy,
                       const std::string& cache, Buffer buffer) {
    const Seq* all = locate(p.current(), list)->stmt->as<Seq>();
    if (all == nullptr ||
        !list.child(std::to_string(all->body.size() - 1)).contains(*p.index().block(copy))) {
        return false;
    }
    std::vector<Stmt> body = all->body;
    const std::size_t last = body.size() - 1;
    Restated r;
    for (std::size_t k = 0; k <= last; ++k) {
        const std::size_t now = k == last ? 1 : k == 0 ? 0 : k + 1;
        r.parts.push_back(
            Part{Site{}.child(std::to_string(now)), Site{}.child(std::to_string(k)), {}, {}});
        if (0 < k && k < last) r.apart.emplace(k, last);
    }
    std::rotate(body.begin() + 1, body.end() - 1, body.end());
    r.after = p.ctx().seq(body);
    Stmt before = locate(p.current(), list)->stmt;
    if (!p.try_apply("restate", list, restate_arguments(before, r))) return false;
    while (true) {
        const std::optional<Site> copying = store_in(p.current(), *p.index().block(copy));
        std::optional<Access> load;
        for (const Access& a : p.memory().all()) {
            if (a.is_store || a.buffer->name != cache || !list.contains(a.statement)) continue;
            if (std::stoul(a.statement.steps[list.steps.size()]) >= 2) load = a;
        }
        if (!load) return true;
        if (!copying || !read_copied(p, *load, *copying, buffer)) return false;
    }
}

std::optional<Rejection> read_cache(Proposer& p, const std::string& block, const std::string& copy,
                                    Buffer buffer) {
    for (bool read = false;; read = true) {
        const Site at = *p.index().block(block);
        const std::optional<Site> copying = store_in(p.current(), *p.index().block(copy));
        std::optional<LoadAt> load;
        for (const Access& a : p.memory().all()) {
            if (a.is_store || a.buffer != buffer || !at.contains(a.statement)) continue;
            const Result<Located> there = locate(p.current(), a.site);
            if (there && there->expr != nullptr) load = {a.site, a.statement, there->expr};
        }
        if (!load && !read) {
            Rejection no;
            no.rule = "replace";
            no.site = at;
            no.diagnostic = error("block " + block + " does not read " + buffer->name,
                                  "consumer_blocks are those that read the cache");
            return no;
        }
        if (!load || !copying) return std::nullopt;
        if (auto no = put_stored_value(p, *load, *copying)) return no;
    }
}

}  // namespace proviso::rewrite
