// The run-time of parallel loops.
#include "backend/runtime/thread_pool.h"

#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <limits>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

namespace proviso::backend {
namespace {

// Before the first parallel loop of this program: a machine with one processor takes the same path.
const int kFourThreads = setenv("PROVISO_NUM_THREADS", "4", 0);

TEST(Chunks, MakeUpTheRangeInOrder) {
    constexpr std::int64_t lowest = std::numeric_limits<std::int64_t>::min();
    constexpr std::int64_t highest = std::numeric_limits<std::int64_t>::max();
    const std::vector<Chunks> ranges = {{0, 1},
                                        {0, 63},
                                        {-5, 60},
                                        {0, 1000},
                                        {7, 7 + 64 * 3},
                                        {lowest, highest},
                                        {highest - 3, highest}};
    for (const Chunks& c : ranges) {
        ASSERT_GE(c.count(), 1);
        ASSERT_LE(c.count(), kMaxChunks);
        EXPECT_EQ(c.begin(0), c.lo);
        EXPECT_EQ(c.begin(c.count()), c.hi);
        for (std::int64_t k = 0; k < c.count(); ++k) EXPECT_LT(c.begin(k), c.begin(k + 1));
    }
    EXPECT_EQ((Chunks{3, 3}).count(), 0);
    EXPECT_EQ((Chunks{3, -3}).count(), 0);
}

struct Marks {
    std::vector<std::atomic<int>> count;
    std::atomic<int> inner{0};
};

TEST(ParallelFor, EachIterationOnce) {
    for (std::int64_t size : {0, 1, 2, 63, 64, 65, 1000, 10007}) {
        Marks marks{std::vector<std::atomic<int>>(static_cast<std::size_t>(size)), {}};
        const auto body = [](std::int64_t begin, std::int64_t end, void* context) -> std::int32_t {
            for (std::int64_t i = begin; i < end; ++i) {
                ++static_cast<Marks*>(context)->count[static_cast<std::size_t>(i)];
            }
            return 0;
        };
        EXPECT_EQ(proviso_parallel_for(0, size, body, &marks), 0);
        for (const auto& c : marks.count) ASSERT_EQ(c.load(), 1);
    }
}

TEST(ParallelFor, LowestFailureWins) {
    // Iteration 700 fails at once, iteration 30 after a while: the code is that of 30, in every
    // run.
    const auto body = [](std::int64_t begin, std::int64_t end, void*) -> std::int32_t {
        for (std::int64_t i = begin; i < end; ++i) {
            if (i == 30) std::this_thread::sleep_for(std::chrono::milliseconds(2));
            if (i == 30 || i == 700) return static_cast<std::int32_t>(i);
        }
        return 0;
    };
    for (int round = 0; round < 20; ++round) {
        EXPECT_EQ(proviso_parallel_for(0, 1000, body, nullptr), 30);
    }
}

TEST(ParallelFor, SeveralThreadsWork) {
    struct Shared {
        std::mutex mutex;
        std::set<std::thread::id> threads;
    } shared;
    const auto body = [](std::int64_t, std::int64_t, void* context) -> std::int32_t {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        auto* s = static_cast<Shared*>(context);
        const std::lock_guard lock(s->mutex);
        s->threads.insert(std::this_thread::get_id());
        return 0;
    };
    ASSERT_EQ(kFourThreads, 0);
    proviso_parallel_for(0, 64, body, &shared);
    EXPECT_GE(shared.threads.size(), 2U);
}

TEST(ParallelFor, NestedAndFromSeveralThreads) {
    Marks marks{std::vector<std::atomic<int>>(0), {}};
    const auto inner = [](std::int64_t begin, std::int64_t end, void* context) -> std::int32_t {
        static_cast<Marks*>(context)->inner += static_cast<int>(end - begin);
        return 0;
    };
    static ParallelBody inner_body = nullptr;
    inner_body = inner;
    const auto outer = [](std::int64_t begin, std::int64_t end, void* context) -> std::int32_t {
        for (std::int64_t i = begin; i < end; ++i) {
            proviso_parallel_for(0, 10, inner_body, context);
        }
        return 0;
    };
    {
        std::vector<std::jthread> callers;
        for (int t = 0; t < 4; ++t) {
            callers.emplace_back([&] {
                for (int round = 0; round < 25; ++round) {
                    proviso_parallel_for(0, 100, outer, &marks);
                }
            });
        }
    }
    EXPECT_EQ(marks.inner.load(), 4 * 25 * 100 * 10);
}

// Trap: the result depends on which thread takes an iteration, where a caller rounds otherwise.
TEST(ParallelFor, EveryThreadRoundsAsTheCaller) {
#if defined(__x86_64__)
    constexpr unsigned flush = 0x8040;  // subnormal operands and results become zero
    static std::atomic<int> flushed;
    const auto body = [](std::int64_t, std::int64_t, void*) -> std::int32_t {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        volatile float smallest = std::numeric_limits<float>::min();
        const float half = smallest * 0.5F;
        flushed += half == 0 ? 1 : 0;
        return 0;
    };
    const unsigned before = __builtin_ia32_stmxcsr();
    for (const bool flushing : {false, true, false}) {
        flushed = 0;
        __builtin_ia32_ldmxcsr(flushing ? before | flush : before & ~flush);
        proviso_parallel_for(0, 64, body, nullptr);
        __builtin_ia32_ldmxcsr(before);
        EXPECT_EQ(flushed.load(), flushing ? 64 : 0);
    }
#endif
}

// Trap: a thread that is cancelled in a loop leaves the pool locked, or others at its stack.
TEST(ParallelFor, ACancelledCallerEndsItsLoopFirst) {
    static std::atomic<int> ran;
    ran = 0;
    const auto body = [](std::int64_t begin, std::int64_t end, void*) -> std::int32_t {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        ran += static_cast<int>(end - begin);
        return 0;
    };
    static ParallelBody slow = nullptr;
    slow = body;
    pthread_t caller{};
    const auto call = [](void*) -> void* {
        proviso_parallel_for(0, 640, slow, nullptr);
        return nullptr;
    };
    ASSERT_EQ(pthread_create(&caller, nullptr, call, nullptr), 0);
    while (ran == 0) std::this_thread::yield();
    pthread_cancel(caller);
    pthread_join(caller, nullptr);
    EXPECT_EQ(ran.load(), 640);
    EXPECT_EQ(proviso_parallel_for(0, 64, body, nullptr), 0);
}

// Trap: a child that begins while another thread is at a loop waits for threads that it has not.
TEST(ParallelFor, ChildrenBegunMeanwhileHaveThreadsOfTheirOwn) {
    std::atomic<bool> stop{false};
    const auto body = [](std::int64_t, std::int64_t, void*) -> std::int32_t { return 0; };
    std::thread other([&] {
        while (!stop) proviso_parallel_for(0, 64, body, nullptr);
    });
    for (int round = 0; round < 20; ++round) {
        const pid_t child = fork();
        if (child == 0) {
            alarm(60);
            _exit(proviso_parallel_for(0, 64, body, nullptr));
        }
        int status = -1;
        waitpid(child, &status, 0);
        EXPECT_EQ(status, 0);
    }
    stop = true;
    other.join();
}

}  // namespace
}  // namespace proviso::backend
