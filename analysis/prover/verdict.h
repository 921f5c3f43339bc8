// What somebody says of a claim who was asked to prove it.
#pragma once

#include <cstdint>

namespace proviso::analysis {

enum class Verdict : std::uint8_t { Proved, Refuted, Unknown };
const char* verdict_name(Verdict v);  // "PROVED", "REFUTED", "UNKNOWN"

}  // namespace proviso::analysis
