// A line on standard error for what takes long: that it goes on, and for how long it has.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace proviso::tools {

// From two seconds on, as long as it lives: on a terminal a line that is written anew each second
// and taken away at the end; else a line after 2, 4, 8, … seconds.
class Progress {
  public:
    // "interpreter"; nothing is said where it is not wanted.
    Progress(std::string what, bool wanted);
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;
    ~Progress();

  private:
    void tell();

    std::string what_;
    std::mutex mutex_;
    std::condition_variable end_;
    bool ended_ = false;
    std::thread teller_;  // last
};

// The same for work that says itself how far it is.
class ProgressLine {
  public:
    ProgressLine() = default;
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;
    ~ProgressLine();  // takes the line away, or leaves the last one that was written

    void show(const std::string& line);

  private:
    const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
    double next_ = 0;  // seconds after the start
    std::size_t shown_ = 0;
};

}  // namespace proviso::tools
