// Primitives about what stands around work and means nothing to it: annotations, loops of one
// iteration, names of blocks, the order of their iterators.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "rewrite/schedule/primitives/primitives.h"
#include "rewrite/schedule/restated.h"

namespace proviso::rewrite {

using namespace ir;
using nlohmann::json;

namespace {

// The block, changed but for its body and initialisation.
Restated with_same_work(Context& ctx, Block block) {
    block.reads.reset();  // claims around parts are none
    block.writes.reset();
    Restated out;
    if (block.init != nullptr) {
        const Site init = Site{}.child("init");
        add_parts(out, block.init, Part{init, init, {}, {}});
    }
    const Site body = Site{}.child("body");
    add_parts(out, block.body, Part{body, body, {}, {}});
    out.after = ctx.stmt(std::move(block));
    return out;
}

Restated with_same_work(Context& ctx, For loop) {
    Restated out;
    const Site body = Site{}.child("body");
    add_parts(out, loop.body, Part{body, body, {}, {}});
    out.after = ctx.stmt(std::move(loop));
    return out;
}

}  // namespace

std::optional<Site> Primitives::site_of(const BlockOrLoop& at) const {
    return at.is_loop ? p_.index().loop(at.name) : p_.index().block(at.name);
}

Outcome Primitives::annotated(const BlockOrLoop& at,
                              const std::function<void(Annotations&)>& change) {
    const std::optional<Site> site = site_of(at);
    if (!site) {
        return Refusal{at.is_loop ? no_loop(at.name) : no_block(at.name), std::nullopt};
    }
    Stmt s = locate(p_.current(), *site)->stmt;
    Restated r;
    if (at.is_loop) {
        For loop = *s->as<For>();
        change(loop.annotations);
        if (loop.annotations == s->as<For>()->annotations) return Names{};
        r = with_same_work(p_.ctx(), std::move(loop));
    } else {
        Block block = *s->as<Block>();
        change(block.annotations);
        if (block.annotations == s->as<Block>()->annotations) return Names{};
        r = with_same_work(p_.ctx(), std::move(block));
    }
    if (auto no = restate(p_, *site, r)) return refuse(std::move(*no));
    return Names{};
}

namespace {

constexpr std::size_t kMostAnnotations = 1000;  // of one block or loop

// TVM's root block is no block here, and has nothing that an annotation could stand on.
std::string left_out(const std::string& key) {
    return "the function is no block here: its annotation \"" + key + "\" is left out";
}

}  // namespace

Outcome Primitives::annotate(const BlockOrLoop& at, const std::string& key, AttrValue value) {
    if (!at.is_loop && is_root(at.name)) {
        root_annotations_.insert(key);
        note_ = left_out(key);
        return Names{};
    }
    bool full = false;  // each step has all of them in it
    Outcome out = annotated(at, [&](Annotations& all) {
        full = all.count(key) == 0 && all.size() >= kMostAnnotations;
        if (!full) all[key] = std::move(value);
    });
    if (!full) return out;
    return refuse((at.is_loop ? "loop " : "block ") + at.name + " has " +
                      std::to_string(kMostAnnotations) + " annotations, which are the most",
                  "one annotation may hold a list or a dictionary: {\"first\": 1, \"second\": 2}");
}

Outcome Primitives::unannotate(const BlockOrLoop& at, const std::string& key) {
    bool found = false;
    Outcome out = Names{};
    if (!at.is_loop && is_root(at.name)) {
        found = root_annotations_.erase(key) != 0;
        note_ = found ? left_out(key) : "";
    } else {
        out = annotated(at, [&](Annotations& all) { found = all.erase(key) != 0; });
    }
    if (found || std::holds_alternative<Refusal>(out)) return out;
    return refuse(
        (at.is_loop ? "loop " : "block ") + at.name + " has no annotation \"" + key + "\"",
        "sch.annotate gives one");
}

Outcome Primitives::storage_align(const std::string& block, Buffer buffer, std::int64_t axis,
                                  std::int64_t factor, std::int64_t offset) {
    const auto rank = static_cast<std::int64_t>(buffer->rank());
    const std::int64_t dimension = axis < 0 ? axis + rank : axis;
    if (dimension < 0 || dimension >= rank) {
        return refuse(buffer->name + " has no dimension " + std::to_string(axis),
                      "it has " + std::to_string(rank) + ", counted from 0");
    }
    if (factor <= 0) return refuse("the factor of an alignment is above 0", "factor=32, offset=8");
    std::int64_t index = 0;
    while (buffer_by_index(block, true, static_cast<std::size_t>(index)) != buffer) {
        if (buffer_by_index(block, true, static_cast<std::size_t>(index++)) == nullptr) {
            return refuse("block " + block + " does not store to " + buffer->name,
                          "the block that computes a buffer says how it is aligned");
        }
    }
    const AttrValue row{AttrValue::List{AttrValue{index}, AttrValue{dimension}, AttrValue{factor},
                                        AttrValue{offset}}};
    return annotated({false, block}, [&](Annotations& all) {
        auto& list = all["buffer_dim_align"].value;
        if (!std::holds_alternative<AttrValue::List>(list)) list = AttrValue::List{};
        auto& rows = std::get<AttrValue::List>(list);
        std::erase_if(rows, [&](const AttrValue& other) {  // of the same dimension: it is replaced
            const auto* given = std::get_if<AttrValue::List>(&other.value);
            return given != nullptr && given->size() == 4 && (*given)[0] == AttrValue{index} &&
                   (*given)[1] == AttrValue{dimension};
        });
        rows.push_back(row);
    });
}

Outcome Primitives::add_unit_loop(const BlockOrLoop& at) {
    const std::optional<Site> site = site_of(at);
    if (!site) {
        return Refusal{at.is_loop ? no_loop(at.name) : no_block(at.name), std::nullopt};
    }
    Stmt s = locate(p_.current(), *site)->stmt;
    Context& ctx = p_.ctx();
    reserved_.clear();
    const std::string name = fresh_loop("u");
    Expr u = ctx.var(name, kInt32);
    Expr zero = ctx.int_imm(kInt32, 0);
    Restated r;
    r.after = ctx.stmt(For{u, zero, ctx.int_imm(kInt32, 1), ForKind::Serial, "", s});
    Part part;
    part.now = Site{}.child("body");
    part.to[u] = zero;
    r.parts.push_back(std::move(part));
    if (auto no = restate(p_, *site, r)) return refuse(std::move(*no));
    return Names{name};
}

Outcome Primitives::rename_block(const std::string& block, const std::string& name) {
    const std::optional<Site> site = p_.index().block(block);
    if (!site) return Refusal{no_block(block), std::nullopt};
    if (p_.index().is_block(name)) return refuse("there is a block '" + name + "' already");
    Block renamed = *locate(p_.current(), *site)->stmt->as<Block>();
    renamed.name = name;
    const Restated r = with_same_work(p_.ctx(), std::move(renamed));
    if (auto no = restate(p_, *site, r)) return refuse(std::move(*no));
    return Names{name};
}

Outcome Primitives::reorder_block_iter_var(const std::string& block,
                                           const std::vector<std::int64_t>& order) {
    const std::optional<Site> site = p_.index().block(block);
    if (!site) return Refusal{no_block(block), std::nullopt};
    Block now = *locate(p_.current(), *site)->stmt->as<Block>();
    std::vector<std::int64_t> sorted = order;
    std::sort(sorted.begin(), sorted.end());
    bool all = order.size() == now.iters.size();
    for (std::size_t k = 0; k < sorted.size() && all; ++k) {
        all = sorted[k] == static_cast<std::int64_t>(k);
    }
    if (!all) {
        return refuse("the new order does not name each of the " +
                          std::to_string(now.iters.size()) + " iterators of block " + block +
                          " once",
                      "their numbers, from 0, in the order in which they are to stand");
    }
    std::vector<BlockIter> iters;
    for (const std::int64_t k : order) iters.push_back(now.iters[static_cast<std::size_t>(k)]);
    if (iters == now.iters) return Names{};
    now.iters = std::move(iters);
    const Restated r = with_same_work(p_.ctx(), std::move(now));
    if (auto no = restate(p_, *site, r)) return refuse(std::move(*no));
    return Names{};
}

}  // namespace proviso::rewrite
