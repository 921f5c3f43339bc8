#include "tools/lower_parts.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "analysis/parts/two_parts.h"
#include "backend/cpu/grouped_entry.h"

namespace proviso::tools {

using nlohmann::json;

namespace {

std::vector<std::string> buffer_names(const std::vector<ir::Buffer>& buffers) {
    std::vector<std::string> out;
    for (ir::Buffer b : buffers) out.push_back(b->name);
    return out;
}

}  // namespace

Result<ProgramParts> divide_program(rewrite::Proposer& p, const LowerOptions& options) {
    ProgramParts out;
    const auto divided = [&] { return analysis::two_parts(p.ctx(), p.current(), options.prepare); };
    std::set<std::string> apart;
    if (!options.prepare.empty()) {
        const Result<analysis::TwoParts> parts = divided();
        if (!parts) return parts.error();
        for (ir::Buffer b : parts->packed) apart.insert(b->name);
        for (ir::Buffer b : parts->kept) apart.insert(b->name);
    }
    if (options.share_memory) out.memory = rewrite::share_memory(p, apart);
    if (options.prepare.empty()) return out;
    const Result<analysis::TwoParts> parts = divided();  // buffers are others now
    if (!parts) return parts.error();
    out.prepared =
        ProgramParts::Prepared{buffer_names(parts->weights), buffer_names(parts->packed),
                               backend::memory_block("packed", parts->packed).bytes,
                               backend::memory_block("workspace", parts->workspace).bytes};
    return out;
}

std::string parts_text(const ProgramParts& parts, const std::string& symbol) {
    std::string out;
    if (parts.memory) {
        const rewrite::MemoryPlan& m = *parts.memory;
        out += fmt::format(
            "  memory: {} {} in {}, {} bytes instead of {}; {} are in use at one time\n",
            m.items.size(), m.items.size() == 1 ? "buffer" : "buffers", m.places.size(), m.together,
            m.apart, m.least);
        for (const std::string& why : m.refused) out += "  stays apart: " + why + "\n";
    }
    if (parts.prepared) {
        out += fmt::format("  in two parts: {0}_prepare packs {1} bytes, {0}_run works in {2}\n",
                           symbol, parts.prepared->packed_bytes, parts.prepared->workspace_bytes);
    }
    return out;
}

void add_parts(json& out, const ProgramParts& parts) {
    if (parts.memory) {
        const rewrite::MemoryPlan& m = *parts.memory;
        json items = json::array();
        for (const rewrite::MemoryPlan::Item& i : m.items) {
            items.push_back({{"buffer", i.buffer},
                             {"bytes", i.bytes},
                             {"first", i.first},
                             {"last", i.last},
                             {"place", i.place}});
        }
        out["memory"] = {{"buffers", items},           {"places", m.places},
                         {"statements", m.statements}, {"apart", m.apart},
                         {"together", m.together},     {"at_one_time", m.least},
                         {"refused", m.refused}};
    }
    if (parts.prepared) {
        out["two_parts"] = {{"weights", parts.prepared->weights},
                            {"packed", parts.prepared->packed},
                            {"packed_bytes", parts.prepared->packed_bytes},
                            {"workspace_bytes", parts.prepared->workspace_bytes}};
    }
}

}  // namespace proviso::tools
