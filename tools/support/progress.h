// A line on standard error for what takes long: that it goes on, and for how long it has.
#pragma once

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

}  // namespace proviso::tools
