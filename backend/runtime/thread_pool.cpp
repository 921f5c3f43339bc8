// No C++ library here but for what headers alone hold: this is also linked into emitted libraries,
// by whatever linker there is.
#include "backend/runtime/thread_pool.h"

#include <pthread.h>
#include <sched.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>

namespace {

using proviso::backend::Chunks;
using proviso::backend::kMaxChunks;
using proviso::backend::ParallelBody;

alignas(8) thread_local bool inside_parallel_body = false;

// One parallel loop under way. Chunks are taken by number; who takes which does not matter.
struct Job {
    Chunks chunks;
    ParallelBody body = nullptr;
    void* context = nullptr;
    std::int64_t count = 0;
    std::atomic<std::int64_t> next{0};
    std::atomic<std::int64_t> done{0};
    int helpers = 0;  // at work on it; of the pool's mutex
    std::int32_t codes[kMaxChunks] = {};

    // Takes chunks until none is left.
    void work() {
        inside_parallel_body = true;
        while (true) {
            const std::int64_t chunk = next.fetch_add(1);
            if (chunk >= count) break;
            codes[chunk] = body(chunks.begin(chunk), chunks.begin(chunk + 1), context);
            done.fetch_add(1);
        }
        inside_parallel_body = false;
    }
};

// A number of an environment variable from `least` to kMaxChunks; `otherwise` without it.
int number_from(const char* name, int least, int otherwise) {
    const char* const text = getenv(name);
    if (text == nullptr || *text == '\0') return otherwise;
    char* end = nullptr;
    const long value = strtol(text, &end, 10);
    if (*end == '\0' && value >= least && value <= kMaxChunks) return static_cast<int>(value);
    dprintf(STDERR_FILENO, "proviso: %s=%s is no number from %d to %d, and is not used\n", name,
            text, least, static_cast<int>(kMaxChunks));
    return otherwise;
}

// While it lives, threads begin with signals blocked: they are the program's, but for those that a
// thread causes itself.
class SignalsOfOthers {
  public:
    SignalsOfOthers() {
        sigset_t all;
        sigfillset(&all);
        for (const int own : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS}) {
            sigdelset(&all, own);
        }
        pthread_sigmask(SIG_BLOCK, &all, &before_);
    }
    ~SignalsOfOthers() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
    SignalsOfOthers(const SignalsOfOthers&) = delete;
    SignalsOfOthers& operator=(const SignalsOfOthers&) = delete;

  private:
    sigset_t before_{};
};

class Pool {
  public:
    std::int32_t run(const Chunks& chunks, ParallelBody body, void* context) {
        start();
        Job job;
        job.chunks = chunks;
        job.body = body;
        job.context = context;
        job.count = chunks.count();
        pthread_mutex_lock(&mutex_);
        current_ = &job;
        ++generation_;
        pthread_cond_broadcast(&wake_);
        pthread_mutex_unlock(&mutex_);
        job.work();
        pthread_mutex_lock(&mutex_);
        if (current_ == &job) current_ = nullptr;  // who has not begun need not begin
        while (job.helpers > 0 || job.done.load() < job.count) {
            pthread_cond_wait(&finished_, &mutex_);
        }
        pthread_mutex_unlock(&mutex_);
        for (const std::int32_t code : job.codes) {
            if (code != 0) return code;
        }
        return 0;
    }

    // Ends the threads, before their code goes.
    void stop() {
        if (owner_.load() != getpid()) return;  // the threads are those of the parent
        pthread_mutex_lock(&mutex_);
        stopping_ = true;
        pthread_cond_broadcast(&wake_);
        pthread_mutex_unlock(&mutex_);
        for (int i = 0; i < helpers_; ++i) pthread_join(threads_[i], nullptr);
        helpers_ = 0;
    }

  private:
    // Once in each process: a child has none of its parent's threads, and of the mutex nobody knows
    // who held it.
    void start() {
        constexpr pid_t at_work = -1;
        const pid_t self = getpid();
        pid_t owner = owner_.load();
        while (owner != self) {
            if (owner != at_work && owner_.compare_exchange_strong(owner, at_work)) {
                make();
                owner_.store(self);
                return;
            }
            sched_yield();
            owner = owner_.load();
        }
    }

    void make() {
        pthread_mutex_init(&mutex_, nullptr);
        pthread_cond_init(&wake_, nullptr);
        pthread_cond_init(&finished_, nullptr);
        current_ = nullptr;
        stopping_ = false;
        helpers_ = 0;
        cpu_set_t processors;
        CPU_ZERO(&processors);
        long usable = sysconf(_SC_NPROCESSORS_ONLN);  // more than a set can hold, if this fails
        if (sched_getaffinity(0, sizeof(processors), &processors) == 0) {
            usable = CPU_COUNT(&processors);
        }
        if (usable > kMaxChunks) usable = kMaxChunks;
        const int threads = number_from("PROVISO_NUM_THREADS", 1, static_cast<int>(usable));
        const bool pin = number_from("PROVISO_PIN_THREADS", 0, 0) != 0;
        int processor = pin ? next_of(processors, -1) : -1;  // that one is left to the caller
        const SignalsOfOthers signals;
        while (helpers_ < threads - 1 &&
               pthread_create(&threads_[helpers_], nullptr, serve, this) == 0) {
            if (processor >= 0) processor = next_of(processors, processor);
            if (processor >= 0) pin_to(threads_[helpers_], processor);
            ++helpers_;
        }
    }

    // The next member after `last`; -1: there is none.
    static int next_of(const cpu_set_t& processors, int last) {
        for (int i = last + 1; i < CPU_SETSIZE; ++i) {
            if (CPU_ISSET(i, &processors)) return i;
        }
        return -1;
    }
    static void pin_to(pthread_t thread, int processor) {
        cpu_set_t one;
        CPU_ZERO(&one);
        CPU_SET(processor, &one);
        pthread_setaffinity_np(thread, sizeof(one), &one);
    }

    static void* serve(void* pool) {
        static_cast<Pool*>(pool)->serve();
        return nullptr;
    }
    void serve() {
        std::uint64_t seen = 0;
        pthread_mutex_lock(&mutex_);
        while (true) {
            while (!stopping_ && (current_ == nullptr || generation_ == seen)) {
                pthread_cond_wait(&wake_, &mutex_);
            }
            if (stopping_) break;
            seen = generation_;
            Job* const job = current_;
            ++job->helpers;
            pthread_mutex_unlock(&mutex_);
            job->work();
            pthread_mutex_lock(&mutex_);
            --job->helpers;
            pthread_cond_broadcast(&finished_);
        }
        pthread_mutex_unlock(&mutex_);
    }

    std::atomic<pid_t> owner_{0};
    pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t wake_ = PTHREAD_COND_INITIALIZER;
    pthread_cond_t finished_ = PTHREAD_COND_INITIALIZER;
    Job* current_ = nullptr;  // the latest loop that has chunks left to take, as far as known
    std::uint64_t generation_ = 0;
    bool stopping_ = false;
    int helpers_ = 0;
    pthread_t threads_[kMaxChunks] = {};
};

Pool pool;

__attribute__((destructor)) void stop_pool() {
    pool.stop();
}

}  // namespace

extern "C" __attribute__((visibility("default"))) std::int32_t proviso_parallel_for(
    std::int64_t lo, std::int64_t hi, ParallelBody body, void* context) {
    const Chunks chunks{lo, hi};
    if (chunks.count() == 0) return 0;
    if (inside_parallel_body || chunks.count() == 1) return body(lo, hi, context);
    return pool.run(chunks, body, context);
}
