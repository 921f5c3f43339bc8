// No C++ library here but for what headers alone hold: this is also linked into emitted libraries,
// by whatever linker there is.
#include "backend/runtime/thread_pool.h"

#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
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

// How floats are rounded, and whether subnormal ones are flushed: all iterations of a loop compute
// as the thread that has called it does, whoever runs them.
#if defined(__x86_64__)
unsigned float_state() {
    return __builtin_ia32_stmxcsr();
}
void set_float_state(unsigned state) {
    __builtin_ia32_ldmxcsr(state);
}
#else
unsigned float_state() {
    return 0;
}
void set_float_state(unsigned) {}
#endif

// One parallel loop under way. Chunks are taken by number; who takes which does not matter.
struct Job {
    Chunks chunks;
    ParallelBody body = nullptr;
    void* context = nullptr;
    std::int64_t count = 0;
    unsigned floats = float_state();
    std::atomic<std::int64_t> next{0};
    int helpers = 0;           // at work on it; this and what follows: of the pool's mutex
    Job* following = nullptr;  // in the pool's list
    std::int32_t codes[kMaxChunks] = {};

    bool has_chunks_left() const { return next.load() < count; }

    // Takes chunks until none is left, or until `stopping`.
    void work(const std::atomic<bool>* stopping) {
        const unsigned before = float_state();
        set_float_state(floats);
        inside_parallel_body = true;
        while (stopping == nullptr || !stopping->load()) {
            const std::int64_t chunk = next.fetch_add(1);
            if (chunk >= count) break;
            codes[chunk] = body(chunks.begin(chunk), chunks.begin(chunk + 1), context);
        }
        inside_parallel_body = false;
        set_float_state(before);
    }
};

// A number of an environment variable in that range; `otherwise` without it.
int number_from(const char* name, int least, int most, int otherwise) {
    const char* const text = getenv(name);
    if (text == nullptr || *text == '\0') return otherwise;
    char* end = nullptr;
    const long value = strtol(text, &end, 10);
    if (*end == '\0' && value >= least && value <= most) return static_cast<int>(value);
    dprintf(STDERR_FILENO, "proviso: %s=%s is no number from %d to %d, and is not used\n", name,
            text, least, most);
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

// While it lives, its thread is not cancelled: others work with what is on its stack.
class NotCancelled {
  public:
    NotCancelled() { pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before_); }
    ~NotCancelled() { pthread_setcancelstate(before_, nullptr); }
    NotCancelled(const NotCancelled&) = delete;
    NotCancelled& operator=(const NotCancelled&) = delete;

  private:
    int before_ = 0;
};

// What is true of this process and not of its children: memory that is empty in a child. (A child
// may have its parent's number, in a namespace of its own.)
class OfThisProcess {
  public:
    enum State : int { kUnset, kAtWork, kSet };
    // Null: the system has no such memory.
    std::atomic<int>* state() {
        std::atomic<int>* here = page_.load();
        if (here != nullptr) return here;
        const std::size_t size = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
        void* const fresh =
            mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (fresh == MAP_FAILED) return nullptr;
        if (madvise(fresh, size, MADV_WIPEONFORK) != 0) {
            munmap(fresh, size);
            return nullptr;
        }
        auto* const mine = static_cast<std::atomic<int>*>(fresh);
        if (page_.compare_exchange_strong(here, mine)) return mine;
        munmap(fresh, size);
        return here;
    }
    // Without making it.
    bool is_set() const {
        const std::atomic<int>* const here = page_.load();
        return here != nullptr && here->load() == kSet;
    }

  private:
    std::atomic<std::atomic<int>*> page_{nullptr};
};

class Pool {
  public:
    std::int32_t run(const Chunks& chunks, ParallelBody body, void* context) {
        const NotCancelled until_the_end;
        if (!start()) return body(chunks.lo, chunks.hi, context);
        Job job;
        job.chunks = chunks;
        job.body = body;
        job.context = context;
        job.count = chunks.count();
        pthread_mutex_lock(&mutex_);
        Job** end = &jobs_;
        while (*end != nullptr) end = &(*end)->following;
        *end = &job;
        pthread_cond_broadcast(&wake_);
        pthread_mutex_unlock(&mutex_);
        job.work(nullptr);
        pthread_mutex_lock(&mutex_);
        Job** at = &jobs_;
        while (*at != &job) at = &(*at)->following;
        *at = job.following;  // who has not begun need not begin
        while (job.helpers > 0) pthread_cond_wait(&finished_, &mutex_);
        pthread_mutex_unlock(&mutex_);
        for (const std::int32_t code : job.codes) {
            if (code != 0) return code;
        }
        return 0;
    }

    // Ends the threads, before their code goes. Loops of other threads go on without them.
    void stop() {
        if (!here_.is_set()) return;  // the threads, if any, are those of the parent
        pthread_mutex_lock(&mutex_);
        stopping_.store(true);
        pthread_cond_broadcast(&wake_);
        pthread_mutex_unlock(&mutex_);
        for (int i = 0; i < helpers_; ++i) pthread_join(threads_[i], nullptr);
        helpers_ = 0;
    }

  private:
    // Once in each process: a child has none of its parent's threads, and of the mutex nobody knows
    // who held it. False: there can be no threads.
    bool start() {
        std::atomic<int>* const state = here_.state();
        if (state == nullptr) return false;
        int now = state->load();
        while (now != OfThisProcess::kSet) {
            now = OfThisProcess::kUnset;
            if (state->compare_exchange_strong(now, OfThisProcess::kAtWork)) {
                make();
                state->store(OfThisProcess::kSet);
                return true;
            }
            sched_yield();
        }
        return true;
    }

    void make() {
        pthread_mutex_init(&mutex_, nullptr);
        pthread_cond_init(&wake_, nullptr);
        pthread_cond_init(&finished_, nullptr);
        jobs_ = nullptr;
        stopping_.store(false);
        helpers_ = 0;
        cpu_set_t processors;
        CPU_ZERO(&processors);
        long usable = sysconf(_SC_NPROCESSORS_ONLN);  // more than a set can hold, if this fails
        if (sched_getaffinity(0, sizeof(processors), &processors) == 0) {
            usable = CPU_COUNT(&processors);
        }
        if (usable > kMaxChunks) usable = kMaxChunks;
        const int threads = number_from("PROVISO_NUM_THREADS", 1, static_cast<int>(kMaxChunks),
                                        static_cast<int>(usable));
        const bool pin = number_from("PROVISO_PIN_THREADS", 0, 1, 0) != 0;
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
        pthread_mutex_lock(&mutex_);
        while (!stopping_.load()) {
            Job* job = jobs_;
            while (job != nullptr && !job->has_chunks_left()) job = job->following;
            if (job == nullptr) {
                pthread_cond_wait(&wake_, &mutex_);
                continue;
            }
            ++job->helpers;
            pthread_mutex_unlock(&mutex_);
            job->work(&stopping_);
            pthread_mutex_lock(&mutex_);
            --job->helpers;
            pthread_cond_broadcast(&finished_);
        }
        pthread_mutex_unlock(&mutex_);
    }

    OfThisProcess here_;
    pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t wake_ = PTHREAD_COND_INITIALIZER;
    pthread_cond_t finished_ = PTHREAD_COND_INITIALIZER;
    Job* jobs_ = nullptr;  // that callers are at, in their order
    std::atomic<bool> stopping_{false};
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
