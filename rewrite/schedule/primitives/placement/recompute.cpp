// compute_at where iterations need cells in common: each computes all cells that it reads.
//
//   for x in range(12): B[x] = f(x)                 for i in range(10):
//   for i in range(10):                                 for t in range(3):
//       C[i] = B[i] + B[i + 2]             →                B_1[t] = f(i + t)
//                                                       C[i] = B_1[0] + B_1[2]
//
// In steps, where cells are computed by one store: a copy of the part that an iteration reads
// (stage-read); in it, the value that was stored last in place of the load (replace). Else, the
// whole nest is done again for that part (stage-read with "again"), and its loops get the bounds of
// the part (trim-loop, shift-loop). Then the old stage is dead and goes (drop-store, add-guard),
// and the one that computes the part has its name (rename-block).
#include <algorithm>
#include <nlohmann/json.hpp>

#include "analysis/facts/affine.h"
#include "analysis/memory/access.h"
#include "analysis/memory/claims.h"
#include "ir/text.h"
#include "rewrite/passes/cells_read.h"
#include "rewrite/schedule/primitives/primitives.h"
#include "rewrite/schedule/primitives/stored_value.h"
#include "rewrite/schedule/reader/interpreter/unused.h"

namespace proviso::rewrite {

using namespace ir;
using namespace analysis;
using nlohmann::json;

namespace {

// The statement of a loop's body that a stage is placed before: the only one that reads the buffer,
// where there is one and it is not to come first. What comes first is in the scope of all buffers
// that the loop has for itself, so that it stands in one list with what is there.
Site place_in(Context& ctx, const Function& f, const Site& body, Buffer buffer, bool first) {
    if (first) {
        Site inner = body;
        while (locate(f, inner)->stmt->is<Allocate>()) inner = inner.child("body");
        return inner;
    }
    const Seq* list = locate(f, body)->stmt->as<Seq>();
    if (list == nullptr) return body;
    std::set<Site> reading;
    for (const Access& a : accesses(ctx, f)) {
        if (a.is_store || a.buffer != buffer || !body.contains(a.statement)) continue;
        reading.insert(body.child(a.statement.steps[body.steps.size()]));
    }
    return reading.size() == 1 ? *reading.begin() : body;
}

// The store of a block that has just one.
std::optional<Site> only_store_in(const Function& f, const Site& block) {
    std::optional<Site> out;
    for (const auto& [site, s] : all_statements(f)) {
        if (!block.contains(site) || !s->is<Store>()) continue;
        if (out) return std::nullopt;
        out = site;
    }
    return out;
}

std::vector<std::string> names_of_blocks_in(const Function& f, const Site& at) {
    std::vector<std::string> out;
    for (const auto& [site, s] : all_statements(f)) {
        const Block* block = at.contains(site) ? s->as<Block>() : nullptr;
        if (block != nullptr) out.push_back(block->name);
    }
    return out;
}

// The statement with the block in a list that the place is in, too.
Site nest_before(const Function& f, const Site& block, const Site& place) {
    for (Site at = block; !at.steps.empty(); at = at.parent()) {
        const bool in_list = locate(f, at.parent())->stmt->is<Seq>();
        if (in_list && at.parent().contains(place)) return at;
    }
    return block;
}

void shorten(Proposer& p, const Site& condition) {
    Expr old = locate(p.current(), condition)->expr;
    Expr shorter = p.simplified(old, condition);
    if (shorter != old) p.try_apply("replace", condition, json{{"to", print(shorter)}});
}

// Guards in the statement as short as they can be, and those that always hold gone.
void decide_guards(Proposer& p, const std::string& block) {
    for (bool again = true; again;) {
        again = false;
        const Site at = *p.index().block(block);
        for (const auto& [site, s] : all_statements(p.current())) {
            if (!at.contains(site) || !s->is<IfElse>()) continue;
            shorten(p, site.child("cond"));
            if (!is_true(locate(p.current(), site.child("cond"))->expr)) continue;
            again = p.try_apply("decide-branch", site, json::object());
            if (again) break;
        }
        if (!again) shorten(p, p.index().block(block)->child("predicate"));
    }
}

// What is done again stores cells [0, extent) in one dimension of a buffer: the loop that walks
// them has these bounds, and that name.
void walk_part(Proposer& p, const Site& nest, const Access& store, std::size_t d, Expr extent,
               const std::string& name) {
    Context& ctx = p.ctx();
    const Affine index = Affine::of(store.indices[d]);
    std::vector<For> loops;
    for (const auto& [site, s] : all_statements(p.current())) {
        const For* loop = nest.contains(site) ? s->as<For>() : nullptr;
        if (loop != nullptr) loops.push_back(*loop);
    }
    const auto walks = [&](const For& n) { return index.factor_of(n.var) == Integer(1); };
    const auto loop = std::find_if(loops.begin(), loops.end(), walks);
    if (loop == loops.end()) return;
    const Affine rest = index.without(loop->var);
    for (const For& n : loops) {
        if (rest.factor_of(n.var) != Integer(0)) return;
    }
    const ScalarType type = loop->var->type;
    Expr offset = rest.expr(ctx, type);
    Expr low = Affine(Affine(0) - rest).expr(ctx, type);
    if (offset == nullptr || low == nullptr || extent->type != type) return;
    const Site site = *p.index().loop(*loop->var->name);
    Expr lo = p.simplified(ctx.max(low, loop->lo), site);
    Expr hi = p.simplified(ctx.min(ctx.add(low, extent), loop->hi), site);
    const bool trimmed = (lo == loop->lo && hi == loop->hi) ||
                         p.try_apply("trim-loop", site, {{"lo", print(lo)}, {"hi", print(hi)}});
    if (!trimmed) return;
    Stmt body = loop->body;
    while (const For* n = body->as<For>()) body = n->body;
    for (const char* guard : {"none", body->is<Block>() ? "block" : "if"}) {
        const json args = {{"offset", print(offset)},
                           {"lo", "0"},
                           {"hi", print(extent)},
                           {"name", name},
                           {"guard", guard}};
        if (p.try_apply("shift-loop", site, args)) return;
    }
}

// Where the part is rows and columns of one number, whole rows have more than it: the condition on
// a cell of these that it is of the part. Null: the part is a box, or not known. `cell`: of the
// buffer, over the loops of the part.
Expr rows_of_a_number(Proposer& p, const Site& place, Buffer buffer,
                      const std::vector<Expr>& cell) {
    if (cell.size() != buffer->rank()) return nullptr;
    bool rows = false;
    for (const Access& a : p.memory().all()) {
        if (a.is_store || a.buffer != buffer || !place.contains(a.statement)) continue;
        for (std::size_t d = 0; d < cell.size(); ++d) {
            const bool whole = cell[d]->op == Op::Var;
            rows = rows || (whole && has_any(a.indices[d], {Op::FloorMod, Op::TruncMod}));
        }
    }
    return rows ? cells_read_in(p.memory(), buffer, place, cell) : nullptr;
}

// The copy holds what the only store of the block has stored.
bool by_value(Proposer& p, const std::string& block, const std::string& copy, const Site& place,
              std::vector<json> attempts, std::optional<Rejection>& why) {
    const std::optional<Site> computes = only_store_in(p.current(), *p.index().block(block));
    if (!computes) return false;
    const Store& made = *locate(p.current(), *computes)->stmt->as<Store>();
    const std::vector<Buffer> of = loaded_buffers(made.value);
    if (std::find(of.begin(), of.end(), made.buffer) != of.end()) return false;
    attempts.push_back(attempts.back());
    json& ends = attempts.back()["ends"];
    (ends.is_object() ? ends["by"] : ends) = "difference";
    bool staged = false;
    for (json& staging : attempts) {
        if (staged) break;
        staging["block"] = copy;
        std::optional<Rejection> no;
        staged = p.try_apply("stage-read", place, staging, &no);
        if (!staged) keep_more_telling(why, std::move(no));
    }
    if (!staged) return false;
    const Site read = *only_store_in(p.current(), *p.index().block(copy));
    const LoadAt load{read.child("value"), read, locate(p.current(), read.child("value"))->expr};
    const Site store = *only_store_in(p.current(), *p.index().block(block));
    if (auto no = put_stored_value(p, load, store)) {
        keep_more_telling(why, std::move(no));
        return false;
    }
    std::optional<Rejection> no;
    if (!drop_store(p, p.memory(), store, no)) {
        keep_more_telling(why, std::move(no));
        return false;
    }
    drop_unused(p, store);
    shorten(p, p.index().block(copy)->child("predicate"));
    p.try_apply("rename-block", *p.index().block(copy), json{{"block", block}});
    return true;
}

// The copy is computed by the nest that computed the buffer.
bool by_nest(Proposer& p, const std::string& block, const Site& place, json part,
             std::optional<Rejection>& why) {
    const Site nest = nest_before(p.current(), *p.index().block(block), place);
    part["again"] = nest.str();
    const std::vector<std::string> blocks = names_of_blocks_in(p.current(), nest);
    std::optional<Rejection> no;
    if (!p.try_apply("stage-read", place, part, &no)) {
        keep_more_telling(why, std::move(no));
        return false;
    }
    const Site list = place.child("body");
    const Site again = locate(p.current(), list)->stmt->is<Seq>() ? list.child("0") : list;
    const std::vector<std::string> copies = names_of_blocks_in(p.current(), again);
    const auto names = part["names"].get<std::vector<std::string>>();
    Buffer copy = locate(p.current(), place)->stmt->as<Allocate>()->buffer;
    for (std::size_t d = 0; d < names.size(); ++d) {
        for (const Access& a : accesses(p.ctx(), p.current())) {
            if (!a.is_store || a.buffer != copy) continue;
            walk_part(p, again, a, d, copy->shape[d], names[d]);
            break;
        }
    }
    for (const std::string& name : copies) decide_guards(p, name);
    if (!drop_nest(p, nest, no)) {
        keep_more_telling(why, std::move(no));
        return false;
    }
    for (std::size_t k = 0; k < copies.size() && k < blocks.size(); ++k) {
        const std::optional<Site> at = p.index().block(copies[k]);
        if (at) p.try_apply("rename-block", *at, json{{"block", blocks[k]}});
    }
    return true;
}

}  // namespace

void Primitives::drop_unit_loops(const std::vector<std::string>& loops) {
    for (const std::string& name : loops) {
        const std::optional<Site> at = p_.index().loop(name);
        const For* loop = at ? locate(p_.current(), *at)->stmt->as<For>() : nullptr;
        if (loop == nullptr || !is_int_const(p_.simplified(loop->hi, *at), 1)) continue;
        p_.try_apply("unroll", *at, json::object());
    }
}

Outcome Primitives::recompute(const std::string& block, const std::string& loop, Buffer buffer,
                              bool unit_loops, std::int64_t index) {
    const std::size_t start = p_.derivation().steps().size();
    const bool first = index == -2 || index == 0;
    const Site place =
        place_in(p_.ctx(), p_.current(), p_.index().loop(loop)->child("body"), buffer, first);
    reserved_.clear();
    std::vector<Expr> cell;
    const std::string copy = fresh(block);
    const json known = {
        {"buffer", buffer->name}, {"name", fresh(buffer->name)}, {"scope", buffer->scope}};
    const auto found = part_arguments(place, loop, buffer, known, false, true, cell);
    if (const Refusal* no = std::get_if<Refusal>(&found)) return *no;
    const std::vector<json> parts = std::get<std::vector<json>>(found);
    std::optional<Rejection> why;
    bool done = false;
    if (Expr only = rows_of_a_number(p_, place, buffer, cell)) {
        std::vector<json> exact = parts;
        for (json& part : exact) part["ends"] = {{"only", print(only)}};
        done = by_value(p_, block, copy, place, exact, why);
        if (!done) p_.derivation().roll_back(start);
    }
    if (!done) done = by_value(p_, block, copy, place, parts, why);
    if (!done) p_.derivation().roll_back(start);
    for (std::size_t k = 0; k < parts.size() && !done; ++k) {
        done = by_nest(p_, block, place, parts[k], why);
        if (!done) p_.derivation().roll_back(start);
    }
    if (!done) {
        p_.derivation().record(*why);
        note_.clear();
        Refusal no = std::get<Refusal>(refuse(*why));
        const bool read = why->rule == "drop-store" || why->rule == "add-guard";
        const bool no_box = why->failed && why->failed->purpose.kind == Owed::TileCovers;
        no.diagnostic.hint = no_box ? "the cells that an iteration reads are no box of the part's "
                                      "size: place the stage before loops are fused and split"
                             : read
                                 ? "everything that reads " + buffer->name + " has to be in loop " +
                                       loop + ": sch.reverse_compute_at brings a stage there"
                                 : "sch.store_at(\"" + block +
                                       "\") before it: each cell is computed once, by the "
                                       "first iteration that reads it";
        return no;
    }
    drop_allocation(p_, buffer);
    if (!unit_loops) drop_unit_loops(parts.front()["names"].get<std::vector<std::string>>());
    return Names{};
}

Outcome Primitives::store_at(const std::string& block, const std::string& loop) {
    if (!p_.index().block(block)) return refuse(no_block(block).message, no_block(block).hint);
    Outcome out = Names{};
    note_ = "the result of " + block + " stays where it is: compute_at computes each cell once";
    if (!loop.empty()) out = compute_at(block, loop, false, -2);
    Refusal* no = std::get_if<Refusal>(&out);
    if (no == nullptr) stored_.insert(block);
    const bool again = no != nullptr && no->rejection && no->rejection->rule != "drop-store" &&
                       no->rejection->rule != "add-guard";  // the part cannot be computed again
    if (again) {
        no->diagnostic.hint = "sch.store_at(\"" + block +
                              "\") without a loop keeps the result where it is; sch.compute_at "
                              "computes each cell once then";
    }
    return out;
}

}  // namespace proviso::rewrite
