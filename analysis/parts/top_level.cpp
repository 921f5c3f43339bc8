#include "analysis/parts/top_level.h"

#include "analysis/facts/path.h"
#include "ir/children.h"

namespace proviso::analysis {

using namespace ir;

namespace {

void add_statements(Stmt s, TopLevel& out) {
    if (const Allocate* n = s->as<Allocate>()) {
        out.buffers.push_back(n->buffer);
        add_statements(n->body, out);
    } else if (const Seq* list = s->as<Seq>()) {
        for (Stmt part : list->body) add_statements(part, out);
    } else {
        out.statements.push_back(s);
    }
}

}  // namespace

TopLevel top_level(Stmt body) {
    TopLevel out;
    add_statements(body, out);
    return out;
}

Touched touched_by(Stmt s) {
    Touched out;
    for (Buffer b : stored_buffers(s)) out.stores.insert(b);
    for_each_expr(s, [&](Expr e) {
        for (Buffer b : loaded_buffers(e)) out.loads.insert(b);
    });
    return out;
}

bool has_block(Stmt s) {
    bool found = false;
    for_each_stmt(s, [&](Stmt part) { found = found || part->is<Block>(); });
    return found;
}

}  // namespace proviso::analysis
