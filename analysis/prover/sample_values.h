// Which values are tried for floats, where a counterexample is looked for by trying.
#pragma once

#include <cstdint>
#include <vector>

#include "ir/domains/value.h"

namespace proviso::analysis {

// Numbers that are the same on every machine.
class SampleSource {
  public:
    std::uint64_t next() {
        state_ += 0x9e3779b97f4a7c15ULL;
        std::uint64_t z = state_;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
        return z ^ (z >> 31);
    }
    std::uint64_t below(std::uint64_t n) { return next() % n; }

  private:
    std::uint64_t state_ = 1;
};

// Tiny: -0.0 and the smallest. Extremes: the smallest, the largest, and constants of the
// obligation.
enum class SampledFloats : std::uint8_t { Zero, Mixed, HalfZero, Tiny, Extremes, NegativeZero };

ir::Value sampled_float(ir::ScalarType type, SampledFloats which,
                        const std::vector<double>& constants, SampleSource& source);

}  // namespace proviso::analysis
