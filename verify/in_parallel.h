// Independent pieces of work on threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <functional>
#include <thread>
#include <vector>

#include "ir/deep_stack.h"

namespace proviso::verify {

// So many threads, or, for 0, one a core.
inline unsigned threads_for(unsigned jobs) {
    return jobs == 0 ? std::max(1U, std::thread::hardware_concurrency()) : jobs;
}

// Calls work(i) for i < n on `jobs` threads (the calling one among them; no more than there is work
// for), each index once.
inline void in_parallel(unsigned jobs, std::size_t n,
                        const std::function<void(std::size_t)>& work) {
    std::atomic<std::size_t> next = 0;
    const auto worker = [&] {
        for (std::size_t i = next++; i < n; i = next++) work(i);
    };
    std::vector<ir::DeepThread> threads;
    for (unsigned t = 1; t < jobs && t < n; ++t) threads.emplace_back(worker);
    worker();
    for (ir::DeepThread& t : threads) t.join();
}

}  // namespace proviso::verify
