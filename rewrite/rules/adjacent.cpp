#include "rewrite/rules/adjacent.h"

namespace proviso::rewrite {

using namespace ir;

Result<AdjacentPair> adjacent_pair(const Function& f, const Site& site) {
    const Result<Located> at = locate(f, site);
    if (!at) return at.error();
    if (at->stmt == nullptr || site.steps.empty()) {
        return error("nothing follows the statement at " + site.str());
    }
    AdjacentPair out;
    out.list_site = site.parent();
    const Stmt parent = locate(f, out.list_site)->stmt;
    const Seq* list = parent == nullptr ? nullptr : parent->as<Seq>();
    if (list == nullptr) return error("nothing follows the statement at " + site.str());
    out.list = list->body;
    out.index = std::stoul(site.steps.back());
    if (out.index + 1 >= out.list.size()) {
        return error("nothing follows the statement at " + site.str());
    }
    out.first = out.list[out.index];
    out.second = out.list[out.index + 1];
    out.second_site = out.list_site.child(std::to_string(out.index + 1));
    return out;
}

Function replace_pair(Context& ctx, const Function& f, const AdjacentPair& pair, Stmt merged) {
    std::vector<Stmt> parts = pair.list;
    parts[pair.index] = merged;
    parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(pair.index) + 1);
    return replace_at(ctx, f, pair.list_site, ctx.seq(parts));
}

Stmt in_sequence(Context& ctx, Stmt a, Stmt b) {
    if (a == nullptr) return b;
    if (b == nullptr) return a;
    return ctx.seq({a, b});
}

}  // namespace proviso::rewrite
