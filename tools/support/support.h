// What the commands share: exit codes, reading of files, and how errors and machine-readable
// results are printed.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "ir/files/limits.h"
#include "ir/result.h"

namespace proviso::tools {

// Exit codes of every command; see docs/exit-codes.md.
enum ExitCode : int {
    kFine = 0,
    kRefuted = 1,   // refuted, refused, or a mismatch was found
    kBadInput = 2,  // bad input or usage
    kUnknown = 3,   // not decided: never a pass
    kInternal = 4,
};

// The whole of a regular file of at most so many bytes; "-" is standard input.
Result<std::string> read_file(const std::string& path,
                              std::uint64_t most = ir::limits::kProgramBytes);
// Prints the diagnostic to standard error, and where the answer would have been JSON also
// {"error": …} to standard output. Gives kBadInput.
int bad_input(const Diagnostic& diagnostic, bool json = false);
nlohmann::json to_json(const Diagnostic& diagnostic);
// One line of canonical JSON to standard output.
void print_json(const nlohmann::json& value);

}  // namespace proviso::tools
