#include "rewrite/passes/sweep.h"

#include "ir/children.h"

namespace proviso::rewrite {

using namespace ir;

bool Sweep::find(Stmt body, const Act& act) {
    Site site;
    return without_.count(body) == 0 && walk(body, site, act);
}

bool Sweep::walk(Stmt s, Site& site, const Act& act) {
    bool none = !wanted_(s);
    if (!none && act(site, s)) return true;
    const auto child = [&](std::string label, Stmt c) {
        site.steps.push_back(std::move(label));
        const bool accepted = walk(c, site, act);
        site.steps.pop_back();
        none &= without_.count(c) != 0;
        return accepted;
    };
    if (const Seq* list = s->as<Seq>()) {  // may be long: nothing is done for those without
        for (std::size_t k = 0; k < list->body.size(); ++k) {
            if (without_.count(list->body[k]) != 0) continue;
            if (child(std::to_string(k), list->body[k])) return true;
        }
    } else {
        for (Child& c : children(s)) {
            if (c.stmt == nullptr || without_.count(c.stmt) != 0) continue;
            if (child(std::move(c.label), c.stmt)) return true;
        }
    }
    if (none) without_.insert(s);
    return false;
}

}  // namespace proviso::rewrite
