// What a statement that has run tells: it evaluated its expressions without a fault, so divisors
// were not zero, indices in bounds, and what was stored or bound in its type's range.
//
//   for i in range(8): A[i] = 100 // X[i]         X[q] != 0 from here on, for every q,
//                                                 as long as X is not stored to
#include <algorithm>

#include "analysis/facts/formula.h"
#include "analysis/facts/path.h"
#include "analysis/memory/claim_parts.h"
#include "ir/inventory.h"
#include "ir/planted.h"

namespace proviso::analysis {

using namespace ir;

namespace {

void add_parts(Expr e, std::vector<Expr>& out) {
    for (Expr part : conjuncts(e)) {
        const bool is_new = std::find(out.begin(), out.end(), part) == out.end();
        if (!is_const(part) && is_new) out.push_back(part);
    }
}

// What the program's own choices read stays out: T.undef, calls and names within expressions.
bool is_plain(Expr e) {
    return !has_any(e, {Op::Undef, Op::CallExtern, Op::Let});
}

// Over loops and parameters alone, which the witness gives or the claim's point knows.
bool speaks_of(const MemoryModel& memory, const Access& a, Expr e) {
    const std::vector<Expr> scalars = memory.function().scalar_params();
    const auto is = [](const std::vector<Expr>& list, Expr v) {
        return std::find(list.begin(), list.end(), v) != list.end();
    };
    const std::vector<Expr> free = free_vars(e);
    return std::all_of(free.begin(), free.end(),
                       [&](Expr v) { return is(a.loops, v) || is(scalars, v); });
}

}  // namespace

std::vector<Expr> observed_by(Context& ctx, Stmt s) {
    std::vector<Expr> out;
    const auto evaluated = [&](Expr e, bool ranged, bool decided) {
        if (!is_plain(e)) return;
        add_parts(no_fault(ctx, e), out);
        // Only a definite value can be out of range; what was computed is definite.
        Expr fits = in_range(ctx, e);
        if (ranged) add_parts(is_ring(e->op) ? fits : ctx.implies(definite(ctx, e), fits), out);
        if (decided) add_parts(definite(ctx, e), out);
    };
    if (const Store* n = s->as<Store>()) {
        for (Expr i : n->indices) evaluated(i, true, true);
        const bool plain = std::all_of(n->indices.begin(), n->indices.end(), is_plain);
        if (plain) add_parts(in_bounds(ctx, n->buffer, n->indices), out);
        evaluated(n->value, true, false);
    } else if (const LetStmt* let = s->as<LetStmt>()) {
        evaluated(let->value, true, false);
    } else if (const IfElse* branch = s->as<IfElse>()) {
        evaluated(branch->cond, false, true);
    } else if (const For* loop = s->as<For>()) {
        evaluated(loop->lo, true, true);
        evaluated(loop->hi, true, true);
    } else if (const Block* block = s->as<Block>()) {
        evaluated(block->predicate, false, true);
    } else if (const Assert* check = s->as<Assert>()) {
        evaluated(check->cond, false, true);
        if (is_plain(check->cond)) add_parts(check->cond, out);
    } else if (const Evaluate* value = s->as<Evaluate>()) {
        evaluated(value->value, false, false);
    }
    return out;
}

Result<Established> known_by_observation(const MemoryModel& memory, const ClaimPoint& point,
                                         const Witness& witness,
                                         const std::vector<Buffer>& unchanged) {
    Context& ctx = memory.ctx();
    const Function& f = memory.function();
    const std::string where = witness.statement.str();
    const Result<Located> at = locate(f, witness.statement);
    if (!at) return at.error();
    if (at->stmt == nullptr) return error("no statement at " + where);
    const Access position = point_at(ctx, f, witness.statement);
    std::vector<Expr> goals;
    const Status ok = check_witness(ctx, position, witness.at, point.site, {}, goals);
    if (!ok) return ok.error();
    const Access here = point_at(ctx, f, point.site);
    const Instance ran{&position, witness.at, {}};
    std::vector<GuardOnData> guards;
    goals.push_back(happens(memory, ran, point.site, guards));
    goals.push_back(must_be_before(ctx, ran, itself(here)));
    Established out;
    const Scope scope = scope_at(ctx, f, point.site);
    std::vector<Expr> read;
    for (Expr part : observed_by(ctx, at->stmt)) {
        Expr fact = substitute(ctx, part, position.lets);
        if (!speaks_of(memory, position, fact)) continue;
        bool known = true;
        for (Buffer b : loaded_buffers(fact)) {
            const auto found = scope.buffers.find(b->name);
            const bool in_scope = found != scope.buffers.end() && found->second == b;
            const bool kept = !stores_to(ctx, f, b) || planted("claims:observed-once") ||
                              std::find(unchanged.begin(), unchanged.end(), b) != unchanged.end();
            known = known && in_scope && kept;
        }
        if (!known) continue;
        fact = substitute(ctx, fact, witness.at);
        for (Buffer b : loaded_buffers(fact)) same_allocation(memory, b, witness, goals);
        for_each_node(fact, [&](Expr e) {
            const bool is_new = std::find(read.begin(), read.end(), e) == read.end();
            if (e->op == Op::Load && is_new) read.push_back(e);
        });
        if (!is_const(fact)) out.facts.push_back(fact);
    }
    if (out.facts.empty()) return error("the statement at " + where + " tells nothing here");
    Expr before = ctx.all_of(goals);
    out.obligations.push_back(claim(
        {Owed::HasRun, "the statement observed at " + where + " has run before", witness.statement},
        point.facts, before));
    guards_unchanged(memory, guards, witness.at, point.site, false, point.facts, before,
                     out.obligations);
    for (Expr e : read) {
        if (planted("claims:observed-once")) break;  // of cells that are not said to be kept
        no_store_between(memory, point.facts, e->buffer, {e->args.begin(), e->args.end()}, ran,
                         itself(here),
                         "what was observed at " + where + " of " + e->buffer->name +
                             " is not written in between",
                         out.obligations);
    }
    return out;
}

}  // namespace proviso::analysis
