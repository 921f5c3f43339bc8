#include "backend/runtime/thread_pool.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace proviso::backend {

std::int64_t Chunks::count() const {
    if (hi <= lo) return 0;
    const std::uint64_t length = static_cast<std::uint64_t>(hi) - static_cast<std::uint64_t>(lo);
    return static_cast<std::int64_t>(std::min<std::uint64_t>(length, kMaxChunks));
}

std::int64_t Chunks::begin(std::int64_t chunk) const {
    const std::uint64_t length = static_cast<std::uint64_t>(hi) - static_cast<std::uint64_t>(lo);
    const std::uint64_t parts = static_cast<std::uint64_t>(count());
    const std::uint64_t k = static_cast<std::uint64_t>(chunk);
    // The first `length % parts` chunks are one longer.
    const std::uint64_t offset = k * (length / parts) + std::min(k, length % parts);
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(lo) + offset);
}

namespace {

alignas(8) thread_local bool inside_parallel_body = false;

// One parallel loop under way. Chunks are taken by number; who takes which does not matter.
struct Job {
    Chunks chunks;
    ParallelBody body = nullptr;
    void* context = nullptr;
    std::int64_t count = 0;
    std::atomic<std::int64_t> next{0};
    std::atomic<std::int64_t> done{0};
    std::vector<std::int32_t> codes;

    // Takes chunks until none is left; true when this call finished the last one.
    bool work() {
        bool last = false;
        inside_parallel_body = true;
        for (;;) {
            const std::int64_t chunk = next.fetch_add(1);
            if (chunk >= count) break;
            codes[static_cast<std::size_t>(chunk)] =
                body(chunks.begin(chunk), chunks.begin(chunk + 1), context);
            last = done.fetch_add(1) + 1 == count;
        }
        inside_parallel_body = false;
        return last;
    }
};

class ThreadPool {
  public:
    explicit ThreadPool(unsigned helpers) {
        for (unsigned i = 0; i < helpers; ++i) {
            threads_.emplace_back([this](const std::stop_token& stop) { serve(stop); });
        }
    }

    std::int32_t run(const Chunks& chunks, ParallelBody body, void* context) {
        const auto job = std::make_shared<Job>();
        job->chunks = chunks;
        job->body = body;
        job->context = context;
        job->count = chunks.count();
        job->codes.assign(static_cast<std::size_t>(job->count), 0);
        {
            const std::lock_guard lock(mutex_);
            current_ = job;
            ++generation_;
        }
        wake_.notify_all();
        if (!job->work()) {
            std::unique_lock lock(mutex_);
            finished_.wait(lock, [&] { return job->done.load() == job->count; });
        }
        const auto failed = std::find_if(job->codes.begin(), job->codes.end(),
                                         [](std::int32_t code) { return code != 0; });
        return failed == job->codes.end() ? 0 : *failed;
    }

  private:
    void serve(const std::stop_token& stop) {
        std::uint64_t seen = 0;
        for (;;) {
            std::shared_ptr<Job> job;
            {
                std::unique_lock lock(mutex_);
                if (!wake_.wait(lock, stop, [&] { return generation_ != seen; })) return;
                seen = generation_;
                job = current_;
            }
            if (job->work()) {
                // Under the lock, so that the waiter cannot miss it between its test and its sleep.
                const std::lock_guard lock(mutex_);
                finished_.notify_all();
            }
        }
    }

    std::mutex mutex_;
    std::condition_variable_any wake_;
    std::condition_variable finished_;
    std::shared_ptr<Job> current_;
    std::uint64_t generation_ = 0;
    std::vector<std::jthread> threads_;  // last: stopped and joined before the rest goes
};

// At least one helper, so that a machine with one core takes the same path.
unsigned helpers() {
    return std::clamp(std::thread::hardware_concurrency(), 2U, 16U) - 1;
}

// A child process has none of its parent's threads: it makes a pool of its own and leaves the
// parent's alone, whose threads would be waited for at its end.
ThreadPool& pool() {
    static const pid_t owner = ::getpid();
    static ThreadPool instance(helpers());
    if (owner == ::getpid()) return instance;
    static auto* const of_child = new ThreadPool(helpers());
    return *of_child;
}

}  // namespace

}  // namespace proviso::backend

extern "C" std::int32_t proviso_parallel_for(std::int64_t lo, std::int64_t hi,
                                             proviso::backend::ParallelBody body, void* context) {
    using namespace proviso::backend;
    const Chunks chunks{lo, hi};
    if (chunks.count() == 0) return 0;
    if (inside_parallel_body || chunks.count() == 1) return body(lo, hi, context);
    return pool().run(chunks, body, context);
}
