#include "ir/known_program.h"

#include <algorithm>

#include "ir/changes.h"
#include "ir/check.h"
#include "ir/children.h"
#include "ir/depth.h"
#include "ir/well_formed.h"
#include "ir/well_formed_checker.h"

namespace proviso::ir {

namespace {

bool same_head(const Function& a, const Function& b) {
    return a.name == b.name && a.params == b.params && a.attrs == b.attrs;
}

bool fits_into_list(const Change& c) {
    const Seq* list = c.around.empty() ? nullptr : c.around.back()->as<Seq>();
    return list == nullptr ||
           (list->body.size() != 1 &&
            std::none_of(c.added.begin(), c.added.end(), [](Stmt s) { return s->is<Seq>(); }));
}

// The names that the statement and those below it bind: Checker::binders(), of what is known to be
// right.
void add_binders(Stmt s, std::set<std::string>& out) {
    for_each_stmt(s, [&](Stmt t) {
        if (const For* n = t->as<For>()) out.insert(*n->var->name);
        if (const LetStmt* n = t->as<LetStmt>()) out.insert(*n->var->name);
        if (const Allocate* n = t->as<Allocate>()) out.insert(n->buffer->name);
        const Block* block = t->as<Block>();
        if (block == nullptr) return;
        for (const BlockIter& it : block->iters) out.insert(*it.var->name);
    });
}

}  // namespace

KnownProgram::KnownProgram(Function f) : program_(std::move(f)) {
    learn_names();
}

void KnownProgram::learn_names() {
    binders_.clear();
    lets_.clear();
    for (const Param& p : program_.params) binders_.insert(param_name(p));
    Checker all(program_);
    all.part({}, program_.body);
    binders_.insert(all.binders().begin(), all.binders().end());
    for (const auto& [name, site] : all.lets()) lets_.insert(name);
}

std::vector<Diagnostic> KnownProgram::faults_of(const Function& after) const {
    if (surely_well_formed(after)) return {};
    return well_formed(after);
}

bool KnownProgram::surely_well_formed(const Function& after) const {
    if (after.body == nullptr || !same_head(program_, after)) return false;
    Checker added(after);
    std::set<std::string> removed;
    for (const Change& c : changes(program_.body, after.body)) {
        if (!fits_into_list(c)) return false;
        for (Stmt s : c.added) {
            if (nests_too_deep(s, c.around.size())) return false;
            added.part(c.around, s);
        }
        for (Stmt s : c.removed) add_binders(s, removed);
    }
    const auto stays = [&](const std::string& name) {
        return binders_.count(name) != 0 && removed.count(name) == 0;
    };
    for (const std::string& name : added.binders()) {
        if (stays(name) || lets_.count(name) != 0 || added.lets().count(name) != 0) return false;
    }
    for (const auto& [name, site] : added.lets()) {
        if (stays(name)) return false;
    }
    return added.found().empty();
}

void KnownProgram::move_to(const Function& after) {
    if (after.body == nullptr || !same_head(program_, after)) {
        program_ = after;
        learn_names();
        return;
    }
    Checker added(after);
    std::set<std::string> removed;
    for (const Change& c : changes(program_.body, after.body)) {
        for (Stmt s : c.added) added.part(c.around, s);
        for (Stmt s : c.removed) add_binders(s, removed);
    }
    for (const std::string& name : removed) binders_.erase(name);
    binders_.insert(added.binders().begin(), added.binders().end());
    for (const auto& [name, site] : added.lets()) lets_.insert(name);
    program_.body = after.body;  // the head is the same
}

}  // namespace proviso::ir
