#include "verify/tv/regions.h"

#include <algorithm>

namespace proviso::verify {

using namespace ir;

RegionClaims::Regions RegionClaims::regions(const std::optional<std::vector<BufferRegion>>& given,
                                            const Constant& constant) {
    if (!given) return std::nullopt;
    std::vector<Region> out;
    for (const BufferRegion& r : *given) {
        Region region{r.buffer, {}};
        for (const auto& [lo, hi] : r.ranges) {
            const std::optional<std::int64_t> from = constant(lo);
            const std::optional<std::int64_t> to = constant(hi);
            if (!from || !to) return std::nullopt;
            region.ranges.emplace_back(*from, *to);
        }
        out.push_back(std::move(region));
    }
    return out;
}

bool RegionClaims::enter(const Block& block, const Constant& constant) {
    Claims claims{regions(block.reads, constant), regions(block.writes, constant),
                  block.init != nullptr};
    const bool open = (block.reads && !claims.reads) || (block.writes && !claims.writes);
    if (claims.may_read_writes && block.writes && !claims.writes) claims.reads.reset();
    blocks_.push_back(std::move(claims));
    return !open;
}

bool RegionClaims::covered(const Regions& regions, Buffer buffer,
                           const std::vector<std::int64_t>& at) {
    return std::any_of(regions->begin(), regions->end(), [&](const Region& r) {
        if (r.buffer != buffer) return false;
        for (std::size_t d = 0; d < at.size(); ++d) {
            if (at[d] < r.ranges[d].first || at[d] >= r.ranges[d].second) return false;
        }
        return true;
    });
}

bool RegionClaims::allow(Buffer buffer, const std::vector<std::int64_t>& at, bool writes) const {
    const auto born = born_.find(buffer);
    const std::size_t outermost = born == born_.end() ? 0 : born->second;
    bool accumulates = false;  // a block inside reads its accumulator
    for (std::size_t k = blocks_.size(); k-- > outermost;) {
        const Claims& c = blocks_[k];
        const bool written = c.writes && covered(c.writes, buffer, at);
        if (writes && c.writes && !written) return false;
        if (writes) continue;
        accumulates |= c.may_read_writes && written;
        if (!c.reads || covered(c.reads, buffer, at) || (accumulates && written)) continue;
        return false;
    }
    return true;
}

}  // namespace proviso::verify
