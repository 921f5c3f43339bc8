// A folder for temporary files, which goes with its owner; and whether this machine gives what
// cases need, so that its troubles are not taken for findings.
#pragma once

#include <string>

#include "ir/result.h"

namespace proviso::fuzz {

class Scratch {
  public:
    // `name`: the beginning of its name, in the system's folder for such files.
    explicit Scratch(const std::string& name);
    ~Scratch();
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;

    // Fails where the system gave none.
    const Status& made() const { return made_; }
    const std::string& path() const { return path_; }

  private:
    std::string path_;
    Status made_ = Unit{};
};

// In the folder for temporary files: removes what processes of this machine have left that are
// gone.
void remove_left_scratch(const std::string& name);

// Fails where there is no place for temporary files, no file can be opened, or no process started.
Status machine_works();

}  // namespace proviso::fuzz
