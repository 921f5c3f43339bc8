#include "tools/support/progress.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace proviso::tools {

namespace {

// Without the lock of a stream, which a child process would inherit.
void write_line(const std::string& text) {
    std::size_t done = 0;
    while (done < text.size()) {
        const ssize_t n = ::write(STDERR_FILENO, text.data() + done, text.size() - done);
        if (n <= 0) return;  // it is progress only
        done += static_cast<std::size_t>(n);
    }
}

bool on_terminal() {
    return ::isatty(STDERR_FILENO) == 1;
}

std::string erased(std::size_t columns) {
    return "\r" + std::string(columns, ' ') + "\r";
}

}  // namespace

ProgressLine::~ProgressLine() {
    if (shown_ > 0) write_line(erased(shown_));
}

void ProgressLine::show(const std::string& line) {
    const std::chrono::duration<double> so_far = std::chrono::steady_clock::now() - start_;
    if (so_far.count() < next_) return;
    if (on_terminal()) {
        next_ = so_far.count() + 0.1;
        const std::size_t rest = shown_ > line.size() ? shown_ - line.size() : 0;
        write_line("\r" + line + std::string(rest, ' '));
        shown_ = line.size();
        return;
    }
    if (next_ > 0) write_line(line + "\n");
    next_ = std::max(2.0, 2 * so_far.count());
}

Progress::Progress(std::string what, bool wanted) : what_(std::move(what)) {
    if (wanted) teller_ = std::thread([this] { tell(); });
}

Progress::~Progress() {
    if (!teller_.joinable()) return;
    {
        const std::lock_guard lock(mutex_);
        ended_ = true;
    }
    end_.notify_all();
    teller_.join();
}

void Progress::tell() {
    const bool terminal = on_terminal();
    const auto start = std::chrono::steady_clock::now();
    std::string line;
    std::unique_lock lock(mutex_);
    for (unsigned seconds = 2;; seconds = terminal ? seconds + 1 : 2 * seconds) {
        const auto then = start + std::chrono::seconds(seconds);
        if (end_.wait_until(lock, then, [this] { return ended_; })) break;
        line = what_ + ": " + std::to_string(seconds) + " s";
        write_line(terminal ? "\r" + line : line + "\n");
    }
    if (terminal && !line.empty()) write_line(erased(line.size()));
}

}  // namespace proviso::tools
