#include <CLI/CLI.hpp>

#include "tools/manual/manual.h"
#include "tools/support/usage.h"

namespace proviso::tools {

void add_man(CLI::App& app, ManOptions& o) {
    app.add_option("COMMAND", o.command, "the command to print the page of; default: proviso")
        ->type_name("NAME");
    app.add_option("-o,--out", o.out, "folder to write all pages to, or COMMAND's")
        ->type_name(kFolder);
}

void add_completions(CLI::App& app, CompletionsOptions& o) {
    app.add_option("SHELL", o.shell, "the shell")
        ->required()
        ->check(CLI::IsMember(completion_shells()));
    app.add_option("-o,--out", o.out, "file to write to; default: standard output")
        ->type_name(kFile);
}

}  // namespace proviso::tools
