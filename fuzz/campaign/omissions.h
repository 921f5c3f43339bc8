// Is an obligation that a rule has forgotten noticed by a campaign of schedules? Each wording in
// turn is left out of the kernel, and pairs of programs and schedules are run until one does not
// refine its source.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ir/result.h"

namespace proviso::fuzz {

// An obligation by words of its purpose, and the rules that owe it.
struct Omission {
    const char* words;
    const char* rules;
};
const std::vector<Omission>& omissions();

struct OmissionResult {
    const Omission* omission = nullptr;
    std::optional<std::uint64_t> noticed;  // number of the first pair that shows it, from 1
};
struct OmissionOptions {
    std::uint64_t cases = 2000;
    std::uint64_t seed = 1;
    unsigned jobs = 1;
    std::string only;         // wordings that contain this
    std::string pair_family;  // pairs of this family only; empty: what a campaign runs
    std::function<void(const OmissionResult&)> progress;
};
Result<std::vector<OmissionResult>> run_omissions(const OmissionOptions& options);

// docs/fuzz-omissions.md
std::string omissions_page(const std::vector<OmissionResult>& results,
                           const OmissionOptions& options);

}  // namespace proviso::fuzz
