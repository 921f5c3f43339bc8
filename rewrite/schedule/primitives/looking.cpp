// Primitives that ask: which blocks stand in one, what computes what another reads. Buffers decide,
// not regions, as in TVM.
#include <algorithm>
#include <set>

#include "analysis/facts/path.h"
#include "analysis/memory/access.h"
#include "rewrite/passes/claim_search.h"
#include "rewrite/schedule/primitives/primitives.h"

namespace proviso::rewrite {

using namespace ir;

namespace {

// TVM's name of the block that a function is; here it is none.
constexpr const char* kRoot = "root";

struct Stage {
    std::string block;
    Site site;
    std::set<Buffer> loads, stores;
};

// The blocks at or below `site` that stand in no other block below it.
std::vector<Stage> blocks_in(const Function& f, const Site& below) {
    std::vector<Stage> out;
    for (const auto& [site, stmt] : all_statements(f)) {
        const Block* block = stmt->as<Block>();
        if (block == nullptr || !below.contains(site)) continue;
        if (!out.empty() && out.back().site.contains(site)) continue;
        Stage& stage = out.emplace_back(Stage{block->name, site, {}, {}});
        for (Buffer b : analysis::stored_buffers(stmt)) stage.stores.insert(b);
        for_each_expr(stmt, [&](Expr e) {
            for (Buffer b : loaded_buffers(e)) stage.loads.insert(b);
        });
    }
    return out;
}

bool meet(const std::set<Buffer>& a, const std::set<Buffer>& b) {
    return std::any_of(a.begin(), a.end(), [&](Buffer x) { return b.count(x) != 0; });
}

// The body of the innermost block around the one at `site`, or of the function.
Site scope_around(const Function& f, const Site& site) {
    Site here = site;
    while (!here.steps.empty()) {
        here = here.parent();
        if (locate(f, here)->stmt->is<Block>()) return here.child("body");
    }
    return here;
}

Names names_of(const std::vector<Stage>& stages) {
    Names out;
    for (const Stage& s : stages) out.push_back(s.block);
    return out;
}

}  // namespace

std::optional<Site> Primitives::inside(const BlockOrLoop& at) const {
    if (!at.is_loop && at.name == kRoot && !p_.index().block(kRoot)) return Site{};
    std::optional<Site> site = site_of(at);
    if (site) site = site->child("body");
    return site;
}

bool Primitives::is_root(const std::string& block) const {
    return block == kRoot && !p_.index().block(kRoot);
}

std::size_t Primitives::loops_within(const std::string& block) const {
    const std::optional<Site> site = p_.index().block(block);
    if (!site) return 0;
    const Site outer = scope_around(p_.current(), *site);
    return loops_around(p_.current(), *site).size() - loops_around(p_.current(), outer).size();
}

Outcome Primitives::get_child_blocks(const BlockOrLoop& at) {
    const std::optional<Site> site = inside(at);
    if (!site) {
        return Refusal{at.is_loop ? no_loop(at.name) : no_block(at.name), std::nullopt};
    }
    return names_of(blocks_in(p_.current(), *site));
}

Outcome Primitives::related_blocks(const std::string& block, bool producers) {
    const std::optional<Site> site = p_.index().block(block);
    if (!site) return Refusal{no_block(block), std::nullopt};
    const Function& f = p_.current();
    const std::vector<Stage> all = blocks_in(f, scope_around(f, *site));
    const auto own =
        std::find_if(all.begin(), all.end(), [&](const Stage& s) { return s.block == block; });
    if (own == all.end()) return Names{};
    Names out;
    for (auto s = all.begin(); s != all.end(); ++s) {
        if (producers ? s >= own : s <= own) continue;
        const Stage& writer = producers ? *s : *own;
        const Stage& reader = producers ? *own : *s;
        if (meet(writer.stores, reader.loads) || meet(writer.stores, reader.stores)) {
            out.push_back(s->block);
        }
    }
    return out;
}

Outcome Primitives::get_producers(const std::string& block) {
    return related_blocks(block, true);
}

Outcome Primitives::get_consumers(const std::string& block) {
    return related_blocks(block, false);
}

Outcome Primitives::get_output_blocks(const std::string& scope) {
    const std::optional<Site> site = inside({false, scope});
    if (!site) return Refusal{no_block(scope), std::nullopt};
    const Function& f = p_.current();
    std::set<Buffer> own;
    for (const auto& [at, stmt] : all_statements(f)) {
        const Allocate* n = stmt->as<Allocate>();
        if (n != nullptr && site->contains(at)) own.insert(n->buffer);
    }
    Names out;
    for (const Stage& s : blocks_in(f, *site)) {
        const bool seen = std::any_of(s.stores.begin(), s.stores.end(),
                                      [&](Buffer b) { return own.count(b) == 0; });
        if (seen) out.push_back(s.block);
    }
    return out;
}

}  // namespace proviso::rewrite
