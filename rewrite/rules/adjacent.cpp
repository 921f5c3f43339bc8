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

}  // namespace proviso::rewrite
