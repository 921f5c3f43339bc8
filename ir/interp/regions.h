// The check that blocks touch only what their reads and writes annotations cover: a stack of the
// regions claimed by the blocks being executed.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "ir/interp/program.h"

namespace proviso::ir {

struct Region {
    Slot buffer;
    std::vector<std::pair<std::int64_t, std::int64_t>> ranges;  // half-open, one per dimension
    bool covers(Slot touched, std::span<const std::int64_t> indices) const {
        if (touched != buffer) return false;
        for (std::size_t d = 0; d < ranges.size(); ++d) {
            if (indices[d] < ranges[d].first || indices[d] >= ranges[d].second) return false;
        }
        return true;
    }
};

// The claims of one block. A block with `init` may also read what it says it writes, and so may the
// blocks around it: TVM does not list a reduction's own accumulator among the reads.
struct RegionClaims {
    bool claims_reads = false;
    bool claims_writes = false;
    bool may_read_writes = false;
    std::vector<Region> reads;
    std::vector<Region> writes;

    // `accumulates`: a block inside reads its accumulator. Set where this block does.
    bool allows(Slot buffer, std::span<const std::int64_t> indices, bool is_write,
                bool& accumulates) const {
        const auto any = [&](const std::vector<Region>& regions) {
            for (const Region& r : regions) {
                if (r.covers(buffer, indices)) return true;
            }
            return false;
        };
        if (is_write) return !claims_writes || any(writes);
        const bool written = claims_writes && any(writes);
        accumulates |= may_read_writes && written;
        return !claims_reads || any(reads) || (accumulates && written);
    }
};

}  // namespace proviso::ir
