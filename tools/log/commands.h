// The commands that show a proof log: options as plain data, as in tools/commands.h.
#pragma once

#include <string>

namespace CLI {  // NOLINT(readability-identifier-naming)
class App;
}

namespace proviso::tools {

struct DiffOptions {
    std::string log;
    std::string steps;  // N, N..M, N.., ..M; empty: source to final program
    std::string color = "auto";
    bool json = false;
};
void add_diff(CLI::App& app, DiffOptions& o);
int run_diff(const DiffOptions& options);

struct ShowOptions {
    std::string log;
    std::string what;   // a step's number, or the beginning of an obligation's id
    bool smt2 = false;  // the obligation in SMT-LIB 2 alone, with comments
    std::string color = "auto";
    bool json = false;
};
void add_show(CLI::App& app, ShowOptions& o);
int run_show(const ShowOptions& options);

struct LogCommand {
    std::string action;  // ls, cat, smt2, pack, unpack, sign
    std::string log;
    std::string name;  // cat: of a file or an object; smt2, pack, unpack: where to write
    std::string key;   // sign: file of a private key
    bool json = false;
};
void add_log(CLI::App& app, LogCommand& o);
int run_log(const LogCommand& options);

}  // namespace proviso::tools
