#include "fuzz/gen/gpu/bound_cells.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace proviso::fuzz {

std::string own_cell(Choice& c, const ThreadScope& s, std::int64_t threads, std::int64_t size,
                     std::vector<std::string>& features) {
    if (c.chance(5)) {
        features.emplace_back("racing: one cell");
        return c.chance(50)
                   ? fmt::format("{} // 2", s.self)
                   : fmt::format("{} % {}", s.self, std::max<std::int64_t>(threads / 2, 1));
    }
    switch (c.weighted({50, 15, 15, 10, 10})) {
        case 1: return fmt::format("{} - {}", threads - 1, s.self);
        case 2:
            return fmt::format("({} + {}) % {}", s.self,
                               s.step.empty() ? std::to_string(c.between(1, threads - 1)) : s.step,
                               threads);
        case 3: {
            std::int64_t factor = c.between(1, threads - 1);
            while (std::gcd(factor, threads) != 1) ++factor;
            return fmt::format("{} * {} % {}", s.self, factor, threads);
        }
        case 4:
            if (size >= 2 * threads && !s.step.empty()) {
                features.emplace_back("two halves");
                return fmt::format("{} % 2 * {} + {}", s.step, threads, s.self);
            }
            return s.self;
        default: return s.self;
    }
}

std::string any_cell(Choice& c, const ThreadScope& s, std::int64_t threads, std::int64_t size) {
    switch (c.weighted({25, 15, 20, 15, 10, 10, 5})) {
        case 0: return s.self;
        case 1: return fmt::format("{} - {}", threads - 1, s.self);
        case 2: return fmt::format("({} + {}) % {}", s.self, c.between(1, size - 1), size);
        case 3: return fmt::format("T.min({} + 1, {})", s.self, size - 1);
        case 4: return fmt::format("X[{} % 8]", s.self);
        case 5:
            return s.step.empty() ? std::to_string(c.between(0, size - 1))
                                  : fmt::format("({} * 2 + {}) % {}", s.step, s.self, size);
        default: return fmt::format("{} // 2", s.self);
    }
}

}  // namespace proviso::fuzz
