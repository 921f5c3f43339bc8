// How much of a test that repeats itself runs under a sanitizer, which takes ten to twenty times as
// long and looks for faults of the code, not of the answers: all of it runs without one.
#pragma once

namespace proviso::tests {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr int kShare = 5;
#else
inline constexpr int kShare = 1;
#endif

}  // namespace proviso::tests
