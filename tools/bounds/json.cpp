#include <nlohmann/json.hpp>

#include "ir/text.h"
#include "tools/bounds/report.h"

namespace proviso::tools {

using namespace analysis;
using nlohmann::json;

namespace {

json count_json(const CellCount& n) {
    json out = {{"text", n.str()}};
    if (n.formula) out[n.or_none ? "formula_or_0" : "formula"] = n.formula->str();
    if (n.most) out["most"] = n.most->str();
    if (n.least) out["least"] = n.least->str();
    if (!n.how.empty()) out["by"] = n.how;
    return out;
}

json region_json(const KnownRegion& r, const std::string& buffer) {
    json parts = json::array();
    for (const Conjunction& part : r.region.parts) {
        parts.push_back(part_text(*r.scope, part, buffer));
    }
    return {{"region", r.text},
            {"parts", parts},
            {"kind", r.kind()},
            {"cells", count_json(r.cells)},
            {"box", count_json(r.hull)}};
}

json names_json(const std::vector<StageLoop>& loops, std::size_t count) {
    json out = json::array();
    for (std::size_t k = 0; k < count; ++k) out.push_back(*loops[k].loop->var->name);
    return out;
}

const char* kind_json(ir::ForKind kind) {
    switch (kind) {
        case ir::ForKind::Serial: return "serial";
        case ir::ForKind::Parallel: return "parallel";
        case ir::ForKind::Vectorized: return "vectorized";
        case ir::ForKind::Unrolled: return "unrolled";
        case ir::ForKind::ThreadBinding: return "thread";
    }
    return "";
}

json uses_json(const Bounds& bounds, const std::vector<BufferUse>& uses,
               const std::string& buffer) {
    json out = json::array();
    for (const BufferUse& use : uses) {
        const Stage& stage = bounds.map.stages[use.stage];
        json levels = json::array();
        for (const BoundsLevel& level : use.levels) {
            json one = region_json(level.region, buffer);
            one["fixed"] = names_json(stage.loops, level.fixed);
            if (level.too_many_fresh) one["new"] = nullptr;
            if (level.fresh) one["new"] = region_json(*level.fresh, buffer);
            levels.push_back(std::move(one));
        }
        out.push_back({{"stage", stage.name}, {"levels", levels}});
    }
    return out;
}

}  // namespace

json bounds_json(const ir::Function& f, const Bounds& bounds) {
    json stages = json::array();
    for (std::size_t k = 0; k < bounds.map.stages.size(); ++k) {
        const Stage& s = bounds.map.stages[k];
        json loops = json::array();
        for (const StageLoop& l : s.loops) {
            json loop = {{"var", *l.loop->var->name},
                         {"lo", ir::print(l.loop->lo)},
                         {"hi", ir::print(l.loop->hi)},
                         {"kind", kind_json(l.loop->kind)}};
            if (!l.loop->thread_tag.empty()) loop["thread"] = l.loop->thread_tag;
            loops.push_back(std::move(loop));
        }
        json loads = json::array();
        for (ir::Buffer b : s.consumes) loads.push_back(b->name);
        json stores = json::array();
        for (ir::Buffer b : s.produces) stores.push_back(b->name);
        stages.push_back({{"name", s.name},
                          {"site", s.site.str()},
                          {"loops", loops},
                          {"loads", loads},
                          {"stores", stores},
                          {"iterations", count_json(bounds.runs[k].iterations)},
                          {"runs", count_json(bounds.runs[k].runs)}});
    }
    json buffers = json::array();
    for (const BufferBounds& b : bounds.buffers) {
        const std::string& name = b.buffer->name;
        json shape = json::array();
        for (ir::Expr e : b.buffer->shape) shape.push_back(ir::print(e));
        json one = {{"name", name},
                    {"dtype", b.buffer->type.str()},
                    {"shape", shape},
                    {"scope", b.buffer->scope},
                    {"parameter", b.is_param},
                    {"allocated_in", names_json(b.around, b.around.size())},
                    {"allocated", count_json(b.allocated)},
                    {"consumers", uses_json(bounds, b.consumers, name)},
                    {"producers", uses_json(bounds, b.producers, name)},
                    {"shared", names_json(b.shared, b.shared.size())}};
        const auto put = [&](const char* key, const std::optional<KnownRegion>& r) {
            if (r) one[key] = region_json(*r, name);
        };
        put("needed", b.needed);
        put("computed", b.computed);
        put("needed_in_all", b.needed_in_all);
        put("asked", b.asked);
        put("stored", b.stored);
        if (b.computed_in_all) one["computed_in_all"] = count_json(b.computed_in_all->cells);
        const std::string loss = loss_text(b);
        if (!loss.empty()) one["loss"] = {{"text", loss}};
        const std::string ratio = loss_ratio(b);
        if (!ratio.empty()) one["loss"]["ratio"] = ratio;
        buffers.push_back(std::move(one));
    }
    return {{"function", f.name},
            {"exact", all_exact(bounds)},
            {"stages", stages},
            {"buffers", buffers}};
}

}  // namespace proviso::tools
