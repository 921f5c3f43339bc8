// A program and a schedule as a corpus keeps them: text that needs neither seed nor generator.
#pragma once

#include <map>
#include <string>

#include "fuzz/gen/program.h"
#include "ir/result.h"

namespace proviso::fuzz {

struct CorpusPair {
    std::string program;                      // TVMScript
    std::string schedule;                     // empty: none
    std::map<std::string, CellRange> ranges;  // of integer inputs, by parameter name

    bool operator==(const CorpusPair&) const;
    std::string text() const;  // of its file, one line of JSON
    std::string id() const;    // the file's name: 16 digits of the text's SHA-256
};

// Fails where the text is not as `text` writes it.
Result<CorpusPair> read_pair(const std::string& text);

}  // namespace proviso::fuzz
