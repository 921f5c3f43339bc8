#include "rewrite/schedule/primitives/caches/cache_scope.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "analysis/facts/path.h"
#include "analysis/memory/access.h"
#include "ir/children.h"
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

std::size_t loads_of(Buffer buffer, Stmt s) {
    std::size_t out = 0;
    for_each_expr(s, [&](Expr root) {
        if (!has_op(root, Op::Load)) return;
        for_each_node(root, [&](Expr e) { out += e->op == Op::Load && e->buffer == buffer; });
    });
    return out;
}

// The loads of a buffer in a statement, and all below it, in textual order: by the text alone.
class LoadsOf {
  public:
    explicit LoadsOf(Buffer buffer) : buffer_(buffer) {}

    void in_statement(Stmt s, Site& site) {
        for (const Child& c : children(s)) {
            site.steps.emplace_back(c.label);
            if (c.stmt != nullptr) {
                in_statement(c.stmt, site);
            } else {
                in_expression(c.expr, site, site.parent());
            }
            site.steps.pop_back();
        }
    }
    std::vector<LoadAt> found;

  private:
    void in_expression(Expr e, Site& site, const Site& statement) {
        if (!has_op(e, Op::Load)) return;
        for (std::size_t k = 0; k < e->args.size(); ++k) {
            site.steps.emplace_back("a" + std::to_string(k));
            in_expression(e->arg(k), site, statement);
            site.steps.pop_back();
        }
        if (e->op == Op::Load && e->buffer == buffer_) found.push_back({site, statement, e});
    }

    Buffer buffer_;
};

std::vector<LoadAt> loads_in_element(const Site& list, const Seq& all, std::size_t k, Buffer b) {
    LoadsOf loads(b);
    Site site = list.child(std::to_string(k));
    loads.in_statement(all.body[k], site);
    return std::move(loads.found);
}

// A load of a cell of the cache by one of that cell of the buffer, which was copied: the nest that
// copies has a loop for each dimension.
bool read_copied(Proposer& p, const LoadAt& load, const Site& copying, Buffer buffer) {
    const std::vector<Expr> cell(load.expr->args.begin(), load.expr->args.end());
    const std::vector<Expr> loops = loops_around(p.current(), copying);
    if (loops.size() < cell.size()) return false;
    const std::size_t around = loops.size() - cell.size();
    Substitution at;
    json indices = json::array();
    for (std::size_t k = 0; k < loops.size(); ++k) {
        at[loops[k]] = k < around ? loops[k] : cell[k - around];
    }
    for (Expr i : cell) indices.push_back(print(i));
    const json claim = {{"kind", "last-write"},
                        {"buffer", buffer->name},
                        {"indices", indices},
                        {"writer", witness_json(copying, at)}};
    const std::string to = print(p.ctx().load(buffer, cell));
    return p.try_apply("replace", load.site, {{"to", to}, {"claims", json::array({claim})}});
}

}  // namespace

std::size_t scope_of_cache(Proposer& p, const Site& list, std::size_t first, Buffer buffer) {
    const Seq& all = *locate(p.current(), list)->stmt->as<Seq>();
    std::size_t end = first + 1;
    std::size_t loads = 0;
    std::size_t last = first;  // that reads it
    for (; end < all.body.size() && !stores_to(all.body[end], buffer); ++end) {
        const std::size_t here = loads_of(buffer, all.body[end]);
        loads += here;
        if (here > 0) last = end;
        if (loads > kMostLoads || last - first > kMostFollowing) return 1;
    }
    if (loads == 0) return 1;
    return end - first <= kMostFollowing + 1 ? end - first : last - first + 1;
}

bool copy_behind_first(Proposer& p, const Site& list, const std::string& copy, Buffer cache,
                       Buffer buffer) {
    const Seq* all = locate(p.current(), list)->stmt->as<Seq>();
    if (all == nullptr ||
        !list.child(std::to_string(all->body.size() - 1)).contains(*p.index().block(copy))) {
        return false;
    }
    if (all->body.size() > 2 && move_within(p, list, all->body.size() - 1, 1)) return false;
    const std::optional<Site> copying = store_in(p.current(), *p.index().block(copy));
    if (!copying) return false;
    const std::size_t size = all->body.size();
    for (std::size_t k = 2; k < size; ++k) {
        while (true) {
            const Seq& now = *locate(p.current(), list)->stmt->as<Seq>();
            const std::vector<LoadAt> loads = loads_in_element(list, now, k, cache);
            if (loads.empty()) break;
            if (!read_copied(p, loads.front(), *copying, buffer)) return false;
        }
    }
    return true;
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
