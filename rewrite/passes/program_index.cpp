#include "rewrite/passes/program_index.h"

#include "analysis/facts/facts.h"
#include "ir/changes.h"
#include "ir/children.h"
#include "rewrite/passes/proposer.h"

namespace proviso::rewrite {

using namespace ir;

const ProgramIndex& ProgramIndex::of(const Function& f) {
    if (program_.params != f.params) {
        parameters(-1);
        program_.params = f.params;
        parameters(1);
    }
    if (program_.body == f.body) return *this;
    if (program_.body == nullptr) {
        Site root;
        statements(f.body, root, 1);
    } else {
        for (const Change& c : changes(program_.body, f.body)) {
            Site nowhere;
            for (Stmt s : c.removed) statements(s, nowhere, -1);
            for (std::size_t k = 0; k < c.added.size(); ++k) {
                Site site = c.site_of_added(k);
                statements(c.added[k], site, 1);
            }
        }
    }
    // Attributes are long where there are many layouts, and nothing here looks at them.
    program_.name = f.name;
    program_.body = f.body;
    return *this;
}

void ProgramIndex::parameters(int sign) {
    for (const Param& p : program_.params) names_[param_name(p)] += sign;
}

void ProgramIndex::statements(Stmt s, Site& site, int sign) {
    statement(s, site, sign);
    for (const Child& c : children(s)) {
        if (c.stmt == nullptr) continue;
        site.steps.push_back(c.label);
        statements(c.stmt, site, sign);
        site.steps.pop_back();
    }
}

void ProgramIndex::statement(Stmt s, const Site& site, int sign) {
    for_each_bound_name(s, [&](const std::string& name) { names_[name] += sign; });
    if (const For* n = s->as<For>()) place(loops_, *n->var->name, site, sign);
    if (const Block* n = s->as<Block>()) place(blocks_, n->name, site, sign);
    if (const Store* n = s->as<Store>()) {
        stored_[n->buffer] += sign;
        if (is_const(n->value)) constants_[n->buffer] += sign;
    }
    if (const Assume* n = s->as<Assume>(); n != nullptr && !analysis::is_permission(n->cond)) {
        for (Buffer b : loaded_buffers(n->cond)) assumed_[b] += sign;
    }
}

void ProgramIndex::place(Places& places, const std::string& name, const Site& site, int sign) {
    Place& at = places[name];
    at.count += sign;
    if (sign > 0) at.site = site;
}

bool ProgramIndex::is_bound(const std::string& name) const {
    return count(names_, name) != 0;
}

bool ProgramIndex::is_block(const std::string& name) const {
    const auto found = blocks_.find(name);
    return found != blocks_.end() && found->second.count != 0;
}

bool ProgramIndex::is_one_block(const std::string& name) const {
    const auto found = blocks_.find(name);
    return found != blocks_.end() && found->second.count == 1;
}

// Where a list has become longer or shorter, what stands behind is no longer where it was seen; and
// of several of one name only a search tells the first.
std::optional<Site> ProgramIndex::loop(const std::string& name) const {
    const auto found = loops_.find(name);
    if (found == loops_.end() || found->second.count == 0) return std::nullopt;
    const Result<Located> at = locate(program_, found->second.site);
    const For* n = at && at->stmt != nullptr ? at->stmt->as<For>() : nullptr;
    const bool one = found->second.count == 1;
    if (one && n != nullptr && *n->var->name == name) return found->second.site;
    return find_loop(program_, name);
}

std::optional<Site> ProgramIndex::block(const std::string& name) const {
    const auto found = blocks_.find(name);
    if (found == blocks_.end() || found->second.count == 0) return std::nullopt;
    const Result<Located> at = locate(program_, found->second.site);
    const Block* n = at && at->stmt != nullptr ? at->stmt->as<Block>() : nullptr;
    const bool one = found->second.count == 1;
    if (one && n != nullptr && n->name == name) return found->second.site;
    return find_block(program_, name);
}

}  // namespace proviso::rewrite
