#include <CLI/CLI.hpp>

#include "tools/log/commands.h"
#include "tools/support/terminal.h"
#include "tools/support/usage.h"

namespace proviso::tools {

namespace {

void add_log_argument(CLI::App& app, std::string& log) {
    app.add_option("LOG", log, "a proof log: its folder, or one file")->type_name(kLog)->required();
}

void add_color(CLI::App& app, std::string& color) {
    app.add_option("--color", color, "colours: auto is on a terminal, where NO_COLOR is not set")
        ->check(CLI::IsMember(color_words()))
        ->capture_default_str();
}

}  // namespace

void add_diff(CLI::App& app, DiffOptions& o) {
    add_log_argument(app, o.log);
    app.add_option("STEPS", o.steps,
                   "N: what step N changed; N..M: from the program after step N to the one after "
                   "step M; default: from the source to the final program")
        ->type_name("STEPS");
    add_color(app, o.color);
    app.add_flag("--json", o.json, "machine-readable answer");
}

void add_show(CLI::App& app, ShowOptions& o) {
    add_log_argument(app, o.log);
    app.add_option(
           "WHAT", o.what,
           "N or step:N, a step; refusal:N, a step that was refused; or the first digits of an "
           "obligation's id, at least four")
        ->type_name("WHAT")
        ->required();
    CLI::Option* const smt2 = app.add_flag(
        "--smt2", o.smt2, "the obligation in SMT-LIB 2 alone, with comments, for a solver");
    add_color(app, o.color);
    app.add_flag("--json", o.json, "machine-readable answer")->excludes(smt2);
}

void add_log(CLI::App& app, LogCommand& o) {
    app.add_option("ACTION", o.action,
                   "ls: what is in it; cat: print a part; smt2: write the obligations; pack and "
                   "unpack: to one file, to a folder; sign: with --key")
        ->required()
        ->check(CLI::IsMember({"ls", "cat", "smt2", "pack", "unpack", "sign"}));
    add_log_argument(app, o.log);
    app.add_option("NAME", o.name,
                   "cat: a file of the log, an object's first digits, or source, final, schedule, "
                   "rule_table; smt2, pack, unpack: where to write")
        ->type_name(kFile);
    app.add_option("--key", o.key, "sign: private key (Ed25519, PEM)")->type_name(kFile);
    app.add_flag("--json", o.json, "machine-readable answer");
}

}  // namespace proviso::tools
