// How the readers in this folder leave a deep recursion on a user's mistake: an exception that
// carries the Diagnostic. It never leaves the folder: every public function ends in `guarded`.
#pragma once

#include <utility>

#include "ir/result.h"

namespace proviso::ir {

struct Failure {
    Diagnostic diagnostic;
    // The text is well formed, but a construct in it has no meaning here
    // (ir/text/reader/expressions/foreign.h).
    bool opaque = false;
};

[[noreturn]] inline void fail(Diagnostic diagnostic) {
    throw Failure{std::move(diagnostic)};
}

[[noreturn]] inline void fail_opaque(Diagnostic diagnostic) {
    throw Failure{std::move(diagnostic), true};
}

// Runs `read`; its value, or the Diagnostic of the Failure that it threw.
template <typename F>
auto guarded(F&& read) -> Result<decltype(read())> {
    try {
        return read();
    } catch (Failure& failure) {
        return std::move(failure.diagnostic);
    }
}

}  // namespace proviso::ir
