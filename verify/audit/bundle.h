// A proof log, in a folder or in one file, read strictly: every file, line and object is where the
// statement says, and has the hash that it says. Whatever was added, left out, moved or changed is
// named.
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "verify/files/object_pack.h"
#include "verify/files/problem.h"

namespace proviso::verify {

struct Bundle {
    Bundle();
    ~Bundle();
    Bundle(Bundle&&) noexcept;
    Bundle& operator=(Bundle&&) noexcept;

    std::unique_ptr<nlohmann::json> run;  // the statement; an object once read_bundle succeeded
    std::vector<std::string> steps;       // lines, without line feeds
    std::vector<std::string> refusals;
    Objects objects;
    std::string run_text;           // of run.json, with its line feed
    std::string envelope;           // of run.dsse.json, unread; empty: there is none
    std::vector<Problem> problems;  // empty: the log is whole
};

// Never fails otherwise than by `problems`.
Bundle read_bundle(const std::string& path);

}  // namespace proviso::verify
