// Completions for zsh: a case a command, each a call of _arguments.
#include "tools/manual/manual.h"
#include "tools/manual/shell_words.h"

namespace proviso::tools {

namespace {

// Within a specification of _arguments these characters end a part.
std::string escaped(const std::string& text) {
    std::string out;
    for (const char c : text) {
        if (c == '[' || c == ']' || c == ':' || c == '\\') out += '\\';
        out += c;
    }
    return out;
}

// `:FILE:_files`: what the value is called, and how it is completed.
std::string action(const OptionInfo& o) {
    std::string head = ":" + escaped(o.value) + ":";
    std::string words;
    for (const std::string& word : o.words) words += (words.empty() ? "" : " ") + escaped(word);
    switch (o.kind) {
        case ValueKind::None: return "";
        case ValueKind::Text: return head;
        case ValueKind::File: return head + "_files";
        case ValueKind::Folder: return head + "_files -/";
        case ValueKind::AssignedFile: return head + "_proviso_assigned_file";
        case ValueKind::Words:
            return head + (o.list ? "_sequence compadd - " + spaced(o.words) : "(" + words + ")");
    }
    return "";
}

std::string option_lines(const OptionInfo& o) {
    // What need not be offered any more: the option itself by its other names, and what it
    // excludes.
    std::string given = o.repeated ? "*" : "";
    std::vector<std::string> not_any_more = o.excludes;
    if (!o.repeated) {
        not_any_more.insert(not_any_more.begin(), o.names.begin(), o.names.end());
    }
    if (!not_any_more.empty() && given.empty()) given = "(" + spaced(not_any_more) + ")";
    std::string out;
    for (const std::string& name : o.names) {
        const bool is_long = name.rfind("--", 0) == 0;
        const std::string sign = o.kind == ValueKind::None ? "" : is_long ? "=" : "+";
        out += " \\\n                " +
               single_quoted(given + name + sign + "[" + escaped(o.what) + "]" + action(o));
    }
    return out;
}

std::string argument_line(const OptionInfo& o, std::size_t place) {
    const std::string where = o.repeated ? "*" : std::to_string(place) + (o.required ? "" : ":");
    return " \\\n                " + single_quoted(where + action(o));
}

std::string arguments_call(const CommandInfo& command) {
    std::string out = "_arguments -s -S";
    for (const OptionInfo& o : command.options) out += option_lines(o);
    for (std::size_t i = 0; i < command.arguments.size(); ++i) {
        out += argument_line(command.arguments[i], i + 1);
    }
    return out;
}

}  // namespace

std::string zsh_completions(const CommandTable& table) {
    std::string commands;
    std::string cases;
    std::string programs;  // that are one of the commands
    std::string own;
    for (const CommandInfo& c : table.commands) {
        std::string name_and_text = c.name;
        name_and_text += ":";
        name_and_text += c.what;
        commands += "                " + single_quoted(name_and_text) + "\n";
        cases += "        " + c.name + ")\n            " + arguments_call(c) + "\n            ;;\n";
        if (c.program.empty()) continue;
        programs += " " + c.program;
        own += "    if [[ $service == " + c.program + " ]]; then\n        " + arguments_call(c) +
               "\n        return\n    fi\n";
    }
    std::string program = "_arguments -C";
    for (const OptionInfo& o : table.program.options) program += option_lines(o);
    return "#compdef proviso" + programs +
           "\n"
           "# zsh completions of proviso, made by `proviso completions zsh`; changes here are "
           "lost.\n\n"
           "# NAME=FILE: a file after the first `=`.\n"
           "_proviso_assigned_file() {\n"
           "    if compset -P '*='; then _files; else _message 'NAME=FILE'; fi\n"
           "}\n\n"
           "_proviso() {\n"
           "    local curcontext=$curcontext state state_descr line\n"
           "    typeset -A opt_args\n" +
           own + "    " + program +
           " \\\n                '1:command:->command' '*::argument:->argument' && return 0\n"
           "    if [[ $state == command ]]; then\n"
           "        local -a commands=(\n" +
           commands +
           "        )\n"
           "        _describe command commands\n"
           "        return\n"
           "    fi\n"
           "    curcontext=${curcontext%:*:*}:proviso-$line[1]:\n"
           "    case $line[1] in\n" +
           cases +
           "    esac\n"
           "}\n\n"
           "if [[ $zsh_eval_context[-1] == loadautofunc ]]; then\n"
           "    _proviso \"$@\"\n"
           "else\n"
           "    compdef _proviso proviso" +
           programs + "\nfi\n";
}

}  // namespace proviso::tools
