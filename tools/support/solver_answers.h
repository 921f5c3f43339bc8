// What commands that ask solvers share: where answers are kept, and what is said of one that is
// UNKNOWN.
#pragma once

#include <string>

namespace proviso::tools {

// Where a command keeps solvers' answers between runs.
struct CacheOptions {
    std::string folder;  // empty: the usual one
    bool off = false;
};
// A folder of its own for each version of the semantics and of the rule tables, below the one told;
// empty: nothing is kept.
std::string cache_folder(const CacheOptions& options);

// Why an answer is UNKNOWN, and the option that gives a solver more time where that stopped it.
std::string why_unknown(const std::string& why);

}  // namespace proviso::tools
