// The primitives compute_inline and reverse_compute_inline. Where a block's result is read, what it
// computes stands instead.
//
//   for i: B[i] = A[i] * 2
//   for i: C[i] = B[i] + 1      →      for i: C[i] = A[i] * 2 + 1
//
// In steps: each load becomes the value of the store that is the last to its cell (replace, by a
// claim of a last write); then that store is dead (drop-store), and what is left without effect
// goes (drop-empty). A block is inlined into the one that computes what it reads by placing it in
// that one's innermost loop first (compute-at).
#include <algorithm>
#include <nlohmann/json.hpp>

#include "analysis/facts/path.h"
#include "analysis/memory/claims.h"
#include "ir/text.h"
#include "rewrite/passes/claim_search.h"
#include "rewrite/schedule/primitives/primitives.h"
#include "rewrite/schedule/primitives/stored_value.h"
#include "rewrite/schedule/reader/interpreter/unused.h"
#include "rewrite/schedule/restated.h"

namespace proviso::rewrite {

using namespace ir;
using namespace analysis;
using nlohmann::json;

namespace {

constexpr std::size_t kMostLoads = 512;  // each is a step

// Loads of the buffer outside of the statement at `producer`, in the order of the text; those of
// regions and domains of blocks have no expression.
std::vector<const Access*> loads_elsewhere(const MemoryModel& memory, Buffer buffer,
                                           const Site& producer) {
    std::vector<const Access*> out;
    for (const Access& a : memory.all()) {
        if (a.is_store || a.buffer != buffer || producer.contains(a.statement)) continue;
        out.push_back(&a);
    }
    return out;
}

// The first of them that has an expression.
std::optional<LoadAt> next_load(const MemoryModel& memory, Buffer buffer, const Site& producer) {
    for (const Access* a : loads_elsewhere(memory, buffer, producer)) {
        const Result<Located> at = locate(memory.function(), a->site);
        if (at && at->expr != nullptr) return LoadAt{a->site, a->statement, at->expr};
    }
    return std::nullopt;
}

// The store of a choice in one arm of which the load stands as a branch between two stores, of
// what each arm computes: the site of the branch. None: there is no such choice, or no such step.
std::optional<Site> part_choice(Proposer& p, const LoadAt& load) {
    Context& ctx = p.ctx();
    const Store* store = locate(p.current(), load.statement)->stmt->as<Store>();
    const Site value = load.statement.child("value");
    if (store == nullptr || store->value->op != Op::IfThenElse || !value.contains(load.site)) {
        return std::nullopt;
    }
    Expr chosen = store->value;
    Expr condition = chosen->arg(0);
    if (has_any(condition, {Op::Load, Op::CallExtern, Op::Undef})) return std::nullopt;
    Stmt both = locate(p.current(), load.statement)->stmt;
    const std::size_t start = p.derivation().steps().size();
    Restated r;
    r.after = ctx.stmt(IfElse{condition, both, both});
    r.parts = {Part{Site{}.child("then"), Site{}, {}, {}, condition, nullptr},
               Part{Site{}.child("else"), Site{}, {}, {}, ctx.not_(condition), nullptr}};
    bool done = !restate(p, load.statement, r);
    for (const bool first : {true, false}) {
        const Site arm = load.statement.child(first ? "then" : "else").child("value");
        const json args = {{"to", print(chosen->arg(first ? 1 : 2))}};
        done = done && p.try_apply("replace", arm, args);
    }
    if (done) return load.statement;
    p.derivation().roll_back(start);
    return std::nullopt;
}

}  // namespace

Outcome Primitives::compute_inline(const std::string& block) {
    const std::optional<Site> at = p_.index().block(block);
    if (!at) return refuse(no_block(block).message, no_block(block).hint);
    std::vector<Site> stores;
    for (const auto& [site, s] : all_statements(p_.current())) {
        if (at->contains(site) && s->is<Store>()) stores.push_back(site);
    }
    if (stores.size() != 1) {
        return refuse("block " + block + " has " + std::to_string(stores.size()) +
                          " stores; one that computes its result by one store can be inlined",
                      "sch.compute_at moves a reduction to where its result is read");
    }
    Buffer buffer = locate(p_.current(), stores[0])->stmt->as<Store>()->buffer;
    if (p_.current().find_buffer_param(buffer->name) == buffer) {
        return refuse(
            buffer->name + ", which block " + block + " computes, is a parameter: callers see it",
            "a block that computes a buffer of T.alloc_buffer can be inlined");
    }
    const std::vector<Buffer> read =
        loaded_buffers(locate(p_.current(), stores[0])->stmt->as<Store>()->value);
    if (std::find(read.begin(), read.end(), buffer) != read.end()) {
        return refuse("block " + block + " reads what it computes: each value is made of others",
                      "sch.compute_at moves such a stage to where its result is read");
    }
    const std::size_t reads = loads_elsewhere(p_.memory(), buffer, *p_.index().block(block)).size();
    if (reads > kMostLoads) {
        return refuse("limit: " + buffer->name + " is read in " + std::to_string(reads) +
                          " places; at most " + std::to_string(kMostLoads) + " are inlined",
                      "read it in a loop, or keep the buffer");
    }
    const std::size_t start = p_.derivation().steps().size();
    const auto no_longer = [&](Rejection why) {
        p_.derivation().roll_back(start);
        p_.derivation().record(why);
        return refuse(std::move(why));
    };
    std::size_t inlined = 0;
    std::set<Site> parted;
    std::vector<Site> branches;
    while (true) {
        const std::optional<LoadAt> next = next_load(p_.memory(), buffer, *p_.index().block(block));
        if (!next) break;
        if (auto no = put_stored_value(p_, *next, stores[0])) {
            // What is read in one arm of a choice alone was written where the choice is that one.
            const std::optional<Site> now =
                parted.count(next->statement) == 0 ? part_choice(p_, *next) : std::nullopt;
            if (!now) return no_longer(std::move(*no));
            parted.insert(now->child("then"));
            parted.insert(now->child("else"));
            branches.push_back(*now);
            continue;
        }
        ++inlined;
    }
    for (const Site& branch : branches) p_.try_apply("merge-stores", branch, json::object());
    std::optional<Rejection> why;
    if (!drop_store(p_, p_.memory(), stores[0], why)) return no_longer(std::move(*why));
    drop_unused(p_, stores[0]);
    drop_allocation(p_, buffer);
    note_ = std::to_string(inlined) + (inlined == 1 ? " load" : " loads") + " of " + buffer->name;
    return Names{};
}

Outcome Primitives::reverse_compute_inline(const std::string& block) {
    const std::optional<Site> at = p_.index().block(block);
    if (!at) return refuse(no_block(block).message, no_block(block).hint);
    std::set<Buffer> read;
    const std::vector<Access>& all = p_.memory().all();
    for (const Access& a : all) {
        if (!a.is_store && at->contains(a.statement)) read.insert(a.buffer);
    }
    std::set<std::string> producers;
    for (const Access& a : all) {
        if (!a.is_store || read.count(a.buffer) == 0 || at->contains(a.statement)) continue;
        std::string name;  // of the innermost block around the store
        for (const PassedNode& step : passed_on_the_way(p_.current(), a.statement)) {
            const Block* b = step.stmt == nullptr ? nullptr : step.stmt->as<Block>();
            if (b != nullptr) name = b->name;
        }
        producers.insert(name);
    }
    if (producers.size() != 1 || producers.begin()->empty()) {
        return refuse("what block " + block + " reads is computed by " +
                          std::to_string(producers.size()) + " blocks",
                      "a block is inlined into the only one that computes what it reads; "
                      "sch.compute_inline inlines those into it");
    }
    const std::string producer = *producers.begin();
    const std::vector<Expr> loops = loops_around(p_.current(), *p_.index().block(producer));
    if (loops.empty()) return refuse("block " + producer + " stands in no loop");
    const std::size_t start = p_.derivation().steps().size();
    Outcome placed = reverse_compute_at(block, *loops.back()->name, false);
    if (std::holds_alternative<Refusal>(placed)) return placed;
    Outcome out = compute_inline(producer);
    // As in TVM the block that stays is the producer, whose loops it stands in.
    if (std::holds_alternative<Names>(out) && !p_.index().is_block(producer)) {
        const Outcome renamed = rename_block(block, producer);
        if (std::holds_alternative<Refusal>(renamed)) out = renamed;
    }
    if (std::holds_alternative<Refusal>(out)) p_.derivation().roll_back(start);
    return out;
}

}  // namespace proviso::rewrite
