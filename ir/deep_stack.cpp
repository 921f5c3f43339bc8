#include "ir/deep_stack.h"

#include <pthread.h>
#include <sys/mman.h>

#include <cstddef>
#include <exception>
#include <thread>
#include <utility>

#include "ir/check.h"

namespace proviso::ir {

namespace {

constexpr std::size_t kGiB = std::size_t{1} << 30;
constexpr std::size_t kGuard = std::size_t{1}
                               << 16;  // below the stack: touching it ends the process
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr std::size_t kStack = 4 * kGiB;  // frames are several times as large
#else
constexpr std::size_t kStack = kGiB;
#endif

// mold 1.10 lets the read-only pages begin where thread-local data would stand: aligned like what
// follows, it cannot be on a page of its own, which is not mapped.
alignas(8) thread_local bool on_deep = false;

// Address space for a stack, none of it committed; null where the system gives none.
void* new_stack() {
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK;
    void* const at = ::mmap(nullptr, kStack, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (at == MAP_FAILED) return nullptr;
    if (::mprotect(at, kGuard, PROT_NONE) == 0) return at;
    ::munmap(at, kStack);
    return nullptr;
}

}  // namespace

struct DeepThread::State {
    std::function<void()> work;
    void* stack = nullptr;  // null: the usual one
    pthread_t deep{};
    std::thread usual;
    bool running = false;
    std::exception_ptr thrown;

    void run() {
        try {
            work();
        } catch (...) {
            thrown = std::current_exception();
        }
    }
    static void* start(void* state) {
        on_deep = true;
        static_cast<State*>(state)->run();
        return nullptr;
    }
    bool start_deep() {
        stack = new_stack();
        if (stack == nullptr) return false;
        pthread_attr_t how;
        bool fine = ::pthread_attr_init(&how) == 0;
        if (fine) {
            fine = ::pthread_attr_setstack(&how, stack, kStack) == 0 &&
                   ::pthread_create(&deep, &how, &State::start, this) == 0;
            ::pthread_attr_destroy(&how);
        }
        if (!fine) ::munmap(std::exchange(stack, nullptr), kStack);
        return fine;
    }
    void wait() {
        if (stack != nullptr) {
            ::pthread_join(deep, nullptr);
            ::munmap(stack, kStack);
        } else {
            usual.join();
        }
        running = false;
    }
};

DeepThread::DeepThread(std::function<void()> work) : state_(std::make_unique<State>()) {
    state_->work = std::move(work);
    if (!state_->start_deep()) state_->usual = std::thread([s = state_.get()] { s->run(); });
    state_->running = true;
}

DeepThread::DeepThread(DeepThread&&) noexcept = default;

DeepThread::~DeepThread() {
    if (state_ == nullptr || !state_->running) return;
    PROVISO_CHECK(std::uncaught_exceptions() > 0, "a thread that nobody joined");
    state_->wait();  // what was thrown beside it is what is told
}

void DeepThread::join() {
    State& s = *state_;
    s.wait();
    if (s.thrown) std::rethrow_exception(std::exchange(s.thrown, nullptr));
}

bool has_deep_stack() {
    return on_deep;
}

void on_deep_stack(const std::function<void()>& work) {
    if (on_deep) return work();
    DeepThread(work).join();
}

}  // namespace proviso::ir
