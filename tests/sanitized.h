// How much of a test that repeats itself runs under a sanitizer, which takes ten to twenty times as
// long and looks for faults of the code, not of the answers: all of it runs without one.
#pragma once

#include <cstdlib>
#include <optional>
#include <string_view>

namespace proviso::tests {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr int kShare = 5;       // of campaigns: one fifth
inline constexpr unsigned kParts = 5;  // of the scenarios: one part
#else
inline constexpr int kShare = 1;
inline constexpr unsigned kParts = 1;
#endif

// Whose turn it is, where the environment says it.
inline std::optional<unsigned long> turn() {
    const char* const part = std::getenv("PROVISO_SANITIZED_PART");
    if (part == nullptr) return std::nullopt;
    return std::strtoul(part, nullptr, 10);
}

// Whether the case of this name is in the part that runs. Which part that is, the environment says
// (PROVISO_SANITIZED_PART, a number; `.ci/run` counts commits), so that each case has its turn, and
// a run can be repeated.
inline bool is_in_part(std::string_view name) {
    unsigned of = 2166136261U;  // FNV-1a: the same on every machine
    for (const char c : name) of = (of ^ static_cast<unsigned char>(c)) * 16777619U;
    return of % kParts == turn().value_or(0) % kParts;
}

}  // namespace proviso::tests
