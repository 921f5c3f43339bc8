// The manual and the completions of shells, made from the table of commands.
#pragma once

#include <string>
#include <vector>

#include "tools/manual/command_table.h"

namespace CLI {  // NOLINT(readability-identifier-naming)
class App;
}

namespace proviso::tools {

// A page of section 1 in man(7): of the command, or of the whole program where it is null.
std::string man_page(const CommandTable& table, const CommandInfo* command);
// "proviso-lower.1".
std::string man_page_file(const CommandInfo* command);

// Each a whole file, in the language of the shell.
std::string bash_completions(const CommandTable& table);
std::string zsh_completions(const CommandTable& table);
std::string fish_completions(const CommandTable& table);

// `proviso man`, `proviso completions`.
struct ManOptions {
    std::string command;  // empty: the program's own page; with out, all pages
    std::string out;      // folder; empty: print
};
void add_man(CLI::App& app, ManOptions& o);
int run_man(const ManOptions& options, const CommandTable& table);

struct CompletionsOptions {
    std::string shell;  // one of completion_shells()
    std::string out;    // file; empty: print
};
void add_completions(CLI::App& app, CompletionsOptions& o);
int run_completions(const CompletionsOptions& options, const CommandTable& table);
std::vector<std::string> completion_shells();

}  // namespace proviso::tools
