#include "analysis/smt/watchdog.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace proviso::analysis::smt {

namespace {

constexpr std::chrono::milliseconds kAgain{50};
constexpr const char* kStopped = "did not keep to its budget and was stopped";

}  // namespace

struct Watchdog::State {
    std::mutex mutex;
    std::condition_variable ended;
    bool end = false;
    std::atomic<bool> stopped{false};
    std::thread thread;
};

Watchdog::Watchdog(int seconds, std::function<void()> stop) : state_(std::make_unique<State>()) {
    State& s = *state_;
    s.thread = std::thread([&s, seconds, stop = std::move(stop)] {
        std::unique_lock<std::mutex> lock(s.mutex);
        const auto has_ended = [&s] { return s.end; };
        if (s.ended.wait_for(lock, std::chrono::seconds(seconds), has_ended)) return;
        s.stopped = true;
        do stop();
        while (!s.ended.wait_for(lock, kAgain, has_ended));
    });
}

Watchdog::~Watchdog() {
    {
        const std::lock_guard<std::mutex> lock(state_->mutex);
        state_->end = true;
    }
    state_->ended.notify_all();
    state_->thread.join();
}

bool Watchdog::has_stopped() const {
    return state_->stopped;
}

std::string stopped(const std::string& solver, int seconds) {
    return solver + " " + kStopped + " after " + std::to_string(seconds) + " s";
}

bool was_stopped(const std::string& why) {
    return why.find(kStopped) != std::string::npos;
}

}  // namespace proviso::analysis::smt
