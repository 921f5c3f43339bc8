// What exit codes say, and that of a limit.
#pragma once

#include <array>

#include "tools/support/support.h"

namespace proviso::tools {

struct ExitCodeInfo {
    int code;
    const char* what;
    const char* more;  // a sentence
};
inline constexpr std::array<ExitCodeInfo, 5> kExitCodes = {{
    {0, "fine", "Fine: everything asked for was proved, or the outputs are equal."},
    {1, "refuted or mismatch", "Something was refuted, a step was refused, or outputs differ."},
    {2, "bad input or usage", "Bad input or usage."},
    {3, "unknown", "Not decided; never a pass."},
    {4, "internal", "An invariant inside Proviso is broken: please report it."},
}};

// bad_input() for a limit that was met: gives kUnknown.
inline int limit_met(const Diagnostic& diagnostic, bool as_json = false) {
    bad_input(diagnostic, as_json);
    return kUnknown;
}

}  // namespace proviso::tools
