// Runs the iterations of a parallel loop on a set of threads: of code in this process, and, linked
// into them, of emitted shared libraries. So thread_pool.cpp needs the C library alone.
//
// The environment says how many threads there are, and whether each has a processor of its own:
//   PROVISO_NUM_THREADS=N   1 to 64, the caller's included; 1: loops run in order. Default: as many
//                           as there are processors for this process.
//   PROVISO_PIN_THREADS=1   the pool's threads are bound to processors, one each, as far as there
//                           are so many. Default 0.
// Read at the first parallel loop; what cannot be read is told on standard error, and has no
// effect.
#pragma once

#include <cstdint>

namespace proviso::backend {

// One chunk [begin, end) of a parallel loop, in order. Returns 0, or the code of the first
// iteration that stopped, after which it runs no more.
using ParallelBody = std::int32_t (*)(std::int64_t begin, std::int64_t end, void* context);

// The largest number of chunks that a loop is cut into, and of threads.
inline constexpr std::int64_t kMaxChunks = 64;

// [lo, hi) cut into at most kMaxChunks ranges of nearly equal length. The cut depends on lo and hi
// only, never on the number of threads.
struct Chunks {
    std::int64_t lo = 0;
    std::int64_t hi = 0;
    std::int64_t count() const {
        if (hi <= lo) return 0;
        const std::uint64_t parts = length();
        return parts < std::uint64_t{kMaxChunks} ? static_cast<std::int64_t>(parts) : kMaxChunks;
    }
    // begin(count()) == hi. The first `length % count` chunks are one longer.
    std::int64_t begin(std::int64_t chunk) const {
        const std::uint64_t parts = static_cast<std::uint64_t>(count());
        const std::uint64_t k = static_cast<std::uint64_t>(chunk);
        const std::uint64_t rest = length() % parts;
        const std::uint64_t offset = k * (length() / parts) + (k < rest ? k : rest);
        return static_cast<std::int64_t>(static_cast<std::uint64_t>(lo) + offset);
    }

  private:
    std::uint64_t length() const {
        return static_cast<std::uint64_t>(hi) - static_cast<std::uint64_t>(lo);
    }
};

}  // namespace proviso::backend

// Called by generated code. Runs all chunks, several at a time; returns 0, or the code of the
// lowest chunk that did not return 0, which is the code of the lowest iteration that stopped:
// chunks are ordered ranges and each stops at its first. A call from inside a parallel body runs in
// the caller's thread. Any thread may call it; a child process has a pool of its own.
extern "C" std::int32_t proviso_parallel_for(std::int64_t lo, std::int64_t hi,
                                             proviso::backend::ParallelBody body, void* context);
