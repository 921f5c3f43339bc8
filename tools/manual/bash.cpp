// Completions for bash: one function that knows no option, and two tables that know all of them.
#include "tools/manual/manual.h"
#include "tools/manual/shell_words.h"

namespace proviso::tools {

namespace {

// Needs nothing of the package bash-completion. Bash breaks words at `=` and `:` too; they are put
// together first, and what precedes the last break is taken off the replies, as bash keeps it.
constexpr const char* kFunction = R"bash(
_proviso() {
    local command=- expected= position=0 only_arguments= kind values value head i raw word glue=
    local words=() replies=() IFS=$' \t\n'
    COMPREPLY=()
    _proviso_program "${COMP_WORDS[0]##*/}"
    for ((i = 1; i <= COMP_CWORD; ++i)); do
        raw=${COMP_WORDS[i]}
        if [[ -n $raw && -z ${raw//[=:]/} ]]; then
            if ((${#words[@]} > 0)); then words[-1]+=$raw; else words+=("$raw"); fi
            glue=yes
        else
            if [[ -n $glue ]]; then words[-1]+=$raw; else words+=("$raw"); fi
            glue=
        fi
    done
    if ((${#words[@]} == 0)); then return; fi
    local current=${words[-1]}
    unset 'words[-1]'

    for word in "${words[@]}"; do
        if [[ $command == - ]]; then
            if [[ $word != -* ]]; then command=$word; fi
        elif [[ -n $expected ]]; then
            expected=
        elif [[ -z $only_arguments && $word == -- ]]; then
            only_arguments=yes
        elif [[ -z $only_arguments && $word == -?* ]]; then
            _proviso_option "$command" "$word"
            if [[ $kind != flag && $word != *=* ]]; then expected=$word; fi
        else
            position=$((position + 1))
        fi
    done

    value=$current
    if [[ -n $expected ]]; then
        _proviso_option "$command" "$expected"
    elif [[ -z $only_arguments && $current == --*=* ]]; then
        _proviso_option "$command" "${current%%=*}"
        value=${current#*=}
    elif [[ $command == - || ( -z $only_arguments && $current == -* ) ]]; then
        _proviso_options "$command"
    else
        _proviso_argument "$command" "$((position + 1))"
    fi

    head=${current%"$value"}
    case $kind in
        words) mapfile -t replies < <(compgen -W "$values" -- "$value") ;;
        list)
            head+=${value%"${value##*,}"}
            mapfile -t replies < <(compgen -W "$values" -- "${value##*,}")
            ;;
        file | assigned)
            if [[ $kind == assigned ]]; then
                if [[ $value != *=* ]]; then return; fi
                head+=${value%%=*}=
                value=${value#*=}
            fi
            mapfile -t replies < <(compgen -f -- "$value")
            compopt -o filenames 2>/dev/null
            ;;
        folder)
            mapfile -t replies < <(compgen -d -- "$value")
            compopt -o filenames 2>/dev/null
            ;;
    esac
    raw=${COMP_WORDS[COMP_CWORD]}
    if [[ -z ${raw//[=:]/} ]]; then raw=; fi
    local kept=${current%"$raw"}
    for word in "${replies[@]}"; do
        word=$head$word
        COMPREPLY+=("${word#"$kept"}")
    done
}

)bash";

const char* kind_word(const OptionInfo& o) {
    switch (o.kind) {
        case ValueKind::None: return "flag";
        case ValueKind::Text: return "text";
        case ValueKind::File: return "file";
        case ValueKind::Folder: return "folder";
        case ValueKind::AssignedFile: return "assigned";
        case ValueKind::Words: return o.list ? "list" : "words";
    }
    return "text";
}

std::string setting(const OptionInfo& o) {
    std::string out = std::string("kind=") + kind_word(o);
    if (!o.words.empty()) out += " values=" + single_quoted(spaced(o.words));
    return out;
}

// The program itself goes by the name `-`, as no command does.
std::string option_cases(const CommandInfo& command, const std::string& name) {
    std::string out;
    for (const OptionInfo& o : command.options) {
        if (o.kind == ValueKind::None) continue;
        std::string patterns;
        for (const std::string& own : o.names) {
            patterns += (patterns.empty() ? "" : " | ") + name + ":" + own;
        }
        out += "        " + patterns + ") " + setting(o) + " ;;\n";
    }
    return out;
}

std::string argument_cases(const CommandInfo& command) {
    std::string out;
    for (std::size_t i = 0; i < command.arguments.size(); ++i) {
        const OptionInfo& o = command.arguments[i];
        const std::string place = o.repeated ? "*" : std::to_string(i + 1);
        out += "        " + command.name + ":" + place + ") " + setting(o) + " ;;\n";
    }
    return out;
}

std::string table_function(const std::string& name, const std::string& cases) {
    return "\n" + name + "() {\n    kind=flag values=\n    case $1:$2 in\n" + cases +
           "    esac\n}\n";
}

}  // namespace

std::string bash_completions(const CommandTable& table) {
    std::string names = spaced(long_and_short_names(table.program));
    std::string options;
    std::string arguments;
    std::string words;
    std::string programs;  // that are one of the commands
    std::string own;
    for (const CommandInfo& c : table.commands) {
        names += " " + c.name;
        options += option_cases(c, c.name);
        arguments += argument_cases(c);
        if (!c.program.empty()) {
            programs += " " + c.program;
            own += "        " + c.program + ") command=" + c.name + " ;;\n";
        }
        words += "        " + c.name +
                 ") values=" + single_quoted(spaced(long_and_short_names(c))) + " ;;\n";
    }
    return "# bash completions of proviso, made by `proviso completions bash`; changes here are "
           "lost.\n\n# What `proviso COMMAND OPTION` takes: sets kind and values." +
           table_function("_proviso_option", options) + "\n# What the argument of that number is." +
           table_function("_proviso_argument", arguments) +
           "\n# What may be said next: the options of a command, or before it all commands.\n"
           "_proviso_options() {\n    kind=words values=\n    case $1 in\n        -) values=" +
           single_quoted(names) + " ;;\n" + words +
           "    esac\n}\n\n# Programs that are one of the commands.\n"
           "_proviso_program() {\n    case $1 in\n" +
           own + "    esac\n}\n" + kFunction + "complete -F _proviso proviso" + programs + "\n";
}

}  // namespace proviso::tools
