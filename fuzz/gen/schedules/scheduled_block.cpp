#include "fuzz/gen/schedules/scheduled_block.h"

#include "ir/children.h"

namespace proviso::fuzz {

using namespace ir;

namespace {

// A buffer of the function, once for each name.
void note(std::vector<Buffer>& list, Buffer b) {
    if (std::find(list.begin(), list.end(), b) == list.end()) list.push_back(b);
}

// Whether a condition is the same in all iterations of the innermost loop.
bool leaves(const Block& b, Expr condition) {
    return b.iters.size() > 1 && loaded_buffers(condition).empty() &&
           !occurs_free(b.iters.back().var, condition);
}

}  // namespace

ScheduledBlock described(const Function& f, const Site& site, const Block& b) {
    ScheduledBlock out;
    out.name = b.name;
    for (Site at = site; !at.steps.empty();) {
        at = at.parent();
        const Located where = *locate(f, at);
        if (const For* loop = where.stmt->as<For>()) {
            out.loops.emplace_back();
            out.outermost = at;
            out.extents.insert(out.extents.begin(), loop->hi);
            out.serial &= loop->kind == ForKind::Serial;
        }
        const Seq* list = where.stmt->as<Seq>();
        if (list != nullptr && out.loops.empty()) out.statements = list->body.size();
    }
    for_each_expr(b.body, [&](Expr e) {
        for (Buffer l : loaded_buffers(e)) note(out.loaded, l);
    });
    for_each_stmt(b.body, [&](Stmt s) {
        if (const Store* n = s->as<Store>()) note(out.stored, n->buffer);
        if (const IfElse* n = s->as<IfElse>()) out.hoistable |= leaves(b, n->cond);
        out.guarded |= s->is<IfElse>();
        if (const IfElse* n = s->as<IfElse>()) out.bounded |= loaded_buffers(n->cond).empty();
    });
    out.guarded |= !is_true(b.predicate);
    out.reduces = b.init != nullptr;
    out.iterators = b.iters.size();
    out.plain = plain_accesses(b);
    const Store* only = b.body->as<Store>();
    const bool all = is_true(b.predicate) && b.init == nullptr;
    if (only != nullptr && all && is_const(only->value)) out.constant = only->value;
    return out;
}

}  // namespace proviso::fuzz
