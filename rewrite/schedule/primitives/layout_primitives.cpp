// transform_layout: a buffer in another layout. Which plan is right for its padding is chosen here,
// and named: nothing to do, assumed at the start, written by the loop that writes the data, or
// written after the last stage that stores to the buffer.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "analysis/facts/facts.h"
#include "analysis/facts/path.h"
#include "ir/files/limits.h"
#include "ir/text.h"
#include "rewrite/derived/data/buffer_by_name.h"
#include "rewrite/passes/block_domains.h"
#include "rewrite/passes/claim_search.h"
#include "rewrite/schedule/layout_plan.h"
#include "rewrite/schedule/primitives/primitives.h"

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

json ranges_json(const Box& box) {
    json ranges = json::array();
    for (const auto& [lo, hi] : box.ranges) ranges.push_back({print(lo), print(hi)});
    return ranges;
}

json boxes_json(const LayoutPlan& plan) {
    json out = json::array();
    for (const Box& box : plan.padding) {
        json ranges = ranges_json(box);
        if (plan.guarded) ranges = json{{"guarded", true}, {"ranges", ranges}};
        out.push_back(ranges);
    }
    return out;
}

// One loop nest over all physical cells, with the padding picked out by a branch.
json whole_box_json(const LayoutPlan& plan) {
    json ranges = json::array();
    for (Expr extent : plan.shape) ranges.push_back({"0", print(extent)});
    return json::array({json{{"guarded", true}, {"ranges", ranges}}});
}

// "lambda i0, i1: [i0, i1 // 8, i1 % 8]"
std::string tiled_last(std::size_t rank) {
    std::string names;
    std::string kept;
    std::string last;
    for (std::size_t d = 0; d < rank; ++d) {
        if (!last.empty()) kept += last + ", ";
        last = "i" + std::to_string(d);
        names += (names.empty() ? " " : ", ") + last;
    }
    return "lambda" + names + ": [" + kept + last + " // 8, " + last + " % 8]";
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

// The block whose whole body is the only store to a buffer, in a nest of loops with nothing else in
// it; empty when there is none.
std::string only_writer(const Function& f, Buffer buffer) {
    std::string found;
    std::size_t stores = 0;
    for (const auto& [site, stmt] : all_statements(f)) {
        const Store* n = stmt->as<Store>();
        if (n != nullptr && n->buffer == buffer) ++stores;
        const Block* block = stmt->as<Block>();
        if (block == nullptr || block->init != nullptr) continue;
        const Store* body = block->body->as<Store>();
        if (body == nullptr || body->buffer != buffer) continue;
        Site here = stage_of(f, site);
        while (locate(f, here)->stmt->is<For>()) here = here.child("body");
        if (here == site) found = block->name;
    }
    return stores == 1 ? found : std::string();
}

}  // namespace

bool Primitives::choose_in_one_nest(const std::string& block, std::size_t rank) {
    const auto loops_of_block = [&] {
        return loops_around(p_.current(), *p_.index().block(block));
    };
    const std::vector<Expr> loops = loops_of_block();
    if (loops.size() != rank) return false;
    for (std::size_t k = 0; k < rank; ++k) {  // the nest over padding stands right after
        const Site here = *p_.index().loop(*loops[k]->name);
        if (!p_.try_apply("merge-loops", here, json::object())) return false;
    }
    const Site at = *p_.index().block(block);
    const Block& guarded = *locate(p_.current(), at)->stmt->as<Block>();
    if (!is_true(guarded.predicate)) {
        json args = json::object();
        const json domains = wider_domains(p_, at, guarded);
        if (!domains.empty()) args["domains"] = domains;
        if (!p_.try_apply("guard-inside", at, args)) return false;
    }
    if (!p_.try_apply("join-block", at, json::object())) return false;
    const Site body = p_.index().block(block)->child("body");
    return p_.try_apply("merge-guards", body.child("0"), json{{"kind", "complementary"}}) &&
           p_.try_apply("merge-stores", body, json::object());
}

bool Primitives::layout_with_select(const LayoutRequest& request, const json& args) {
    const std::size_t start = p_.derivation().steps().size();
    const std::string writer = only_writer(p_.current(), request.buffer);
    if (writer.empty()) return false;
    if (!p_.try_apply("relayout", Site{}, args)) return false;
    Buffer target = buffer_by_name(p_.current(), request.buffer->name);
    const Outcome walked = sequential_buffer_access(writer, target);
    const bool done =
        std::holds_alternative<Names>(walked) && choose_in_one_nest(writer, target->rank());
    if (!done) p_.derivation().roll_back(start);
    return done;
}

Outcome Primitives::transform_layout(const LayoutRequest& request) {
    Context& ctx = p_.ctx();
    Buffer b = request.buffer;
    if (request.vars.size() != b->rank()) {
        const auto counted = [](std::size_t n, const char* one, const char* more) {
            return std::to_string(n) + " " + (n == 1 ? one : more);
        };
        return refuse("the index map takes " + counted(request.vars.size(), "index", "indices") +
                          ", and " + b->name + " has " +
                          counted(b->rank(), "dimension", "dimensions"),
                      "an index for each dimension, such as " + tiled_last(b->rank()));
    }
    if (request.map == request.vars) {
        note_ = "the index map leaves every cell of " + b->name + " where it is";
        return Names{};
    }
    if (++layouts_[b->name] > limits::kLayouts) {
        return refuse("the layout of " + b->name + " has changed " +
                          std::to_string(limits::kLayouts) + " times, which is the limit",
                      "one index map that does what several do");
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
    note_ = b->name + ": ";
    if (request.exact && pad != "none") args["exact"] = true;
    if (pad == "none") {
        note_ += plan->padded ? "padding not touched" : "no padding";
    } else if (!stage) {
        note_ += request.exact ? "assumption at the start, bit for bit" : "assumption at the start";
    } else {
        args["after"] = stage->str();
        const bool value = request.pad == Pad::Value && request.pad_value->op != Op::Load;
        if (value && !request.padding_after) {
            json selecting = args;
            selecting["boxes"] = whole_box_json(*plan);
            if (layout_with_select(request, selecting)) {
                note_ = b->name + ": loop rewritten with a select";
                simplify_assumptions(p_);
                return Names{};
            }
            note_ = b->name + ": ";
        }
        args["boxes"] = boxes_json(*plan);
        note_ += "padding written after";
    }
    if (auto no = step("relayout", Site{}, args)) return *no;
    simplify_assumptions(p_);
    return Names{};
}

}  // namespace proviso::rewrite
