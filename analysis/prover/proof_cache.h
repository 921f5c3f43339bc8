// Answers kept between runs: one small file each, by the content hash of everything that the answer
// depends on. Processes that run at the same time may share a folder: a file appears whole, by
// renaming, and ends with the checksum of the rest, so that what a crash or a full disk left torn
// reads as absent.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace proviso::analysis {

class ProofCache {
  public:
    // `folder` is made when something is kept; empty: nothing is kept. A folder that cannot be
    // read or written is no error, only no cache.
    explicit ProofCache(std::string folder) : folder_(std::move(folder)) {}

    bool enabled() const { return !folder_.empty(); }
    // `key` names the question, its versions and its limits; any bytes without a line end.
    std::optional<std::string> find(std::string_view key) const;
    void keep(std::string_view key, std::string_view answer) const;

  private:
    std::string folder_;
};

// Where answers are kept unless told otherwise: $PROVISO_CACHE, $XDG_CACHE_HOME/proviso or
// $HOME/.cache/proviso, whichever is there first; empty where none is.
std::string default_cache_folder();

}  // namespace proviso::analysis
