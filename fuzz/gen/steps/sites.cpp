#include "fuzz/gen/steps/sites.h"

namespace proviso::fuzz {

using namespace ir;

namespace {

void collect(const Site& site, Expr e, std::vector<std::pair<Site, Expr>>& out) {
    out.emplace_back(site, e);
    for (std::size_t k = 0; k < e->args.size(); ++k) {
        collect(site.child("a" + std::to_string(k)), e->arg(k), out);
    }
}

}  // namespace

std::vector<std::pair<Site, Expr>> all_expressions(const Function& f) {
    std::vector<std::pair<Site, Expr>> out;
    for (const auto& [site, s] : all_statements(f)) {
        for (const Child& child : children(s)) {
            if (child.expr != nullptr) collect(site.child(child.label), child.expr, out);
        }
    }
    return out;
}

}  // namespace proviso::fuzz
