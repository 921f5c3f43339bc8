// Valid inputs made wrong: bytes, tokens, numbers, nesting. The same random numbers give the same
// input on every machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace proviso::fuzz::inputs {

class Random {
  public:
    Random(std::uint64_t seed, std::uint64_t number);
    std::uint64_t next();
    std::size_t below(std::size_t n);  // 0 where n is 0
    bool one_in(std::size_t n) { return below(n) == 0; }
    template <typename T>
    const T& of(const std::vector<T>& list) {
        return list[below(list.size())];
    }

  private:
    std::uint64_t state_;
};

// One to four changes: bits flipped, ranges deleted or repeated, tokens swapped or taken from
// `other`, the end cut off, brackets nested up to 100,000 deep, numbers made huge, odd bytes.
std::string mutated(Random& random, std::string text, const std::string& other);

// One value of it replaced by another of the same or another kind, left out, repeated, or nested.
nlohmann::json mutated(Random& random, const nlohmann::json& value);

// A number that few readers expect: around powers of two, many digits, signs, exponents.
std::string odd_number(Random& random);

}  // namespace proviso::fuzz::inputs
