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
    for (const Param& p : program_.params) {
        const Buffer* b = std::get_if<Buffer>(&p);
        names_[b != nullptr ? (*b)->name : *std::get<Expr>(p)->name] += sign;
    }
}

void ProgramIndex::statements(Stmt s, Site& site, int sign) {
    statement(s, site, sign);
    for (const Child& c : children(s)) {
        if (c.expr != nullptr) lets_in(c.expr, sign);
        if (c.stmt == nullptr) continue;
        site.steps.push_back(c.label);
        statements(c.stmt, site, sign);
        site.steps.pop_back();
    }
}

void ProgramIndex::statement(Stmt s, const Site& site, int sign) {
    if (const For* n = s->as<For>()) {
        names_[*n->var->name] += sign;
        place(loops_, *n->var->name, site, sign);
    }
    if (const LetStmt* n = s->as<LetStmt>()) names_[*n->var->name] += sign;
    if (const Allocate* n = s->as<Allocate>()) names_[n->buffer->name] += sign;
    if (const Block* n = s->as<Block>()) {
        for (const BlockIter& it : n->iters) names_[*it.var->name] += sign;
        place(blocks_, n->name, site, sign);
    }
    if (const Store* n = s->as<Store>()) {
        stored_[n->buffer] += sign;
        if (is_const(n->value)) constants_[n->buffer] += sign;
    }
    if (const Assume* n = s->as<Assume>(); n != nullptr && !analysis::is_permission(n->cond)) {
        for (Buffer b : loaded_buffers(n->cond)) assumed_[b] += sign;
    }
}

void ProgramIndex::lets_in(Expr e, int sign) {
    if (!has_op(e, Op::Let)) return;
    for_each_node(e, [&](Expr n) {
        if (n->op == Op::Let) names_[*n->name] += sign;
    });
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
