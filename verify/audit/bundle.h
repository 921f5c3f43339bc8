// A proof log as it lies in its folder, read strictly: every file, line and object is where the
// statement says, and has the hash that it says. Whatever was added, left out, moved or changed is
// named.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace proviso::verify {

// Something that is wrong with a log. `line` counts from 1; 0: the file as a whole.
struct Problem {
    std::string file;
    std::size_t line = 0;
    std::string what;
    std::string str() const;  // "steps.jsonl:3: the line was changed"
};

struct Bundle {
    Bundle();
    ~Bundle();
    Bundle(Bundle&&) noexcept;
    Bundle& operator=(Bundle&&) noexcept;

    std::unique_ptr<nlohmann::json> run;  // the statement; an object once read_bundle succeeded
    std::vector<std::string> steps;       // lines, without line feeds
    std::vector<std::string> refusals;
    std::map<std::string, std::string> objects;  // hex -> bytes
    std::vector<Problem> problems;               // empty: the log is whole
};

// Never fails otherwise than by `problems`.
Bundle read_bundle(const std::string& folder);

}  // namespace proviso::verify
