// Numbers for random tests: the same on every machine, from a seed.
#pragma once

#include <cstdint>

namespace proviso::analysis {

class Noise {
  public:
    explicit Noise(std::uint64_t seed) : state_(seed * 2 + 1) {}
    // In [0, n).
    int below(int n) {
        state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
        return static_cast<int>((state_ >> 33) % static_cast<std::uint64_t>(n));
    }

  private:
    std::uint64_t state_;
};

}  // namespace proviso::analysis
