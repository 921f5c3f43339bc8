// What a decision about a graph counts: a file of measured times, or bytes that move.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "rewrite/graph/variants.h"

namespace proviso::rewrite {

inline constexpr std::int64_t kMostCost = 1'000'000'000'000'000;  // of one entry

// {"operators": {"conv2d": {"as-is": 302000, "channels-last -> channels-last": 53000}},
//  "conversions": {"float32[1, 27, 14, 14]": {"as-is -> channels-last": 2200}}}, in nanoseconds.
struct CostFile {
    std::map<std::string, std::map<std::string, std::int64_t>> operators;
    std::map<std::string, std::map<std::string, std::int64_t>> conversions;
};

// Errors have positions. An operator that the network does not have is one of them.
Result<CostFile> read_costs(std::string_view text, const std::string& file, const Network& network);

class Costs {
  public:
    Costs() = default;  // bytes
    explicit Costs(CostFile file) : file_(std::move(file)) {}

    const char* unit() const { return file_ ? "ns" : "bytes"; }
    // Absent: the file has no entry.
    std::optional<std::int64_t> of(const Network::Kind& kind, const Variant& v) const;
    std::optional<std::int64_t> of(ir::Buffer b, const GraphLayout& from,
                                   const GraphLayout& to) const;

  private:
    std::optional<CostFile> file_;
};

std::string conversion_name(const GraphLayout& from, const GraphLayout& to);

}  // namespace proviso::rewrite
