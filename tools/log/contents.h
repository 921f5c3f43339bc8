// What a proof log consists of.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "ir/result.h"
#include "verify/audit/bundle.h"

namespace proviso::tools {

struct LogPart {
    std::string name;  // of a file, or "sha256:" + hex of an object
    std::size_t bytes = 0;
    std::string what;  // "source program", "obligation of step 3", "certificate of sha256:…"
};

// The files, in order, and then the objects.
std::vector<LogPart> contents_of(const verify::Bundle& log);

// The bytes of a part: a file's name, an object's hash or its first digits (at least four), or
// source, final, schedule, rule_table.
Result<std::string> part_of(const verify::Bundle& log, const std::string& name);

}  // namespace proviso::tools
