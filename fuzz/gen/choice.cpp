#include "fuzz/gen/choice.h"

namespace proviso::fuzz {

std::uint64_t mix(std::uint64_t seed, std::uint64_t index) {
    Choice a(seed);
    Choice b(a.next() ^ (index * 0x9e3779b97f4a7c15ULL));
    b.next();
    return b.next();
}

std::uint64_t Choice::next() {
    state_ += 0x9e3779b97f4a7c15ULL;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
}

std::int64_t Choice::between(std::int64_t lo, std::int64_t hi) {
    PROVISO_CHECK(lo <= hi, "an empty range to choose from");
    const auto span = static_cast<std::uint64_t>(hi) - static_cast<std::uint64_t>(lo);
    const std::uint64_t offset = span == UINT64_MAX ? next() : next() % (span + 1);
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(lo) + offset);
}

std::size_t Choice::weighted(const std::vector<int>& weights) {
    int total = 0;
    for (const int w : weights) total += w;
    PROVISO_CHECK(total > 0, "no weight to choose by");
    std::int64_t at = between(1, total);
    for (std::size_t i = 0; i < weights.size(); ++i) {
        at -= weights[i];
        if (at <= 0) return i;
    }
    return weights.size() - 1;
}

}  // namespace proviso::fuzz
