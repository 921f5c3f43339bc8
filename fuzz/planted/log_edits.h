// Proof logs that somebody has edited: damaged ones, and forged ones whose hashes are right.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace proviso::fuzz {

struct LogEdit {
    const char* id;    // "log:drop-line"
    const char* what;  // in words
};
const std::vector<LogEdit>& log_edits();

// Writes the log of a small derivation, edits it (an empty id: leaves it as it is), and audits it.
// What the audit found wrong, in words; nullopt when it verified the log.
std::optional<std::string> audit_edited_log(const std::string& id);

}  // namespace proviso::fuzz
