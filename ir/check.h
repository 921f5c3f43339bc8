// Invariants. PROVISO_CHECK aborts loudly in every build type: a broken invariant of ours must
// never turn into a wrong proof. It is not for user mistakes; those are `Diagnostic`s (see
// result.h).
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>

namespace proviso {

[[noreturn]] inline void check_failed(const char* condition, const std::string& message,
                                      const char* file, int line) {
    std::fprintf(stderr, "proviso: internal error: %s\n  broken invariant: %s\n  at %s:%d\n",
                 message.c_str(), condition, file, line);
    std::fflush(stderr);
    std::abort();
}

}  // namespace proviso

#define PROVISO_CHECK(condition, message)                                       \
    do {                                                                        \
        if (!(condition)) {                                                     \
            ::proviso::check_failed(#condition, (message), __FILE__, __LINE__); \
        }                                                                       \
    } while (false)
