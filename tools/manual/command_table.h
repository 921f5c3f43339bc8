// The commands and their options as plain data: what the manual and the completions are made from.
// tools/main.cpp reads it off the same objects that parse the command line and print --help.
#pragma once

#include <string>
#include <vector>

namespace proviso::tools {

// What a value is, as far as a shell can help with it. From the name of the value in --help: FILE,
// LOG, DIR, NAME=FILE; words in braces, as in `TEXT:{cpu,interp,both}`, where `...` at the end says
// that there are more; all others are free text.
enum class ValueKind { None, Text, File, Folder, AssignedFile, Words };

// An option, or an argument that is told by its place.
struct OptionInfo {
    std::vector<std::string> names;  // "--schedule", "-s"; of an argument its name: "PROGRAM"
    std::string what;
    ValueKind kind = ValueKind::None;   // None: a flag
    std::string value;                  // the value's name: "FILE"
    std::vector<std::string> words;     // what the value may be
    bool open = false;                  // the words are examples
    std::string fallback;               // without the option; empty: nothing to say
    std::vector<std::string> excludes;  // options that it does not go with, sorted
    bool required = false;
    bool repeated = false;  // or, of an argument, several
    bool list = false;      // a value is several, with commas between them
};

struct CommandInfo {
    std::string name;          // "lower"; of the whole program "proviso"
    std::string what;          // one line
    std::string example;       // what follows the name; empty: none
    std::string page;          // in docs/: "lower.md"
    std::string program = {};  // that does the same with the same options; empty: none
    std::vector<OptionInfo> arguments;
    std::vector<OptionInfo> options;
};

struct CommandTable {
    CommandInfo program;
    std::string version;  // "proviso 0.1.0 (…)"
    std::vector<CommandInfo> commands;
};

}  // namespace proviso::tools
