// Runs the iterations of a parallel loop on a fixed set of threads.
#pragma once

#include <cstdint>

namespace proviso::backend {

// One chunk [begin, end) of a parallel loop, in order. Returns 0, or the code of the first
// iteration that stopped, after which it runs no more.
using ParallelBody = std::int32_t (*)(std::int64_t begin, std::int64_t end, void* context);

// The largest number of chunks that a loop is cut into.
inline constexpr std::int64_t kMaxChunks = 64;

// [lo, hi) cut into at most kMaxChunks ranges of nearly equal length. The cut depends on lo and hi
// only, never on the number of threads.
struct Chunks {
    std::int64_t lo = 0;
    std::int64_t hi = 0;
    std::int64_t count() const;
    std::int64_t begin(std::int64_t chunk) const;  // begin(count()) == hi
};

}  // namespace proviso::backend

// Called by generated code. Runs all chunks, several at a time; returns 0, or the code of the
// lowest chunk that did not return 0, which is the code of the lowest iteration that stopped:
// chunks are ordered ranges and each stops at its first. A call from inside a parallel body runs in
// the caller's thread.
extern "C" std::int32_t proviso_parallel_for(std::int64_t lo, std::int64_t hi,
                                             proviso::backend::ParallelBody body, void* context);
