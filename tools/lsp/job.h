// Work in a child process that the server does not wait for.
#pragma once

#include <sys/types.h>

#include <functional>
#include <optional>
#include <string>

#include "backend/runtime/child.h"

namespace proviso::tools::lsp {

class Job {
  public:
    // Begins. What it gives comes through file().
    Job(const backend::ChildLimits& limits, const std::function<std::string()>& work);
    // Ends the work where it has not ended.
    ~Job();
    Job(const Job&) = delete;
    Job& operator=(const Job&) = delete;

    int file() const { return file_; }  // to poll; -1: there is no process
    // Reads what is there; the result, once it is all there.
    std::optional<backend::ChildResult> read();

  private:
    pid_t pid_ = -1;
    int file_ = -1;
    std::string bytes_;
};

}  // namespace proviso::tools::lsp
