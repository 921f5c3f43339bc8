// unsafe_set_dtype: a buffer of the function as one of another type, where no value is lost.
//
//   for i: B[i] = A[i] * 2                      for i: B_int8[i] = T.Cast("int8", A[i] * 2)
//   for i: C[i] = B[i] + 1      →               for i: C[i] = T.Cast("int32", B_int8[i]) + 1
//
// In steps: the new buffer is filled after the block, B_int8[l] = T.Cast("int8", B[l])
// (fresh_buffer.h); each load of B becomes the cast of the new cell, which gives the same value
// back: that is the proof (replace); and the block goes into the nest that fills
// (reverse_compute_inline).
#include <algorithm>
#include <nlohmann/json.hpp>

#include "analysis/facts/path.h"
#include "ir/text.h"
#include "rewrite/passes/claim_search.h"
#include "rewrite/schedule/fresh_buffer.h"
#include "rewrite/schedule/primitives/primitives.h"

namespace proviso::rewrite {

using namespace ir;
using namespace analysis;
using nlohmann::json;

namespace {

// The first load of the buffer outside of a block; of regions and domains too, without an
// expression.
struct LoadElsewhere {
    Site site, statement;
    Expr expr = nullptr;
};
std::optional<LoadElsewhere> load_elsewhere(Proposer& p, Buffer buffer, const Site& block) {
    for (const Access& a : p.memory().all()) {
        if (a.is_store || a.buffer != buffer || block.contains(a.statement)) continue;
        const Result<Located> at = locate(p.current(), a.site);
        return LoadElsewhere{a.site, a.statement, at ? at->expr : nullptr};
    }
    return std::nullopt;
}

// The smallest list of stages that everything which accesses the buffer is in; none: what reads it
// does not come after the block.
std::optional<Site> list_of(Proposer& p, Buffer buffer, const Site& block) {
    std::optional<Site> found;
    for (Site up = stage_of(p.current(), block); !up.steps.empty() && !found;) {
        up = up.parent();
        if (!locate(p.current(), up)->stmt->is<Seq>()) continue;
        const auto& all = p.memory().all();
        const bool holds = std::all_of(all.begin(), all.end(), [&](const Access& a) {
            return a.buffer != buffer || up.contains(a.statement);
        });
        if (holds) found = up;
    }
    if (!found) return found;
    const Site element = found->child(block.steps[found->steps.size()]);
    for (const Access& a : p.memory().all()) {
        if (a.buffer != buffer || block.contains(a.statement)) continue;
        if (element.contains(a.statement)) return std::nullopt;
    }
    return found;
}

bool is_allocated(const Function& f, Buffer buffer) {
    const auto all = all_statements(f);
    return std::any_of(all.begin(), all.end(), [&](const auto& at) {
        const Allocate* n = at.second->template as<Allocate>();
        return n != nullptr && n->buffer == buffer;
    });
}

// Why the buffer cannot have another type, whichever it is.
std::optional<Diagnostic> keeps_its_type(Proposer& p, const std::string& block, Buffer buffer) {
    const Site at = *p.index().block(block);
    const std::string& name = buffer->name;
    if (!is_allocated(p.current(), buffer)) {
        return error(name + " is a parameter: its type is the caller's",
                     "sch.cache_read or sch.cache_write, and the type of the copy");
    }
    const std::string converts = "sch.cache_write(\"" + block + "\", \"" + name +
                                 "\", \"global\") first: then set the type of " + name +
                                 " at the block that copies";
    if (locate(p.current(), at)->stmt->as<Block>()->init != nullptr) {
        return error("block " + block +
                         " is a reduction: in another type each partial result "
                         "would have to fit",
                     converts);
    }
    for (const Access& a : p.memory().all()) {
        if (a.buffer != buffer || !a.is_store || a.statement == at.child("body")) continue;
        return error("block " + block + " is not the only store to " + name + ": there is one at " +
                         a.statement.str(),
                     converts);
    }
    const Store* store = locate(p.current(), at.child("body"))->stmt->as<Store>();
    if (store == nullptr || store->buffer != buffer) {
        return error("block " + block + " is no single store to " + name, converts);
    }
    const std::vector<Buffer> read = loaded_buffers(store->value);
    if (std::find(read.begin(), read.end(), buffer) != read.end()) {
        return error("block " + block + " reads what it stores to " + name +
                         ": in another type each partial result would have to fit",
                     converts);
    }
    if (buffer->rank() == 0) {
        return error(name + " is a scalar buffer, which has no cells to fill",
                     "T.alloc_buffer((1,), …)");
    }
    return std::nullopt;
}

}  // namespace

Outcome Primitives::set_dtype(const std::string& block, Buffer buffer, ScalarType type) {
    const std::optional<Site> at = p_.index().block(block);
    if (!at) return Refusal{no_block(block), std::nullopt};
    const std::string name = buffer->name;
    if (type == buffer->type) {
        note_ = name + " is " + type.str() + " already";
        return Names{};
    }
    if (const auto no = keeps_its_type(p_, block, buffer)) return refuse(no->message, no->hint);
    const std::optional<Site> list = list_of(p_, buffer, *at);
    if (!list) {
        return refuse("no later stage reads " + name + ", or one in a list of stages of its own",
                      "the block that stores and those that read stand one after the other");
    }
    const std::size_t start = p_.derivation().steps().size();
    Context& ctx = p_.ctx();
    reserved_.clear();
    FreshBuffer b;
    b.around = *list;
    b.after = stage_of(p_.current(), *at);
    b.name = fresh(name + "_" + type.str());
    b.type = type;
    b.scope = buffer->scope;
    b.block = fresh_block(b.name);
    for (std::size_t d = 0; d < buffer->rank(); ++d) {
        b.shape.push_back(buffer->shape[d]);
        b.loops.push_back(fresh_loop("ax" + std::to_string(d)));
        b.indices.push_back(fresh("v" + std::to_string(d)));
        b.vars.push_back(ctx.var(b.indices.back(), buffer->shape[d]->type));
    }
    b.value = ctx.cast(type, ctx.load(buffer, b.vars));
    const auto refused = [&](Rejection no) {
        p_.derivation().roll_back(start);
        p_.derivation().record(no);
        Outcome out = refuse(std::move(no));
        std::get<Refusal>(out).diagnostic.hint = "a value that is stored to " + name + " is no " +
                                                 type.str() +
                                                 ": take a type that holds all of them";
        return out;
    };
    std::optional<Rejection> why;
    if (!put_fresh_buffer(p_, b, why)) return refused(std::move(*why));
    const Buffer now = locate(p_.current(), store_of_block(p_, b.block))->stmt->as<Store>()->buffer;
    // By as little knowledge as is needed: of all values, of what the block stores, of what every
    // value has in common.
    const auto read_other = [&](const LoadElsewhere& load) -> std::optional<Rejection> {
        const std::vector<Expr> cell(load.expr->args.begin(), load.expr->args.end());
        std::optional<Rejection> told;
        for (const int knowledge : {0, 1, 2}) {
            std::vector<json> claims;
            if (knowledge > 0) {
                ClaimOptions options;
                options.found = &p_.invariants_found();
                options.properties = knowledge > 1;
                claims = known_memory(p_.memory(), p_.prover(), load.expr, load.statement, options)
                             .claims;
            }
            claims.push_back(filled(p_, now, b.block, b.loops, cell));
            const json args = {{"to", print(ctx.cast(buffer->type, ctx.load(now, cell)))},
                               {"claims", claims}};
            std::optional<Rejection> no;
            if (p_.try_apply("replace", load.site, args, &no)) return std::nullopt;
            // The more is known, the more the values tell.
            if (!told || no->answer.verdict == Verdict::Refuted) told = std::move(no);
        }
        return told;
    };
    std::size_t loads = 0;
    while (true) {
        const std::optional<Site> fill = p_.index().block(b.block);
        std::optional<LoadElsewhere> load = load_elsewhere(p_, buffer, *fill);
        if (!load) break;
        if (load->expr == nullptr) {
            p_.derivation().roll_back(start);
            return refuse("a domain or a claimed region of a block at " + load->statement.str() +
                          " reads " + name);
        }
        if (std::optional<Rejection> no = read_other(*load)) {
            return refused(std::move(*no));
        }
        ++loads;
    }
    if (loads == 0) {
        p_.derivation().roll_back(start);
        return refuse("nothing reads " + name, "sch.remove_no_op() removes what is never read");
    }
    Outcome moved = reverse_compute_inline(b.block);
    if (std::holds_alternative<Refusal>(moved)) moved = compute_inline(block);
    if (std::holds_alternative<Refusal>(moved)) {
        p_.derivation().roll_back(start);
        return moved;
    }
    // Where the copying block went into the one before, that one's name is there already.
    const Outcome renamed = p_.index().block(b.block) ? rename_block(b.block, block) : Names{};
    if (std::holds_alternative<Refusal>(renamed)) {
        p_.derivation().roll_back(start);
        return renamed;
    }
    note_ = name + " is " + b.name + " now";
    return Names{};
}

}  // namespace proviso::rewrite
