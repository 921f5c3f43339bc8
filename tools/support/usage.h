// What the command line does beside its options: how its words are read, and what is said of wrong
// ones.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ir/result.h"
#include "tools/support/support.h"

namespace CLI {  // NOLINT(readability-identifier-naming)
class App;
class ParseError;
class Validator;
}  // namespace CLI

namespace proviso::tools {

// Names of values, for --help, the manual and the completions (tools/manual/command_table.h):
// shells complete a FILE, a DIR, a LOG (a folder or a file) and the words in braces. The braces
// check nothing:
// `...` at their end says that there are more, and some commands say themselves what is wrong.
inline constexpr const char* kFile = "FILE";
inline constexpr const char* kFolder = "DIR";
inline constexpr const char* kLog = "LOG";

inline constexpr std::uint64_t kMostCount = 1'000'000'000'000'000'000;

// For CLI::Option::transform: an integer from `least` to `most`, in digits or as 1e6, made digits.
CLI::Validator count_from(std::uint64_t least, std::uint64_t most = kMostCount);

// For CLI::Option::check: the name of a file or a folder is not empty.
CLI::Validator not_empty();

// --solver-seconds and --solver-memory.
void add_solver_limits(CLI::App& app, int& seconds, int& memory);
// --solver-effort: times the budgets of each question, and of all together.
void add_solver_effort(CLI::App& app, std::uint64_t& effort);

// The last line of --help.
std::string exit_codes();

// The words of the command line as CLI11 takes them. Expressions may begin with a minus: the
// commands that read them have no short options but -h. `help COMMAND` is `COMMAND --help`.
std::vector<std::string> words_of(int argc, char** argv);

// Whether the answer, and so an error, is to be JSON.
bool wants_json(int argc, char** argv);

// A first word that is no command and no option of `app`.
std::optional<Diagnostic> wrong_command(const CLI::App& app, const std::vector<std::string>& words);

// The exit code of `run`, which gets the words, with as much stack as deep programs need; kInternal
// where it throws, and bad input where what it has printed did not arrive: that is no answer.
int run_program(const char* name, int argc, char** argv, int (*run)(int argc, char** argv));

// What CLI11 found wrong; of an option that there is none of, the nearest one that there is.
Diagnostic usage_error(const CLI::App& app, const CLI::ParseError& e);

}  // namespace proviso::tools
