#include "analysis/purpose.h"

#include <array>

namespace proviso::analysis {

const char* owed_name(Owed kind) {
    static constexpr std::array<const char*, kOwedCount> names = {
        "question",   "no-fault",       "safe",           "in-range",    "in-domain",
        "definite",   "may-be-read",    "no-new-fault",   "same-value",  "control-stays",
        "visited",    "no-other",       "once",           "one-place",   "one-origin",
        "order",      "not-reached",    "holds-already",  "overwritten", "unseen",
        "has-run",    "written-before", "same-iteration", "unchanged",   "invariant",
        "assumed",    "assumption",     "in-shape",       "inverse",     "padding",
        "extent",     "tile-covers",    "always-stored",  "no-race",     "new-load",
        "one-branch", "neighbours",     "aligned"};
    return names.at(static_cast<std::size_t>(kind));
}

}  // namespace proviso::analysis
