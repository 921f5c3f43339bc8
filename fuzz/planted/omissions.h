// Is an obligation that a rule has forgotten noticed by a campaign of schedules, or of raw or
// forged steps? Each wording in turn is left out of the kernel, or a slip that an attack has found
// is planted again, and cases are run until one does not refine its source.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ir/result.h"

namespace proviso::fuzz {

// An obligation by words of its purpose, or a planted fault by its id ("PART:SLIP"), and the rules
// that are wrong then.
struct Omission {
    const char* words;
    const char* rules;
};
const std::vector<Omission>& omissions();

struct OmissionResult {
    const Omission* omission = nullptr;
    std::optional<std::uint64_t> noticed;  // number of the first case that shows it, from 1
};
struct OmissionOptions {
    std::uint64_t cases = 2000;
    std::uint64_t seed = 1;
    unsigned jobs = 1;
    std::string only;                  // wordings that contain this
    std::optional<std::size_t> place;  // the one at this place of the list
    std::string pair_family;           // pairs of this family only; empty: what a campaign runs
    bool raw_steps = false;            // general programs and raw steps instead of schedules
    bool forged_steps = false;  // steps that are accepted, with mistakes, instead of schedules
    std::function<void(const OmissionResult&)> progress;
};
Result<std::vector<OmissionResult>> run_omissions(const OmissionOptions& options);

// docs/results/fuzz-omissions.md
std::string omissions_page(const std::vector<OmissionResult>& results,
                           const OmissionOptions& options);

}  // namespace proviso::fuzz
