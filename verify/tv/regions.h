// What the blocks around an access claim to read and write, at concrete indices: the interpreter's
// claims (ir/interp/regions.h) for symbolic execution.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <unordered_map>
#include <vector>

#include "ir/stmt.h"

namespace proviso::verify {

class RegionClaims {
  public:
    // The integer that an expression is, where it is constant.
    using Constant = std::function<std::optional<std::int64_t>(ir::Expr)>;

    // A claim with an end that is not constant claims nothing here; false where there is one.
    bool enter(const ir::Block& block, const Constant& constant);
    void leave() { blocks_.pop_back(); }
    // Blocks around the allocation say nothing of the buffer.
    void born(ir::Buffer buffer) { born_[buffer] = blocks_.size(); }

    bool allow(ir::Buffer buffer, const std::vector<std::int64_t>& at, bool writes) const;

  private:
    struct Region {
        ir::Buffer buffer;
        std::vector<std::pair<std::int64_t, std::int64_t>> ranges;  // half-open
    };
    using Regions = std::optional<std::vector<Region>>;  // none: nothing is claimed
    struct Claims {
        Regions reads;
        Regions writes;
        bool may_read_writes = false;  // the accumulator of a reduction
    };
    static Regions regions(const std::optional<std::vector<ir::BufferRegion>>& given,
                           const Constant& constant);
    static bool covered(const Regions& regions, ir::Buffer buffer,
                        const std::vector<std::int64_t>& at);

    std::vector<Claims> blocks_;
    std::unordered_map<ir::Buffer, std::size_t> born_;
};

}  // namespace proviso::verify
