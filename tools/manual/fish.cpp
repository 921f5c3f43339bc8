// Completions for fish: a line an option.
#include "tools/manual/manual.h"
#include "tools/manual/shell_words.h"

namespace proviso::tools {

namespace {

// Fish takes a backslash before a quote or a backslash for an escape, also between single quotes.
std::string quoted(const std::string& text) {
    std::string out = "'";
    for (const char c : text) {
        if (c == '\'' || c == '\\') out += '\\';
        out += c;
    }
    return out + "'";
}

// How the value is completed; without it there are no files (`complete -f` at the top).
std::string value_words(const OptionInfo& o) {
    switch (o.kind) {
        case ValueKind::None: return "";
        case ValueKind::Text: return " -x";
        case ValueKind::File: return " -r -F";
        case ValueKind::Folder: return " -x -a '(__fish_complete_directories)'";
        case ValueKind::AssignedFile: return " -x -a '(__proviso_assigned_file)'";
        case ValueKind::Words:
            return " -x -a " +
                   quoted(o.list ? "(__fish_append , " + spaced(o.words) + ")" : spaced(o.words));
    }
    return "";
}

// `program`: "proviso -n CONDITION", or another one, all of whose words are of one command.
std::string option_line(const std::string& program, const OptionInfo& o) {
    std::string out = "complete -c " + program;
    for (const std::string& name : o.names) {
        out += name.rfind("--", 0) == 0 ? " -l " + name.substr(2) : " -s " + name.substr(1);
    }
    return out + value_words(o) + " -d " + quoted(o.what) + "\n";
}

std::string argument_line(const std::string& program, const OptionInfo& o) {
    const std::string start = "complete -c " + program;
    if (o.kind == ValueKind::File) return start + " -F\n";
    if (o.kind == ValueKind::Folder) return start + " -a '(__fish_complete_directories)'\n";
    if (o.kind == ValueKind::Words) return start + " -a " + quoted(spaced(o.words)) + "\n";
    return "";
}

constexpr const char* kFunctions = R"fish(
# Whether the command line names that command.
function __proviso_command
    set -l words (commandline -opc)
    test (count $words) -ge 2; and test "$words[2]" = $argv[1]
end

function __proviso_no_command
    test (count (commandline -opc)) -lt 2
end

# Whether the next word is an argument of that command, and of that number where one is told.
function __proviso_argument
    __proviso_command $argv[1]; or return 1
    test (count $argv) -lt 2; and return 0
    set -l words (commandline -opc)
    set -l seen 0
    set -l skip no
    for word in $words[3..-1]
        if test $skip = yes
            set skip no
        else if string match -qr -- '^-.' $word
            if contains -- $argv[1]:$word $__proviso_with_value
                set skip yes
            end
        else
            set seen (math $seen + 1)
        end
    end
    test (math $seen + 1) -eq $argv[2]
end

# NAME=FILE: a file after the first `=`.
function __proviso_assigned_file
    set -l parts (string split -m 1 = -- (commandline -ct | string replace -r '^--[^=]*=' ''))
    test (count $parts) -eq 2; or return 1
    printf "$parts[1]=%s\n" (complete -C "__proviso_file $parts[2]")
end

)fish";

}  // namespace

std::string fish_completions(const CommandTable& table) {
    std::string with_value;
    std::string lines;
    for (const OptionInfo& o : table.program.options) {
        lines += option_line("proviso -n __proviso_no_command", o);
    }
    for (const CommandInfo& c : table.commands) {
        lines += "\ncomplete -c proviso -n __proviso_no_command -a " + c.name + " -d " +
                 quoted(c.what) + "\n";
        for (const OptionInfo& o : c.options) {
            lines += option_line("proviso -n " + quoted("__proviso_command " + c.name), o);
            if (o.kind == ValueKind::None) continue;
            for (const std::string& name : o.names) with_value += " " + c.name + ":" + name;
        }
        for (std::size_t i = 0; i < c.arguments.size(); ++i) {
            const OptionInfo& o = c.arguments[i];
            const std::string place = o.repeated ? "" : " " + std::to_string(i + 1);
            const std::string condition = quoted("__proviso_argument " + c.name + place);
            lines += argument_line("proviso -n " + condition, o);
        }
        if (c.program.empty()) continue;
        lines += "\ncomplete -c " + c.program + " -f\n";
        for (const OptionInfo& o : c.options) lines += option_line(c.program, o);
        for (const OptionInfo& o : c.arguments) lines += argument_line(c.program, o);
    }
    return "# fish completions of proviso, made by `proviso completions fish`; changes here are "
           "lost.\n\n"
           "# Options that take a value, each after its command.\n"
           "set -g __proviso_with_value" +
           with_value + "\n" + kFunctions + "complete -c proviso -f\n" + lines;
}

}  // namespace proviso::tools
