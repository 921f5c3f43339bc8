// Primitives about buffers: layout, caches, and loops that follow a layout.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "analysis/facts.h"
#include "analysis/path.h"
#include "rewrite/passes/claim_search.h"
#include "rewrite/schedule/layout_plan.h"
#include "rewrite/schedule/primitives.h"

namespace proviso::rewrite {

using namespace ir;
using namespace analysis;
using nlohmann::json;

namespace {

json texts(const std::vector<Expr>& exprs) {
    json out = json::array();
    for (Expr e : exprs) out.push_back(print(e));
    return out;
}

json boxes_json(const LayoutPlan& plan) {
    json out = json::array();
    for (const Box& box : plan.padding) {
        json ranges = json::array();
        for (const auto& [lo, hi] : box.ranges) ranges.push_back({print(lo), print(hi)});
        if (plan.guarded) {
            out.push_back(json{{"guarded", true}, {"ranges", ranges}});
        } else {
            out.push_back(ranges);
        }
    }
    return out;
}

// The stage that holds the last store to a buffer; none when it is never stored to.
std::optional<Site> last_writing_stage(const Function& f, Buffer buffer) {
    std::optional<Site> out;
    for (const auto& [site, stmt] : all_statements(f)) {
        const Store* n = stmt->as<Store>();
        if (n != nullptr && n->buffer == buffer) out = stage_of(f, site);
    }
    return out;
}

}  // namespace

Outcome Primitives::transform_layout(const LayoutRequest& request) {
    Context& ctx = p_.ctx();
    Buffer b = request.buffer;
    if (request.vars.size() != b->rank()) {
        return refuse("the index map takes " + std::to_string(request.vars.size()) +
                      " indices, and " + b->name + " has " + std::to_string(b->rank()));
    }
    reserved_.clear();
    std::vector<std::string> physical;
    json loops = json::array();
    json vars = json::array();
    for (Expr v : request.vars) vars.push_back(*v->name);
    for (std::size_t k = 0; k < request.map.size(); ++k) {
        physical.push_back("p" + std::to_string(k));
        loops.push_back(fresh(b->name + "_p" + std::to_string(k)));
    }
    const Result<LayoutPlan> plan = plan_layout(p_.prover(), parameter_facts(ctx, p_.current()), b,
                                                request.vars, request.map, physical);
    if (!plan) return Refusal{plan.error(), std::nullopt};
    std::string pad = "none";
    if (request.pad == Pad::Undef) pad = "undef";
    if (request.pad == Pad::Value) {
        Substitution to_physical;
        for (std::size_t k = 0; k < request.pad_vars.size() && k < physical.size(); ++k) {
            to_physical[request.pad_vars[k]] = plan->physical_vars[k];
        }
        pad = print(substitute(ctx, request.pad_value, to_physical));
    }
    if (!plan->padded) pad = "none";  // there is nothing to fill
    json args = {{"buffer", b->name},
                 {"shape", texts(plan->shape)},
                 {"vars", vars},
                 {"map", texts(request.map)},
                 {"physical_vars", physical},
                 {"inverse", texts(plan->inverse)},
                 {"pad", pad},
                 {"names", loops}};
    const std::optional<Site> stage = last_writing_stage(p_.current(), b);
    if (stage && pad != "none") {
        args["boxes"] = boxes_json(*plan);
        args["after"] = stage->str();
    }
    if (auto no = step("relayout", Site{}, args)) return *no;
    simplify_assumptions(p_);
    return Names{};
}

Outcome Primitives::cache_read(const std::string& block, Buffer buffer, const std::string& scope) {
    const std::optional<Site> at = find_block(p_.current(), block);
    if (!at) return refuse("there is no block '" + block + "' any more");
    reserved_.clear();
    const std::string name = fresh(buffer->name + "_" + scope);
    json loops = json::array();
    for (std::size_t d = 0; d < buffer->rank(); ++d)
        loops.push_back(fresh("ax" + std::to_string(d)));
    const std::string copy = fresh(name + "_load");
    const json args = {{"buffer", buffer->name},
                       {"name", name},
                       {"scope", scope},
                       {"names", loops},
                       {"block", copy}};
    if (auto no = step("stage-read", stage_of(p_.current(), *at), args)) return *no;
    return Names{copy};
}

Outcome Primitives::cache_write(const std::string& block, Buffer buffer, const std::string& scope) {
    const std::optional<Site> at = find_block(p_.current(), block);
    if (!at) return refuse("there is no block '" + block + "' any more");
    const Function f = p_.current();
    const Site stage = stage_of(f, *at);
    reserved_.clear();
    const std::string name = fresh(buffer->name + "_" + scope);
    json loops = json::array();
    std::vector<Expr> cell;
    for (std::size_t d = 0; d < buffer->rank(); ++d) {
        loops.push_back(fresh("ax" + std::to_string(d)));
        cell.push_back(p_.ctx().var(loops.back().get<std::string>(), buffer->shape[d]->type));
    }
    const std::string copy = fresh(name + "_store");
    json args = {{"buffer", buffer->name},
                 {"name", name},
                 {"scope", scope},
                 {"names", loops},
                 {"block", copy}};
    const MemoryModel memory(p_.ctx(), f);
    json reads = json::object();
    for (const Access& a : memory.all()) {
        if (a.is_store || a.buffer != buffer || !stage.contains(a.statement)) continue;
        const Result<Located> load = locate(f, a.site);
        const auto before =
            written_before_witness(memory, p_.prover(), buffer,
                                   {load->expr->args.begin(), load->expr->args.end()}, a.statement);
        if (before) reads[a.statement.str()].push_back(before->json());
    }
    if (!reads.empty()) args["reads"] = reads;
    std::optional<Rejection> why;
    for (const StoreWitness& w : stores_touching(memory, buffer, cell, stage, {})) {
        if (!stage.contains(w.statement)) continue;
        args["writer"] = w.json();
        if (p_.try_apply("stage-write", stage, args, &why)) return Names{copy};
    }
    if (!why) {
        return refuse("no store in the stage of " + block + " covers every cell of " +
                      buffer->name);
    }
    p_.derivation().record(*why);
    return refuse(*why);
}

namespace {

// What one dimension of an access holds of one loop: (loop // weight) % modulus.
struct LoopDigit {
    Expr loop = nullptr;
    Int128 weight = 1;
    Int128 modulus = 0;
};

std::optional<LoopDigit> loop_digit(Expr e) {
    if (e->op == Op::Var) return LoopDigit{e, 1, 0};
    if (e->args.size() != 2 || !is_int_const(e->arg(1)) || e->arg(1)->int_value() <= 0) {
        return std::nullopt;
    }
    std::optional<LoopDigit> d = loop_digit(e->arg(0));
    const Int128 c = e->arg(1)->int_value();
    if (!d || d->modulus != 0) return std::nullopt;
    if (e->op == Op::FloorDiv) {
        d->weight *= c;
        return d;
    }
    if (e->op == Op::FloorMod) {
        d->modulus = c;
        return d;
    }
    return std::nullopt;
}

// Index expressions of the block's access to a buffer (stores first), over loop variables.
std::optional<std::vector<Expr>> indices_over_loops(Proposer& p, const Site& block, Buffer buffer) {
    std::optional<std::vector<Expr>> out;
    for (const Access& a : accesses(p.ctx(), p.current())) {
        if (a.buffer != buffer || !block.contains(a.statement)) continue;
        if (!out || a.is_store) out = a.indices;
        if (a.is_store) break;
    }
    if (!out) return out;
    const std::vector<Expr> facts = facts_at(p.ctx(), p.current(), block);
    for (Expr& e : *out) e = p.simplified(e, facts);
    return out;
}

// Factors of the loop whose digits these are, outermost open; empty when they are not all of its
// digits.
std::vector<std::optional<std::int64_t>> factors_of(std::vector<LoopDigit> digits) {
    std::sort(digits.begin(), digits.end(),
              [](const LoopDigit& a, const LoopDigit& b) { return a.weight > b.weight; });
    std::vector<std::optional<std::int64_t>> out = {std::nullopt};
    if (digits.front().modulus != 0 || digits.back().weight != 1) return {};
    for (std::size_t k = 1; k < digits.size(); ++k) {
        const Int128 above = digits[k - 1].weight;
        if (above % digits[k].weight != 0) return {};
        const Int128 factor = above / digits[k].weight;
        if (digits[k].modulus != factor) return {};
        out.emplace_back(static_cast<std::int64_t>(factor));
    }
    return out;
}

}  // namespace

Outcome Primitives::sequential_buffer_access(const std::string& block, Buffer buffer) {
    const std::optional<Site> at = find_block(p_.current(), block);
    if (!at) return refuse("there is no block '" + block + "' any more");
    const auto indices = indices_over_loops(p_, *at, buffer);
    if (!indices) return refuse("block " + block + " does not access " + buffer->name);
    std::vector<std::pair<Expr, std::vector<LoopDigit>>> by_loop;  // in order of first occurrence
    std::vector<LoopDigit> dimensions;
    for (Expr e : *indices) {
        const std::optional<LoopDigit> d = loop_digit(e);
        if (!d) {
            return refuse(
                "index " + print(e) + " of " + buffer->name + " is not a digit of one loop",
                "split, fuse and reorder the loops by hand");
        }
        dimensions.push_back(*d);
        auto known = std::find_if(by_loop.begin(), by_loop.end(),
                                  [&](const auto& entry) { return entry.first == d->loop; });
        if (known == by_loop.end()) known = by_loop.insert(by_loop.end(), {d->loop, {}});
        known->second.push_back(*d);
    }
    const std::size_t start = p_.derivation().steps().size();
    std::map<std::pair<Expr, Int128>, std::string> loop_of;  // by loop and weight
    for (const auto& [loop, digits] : by_loop) {
        if (digits.size() == 1 && digits[0].weight == 1 && digits[0].modulus == 0) {
            loop_of[{loop, 1}] = *loop->name;
            continue;
        }
        const auto factors = factors_of(digits);
        if (factors.empty()) {
            p_.derivation().roll_back(start);
            return refuse("the layout of " + buffer->name + " does not use all digits of loop " +
                          *loop->name);
        }
        const Outcome parts = split(*loop->name, factors);
        if (const Refusal* no = std::get_if<Refusal>(&parts)) {
            p_.derivation().roll_back(start);
            return *no;
        }
        std::vector<LoopDigit> sorted = digits;
        std::sort(sorted.begin(), sorted.end(),
                  [](const LoopDigit& a, const LoopDigit& b) { return a.weight > b.weight; });
        for (std::size_t k = 0; k < sorted.size(); ++k) {
            loop_of[{loop, sorted[k].weight}] = std::get<Names>(parts)[k];
        }
    }
    Names order;
    for (const LoopDigit& d : dimensions) order.push_back(loop_of[{d.loop, d.weight}]);
    for (Expr v : loops_around(p_.current(), *find_block(p_.current(), block))) {
        if (std::find(order.begin(), order.end(), *v->name) == order.end()) {
            order.push_back(*v->name);
        }
    }
    const Outcome reordered = reorder(order);
    if (std::holds_alternative<Refusal>(reordered)) p_.derivation().roll_back(start);
    return reordered;
}

}  // namespace proviso::rewrite
