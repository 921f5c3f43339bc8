// Where the generators' choices come from: a stream of noise that is a function of one seed, the
// same on every machine. (The distributions of <random> differ between libraries, so they are not
// used.)
#pragma once

#include <cstdint>
#include <initializer_list>
#include <vector>

#include "ir/check.h"

namespace proviso::fuzz {

// A well-mixed function of two words: the seed of case `index` in a campaign, so that every case
// can be repeated alone.
std::uint64_t mix(std::uint64_t seed, std::uint64_t index);

class Choice {
  public:
    explicit Choice(std::uint64_t seed) : state_(seed) {}

    std::uint64_t next();  // splitmix64 (Steele et al. 2014)

    // Uniform in [lo, hi], both inclusive.
    std::int64_t between(std::int64_t lo, std::int64_t hi);
    bool chance(int percent) { return between(1, 100) <= percent; }

    template <typename T>
    const T& pick(const std::vector<T>& items) {
        PROVISO_CHECK(!items.empty(), "pick from nothing");
        return items[static_cast<std::size_t>(next() % items.size())];
    }
    template <typename T>
    T pick(std::initializer_list<T> items) {
        return pick(std::vector<T>(items));
    }
    // The position of one of the weights, as often as its share of their sum.
    std::size_t weighted(const std::vector<int>& weights);

    // An independent stream.
    Choice fork() { return Choice(next()); }

  private:
    std::uint64_t state_;
};

}  // namespace proviso::fuzz
