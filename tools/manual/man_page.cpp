// Manual pages in man(7), the macros that groff and mandoc both know.
#include <algorithm>
#include <cctype>

#include "tools/manual/manual.h"
#include "tools/support/exit_codes.h"
#include "tools/support/support.h"

namespace proviso::tools {

namespace {

// Text as it is to be seen: man(7) takes some characters for others. A hyphen that begins a word is
// an option or a sign, to be copied as it is; in running text it stays a hyphen.
std::string escaped(const std::string& text, bool literal) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool begins = i == 0 || (std::isalnum(static_cast<unsigned char>(text[i - 1])) == 0);
        switch (text[i]) {
            case '\\': out += "\\(rs"; break;
            case '\'': out += "\\(aq"; break;
            case '`': out += "\\(ga"; break;
            case '^': out += "\\(ha"; break;
            case '~': out += "\\(ti"; break;
            case '"': out += "\\(dq"; break;
            case '-': out += literal || begins ? "\\-" : "-"; break;
            default: out += text[i];
        }
    }
    // A dot that begins a line would be a request.
    return out.rfind('.', 0) == 0 ? "\\&" + out : out;
}

std::string prose(const std::string& text) {
    return escaped(text, false);
}
std::string bold(const std::string& text) {
    return "\\fB" + escaped(text, true) + "\\fP";
}
std::string italic(const std::string& text) {
    return "\\fI" + escaped(text, true) + "\\fP";
}
std::string upper(std::string text) {
    for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    return text;
}

std::string title(const CommandInfo& program, const CommandInfo* command) {
    return command == nullptr ? program.name : program.name + "-" + command->name;
}

// With a capital, unless it begins with one of the words; and a full stop at the end.
std::string sentence(std::string text, const std::vector<std::string>& words = {}) {
    if (text.empty()) return text;
    const std::string first = text.substr(0, text.find_first_of(",;: "));
    const bool literal = std::find(words.begin(), words.end(), first) != words.end();
    if (!literal) text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
    const char last = text.back();
    return last == '.' || last == '?' ? text : text + ".";
}

// As NAME wants it: no sentence.
std::string phrase(std::string text) {
    text[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[0])));
    if (text.back() == '.') text.pop_back();
    return text;
}

std::string listed(const std::vector<std::string>& words,
                   std::string (*style)(const std::string&)) {
    std::string out;
    for (const std::string& word : words) out += (out.empty() ? "" : ", ") + style(word);
    return out;
}

// `-s`, `--schedule` FILE
std::string item(const OptionInfo& o, bool argument) {
    if (argument) return italic(o.names.front());
    std::string out = listed(o.names, bold);
    if (o.kind != ValueKind::None) out += " " + italic(o.value);
    return out;
}

std::string entry(const OptionInfo& o, bool argument) {
    std::string out = ".TP\n" + item(o, argument) + "\n" + prose(sentence(o.what, o.words)) + "\n";
    if (!o.words.empty()) {
        out += std::string(o.open   ? "For example: "
                           : o.list ? "Values, with commas between them: "
                                    : "Values: ") +
               listed(o.words, bold) + ".\n";
    }
    if (!o.fallback.empty()) out += "Default: " + bold(o.fallback) + "\n";
    if (!o.excludes.empty()) out += "Does not go with " + listed(o.excludes, bold) + ".\n";
    return out;
}

std::string synopsis(const CommandTable& table, const CommandInfo* command) {
    std::string out = ".B " + escaped(table.program.name, true);
    if (command == nullptr) {
        return out + "\n" + italic("COMMAND") + "\n[" + italic("OPTION") + "]...\n[" +
               italic("ARGUMENT") + "]...\n";
    }
    std::string words;
    for (const OptionInfo& o : command->arguments) {
        const std::string name = italic(o.names.front()) + (o.repeated ? "..." : "");
        words += (o.required ? name : "[" + name + "]") + "\n";
    }
    words += "[" + italic("OPTION") + "]...\n";
    out += " " + escaped(command->name, true) + "\n" + words;
    if (command->program.empty()) return out;
    return out + ".PP\n.B " + escaped(command->program, true) + "\n" + words;
}

bool has_option(const CommandInfo& command, const std::string& name) {
    for (const OptionInfo& o : command.options) {
        for (const std::string& own : o.names) {
            if (own == name) return true;
        }
    }
    return false;
}

std::string exit_status() {
    std::string out = ".SH EXIT STATUS\n";
    for (const ExitCodeInfo& e : kExitCodes) {
        out += ".TP\n" + bold(std::to_string(e.code)) + "\n" + prose(e.more) + "\n";
    }
    return out;
}

std::string see_also(const CommandTable& table, const CommandInfo* command) {
    std::string out = ".SH SEE ALSO\n";
    if (command != nullptr) {
        return out + bold(table.program.name) + "(1)\n.PP\nThe page " + italic(command->page) +
               " of the documentation (share/doc/proviso) says more, with examples.\n";
    }
    std::string pages;
    for (const CommandInfo& c : table.commands) {
        pages += (pages.empty() ? "" : ",\n") + bold(title(table.program, &c)) + "(1)";
    }
    return out + pages +
           "\n.PP\nEach command has a page with examples in the documentation, "
           "share/doc/proviso.\n";
}

}  // namespace

std::string man_page_file(const CommandInfo* command) {
    return (command == nullptr ? "proviso" : "proviso-" + command->name) + ".1";
}

std::string man_page(const CommandTable& table, const CommandInfo* command) {
    const CommandInfo& about = command == nullptr ? table.program : *command;
    const std::string name = title(table.program, command);
    const std::string version = table.version.substr(0, table.version.find(" ("));
    std::string out = ".\\\" Made by `proviso man`; changes here are lost.\n";
    out += ".TH " + escaped(upper(name), true) + " 1 \"\" \"" + version + "\" \"Proviso manual\"\n";
    out += ".SH NAME\n" + escaped(name, true) + " \\- " + prose(phrase(about.what)) + "\n";
    out += ".SH SYNOPSIS\n" + synopsis(table, command);
    out += ".SH DESCRIPTION\n" + prose(sentence(about.what)) + "\n";
    if (command == nullptr) {
        out += ".SH COMMANDS\n";
        for (const CommandInfo& c : table.commands) {
            out += ".TP\n" + bold(c.name) + "\n" + prose(sentence(c.what)) + "\n";
        }
    }
    if (!about.arguments.empty()) {
        out += ".SH ARGUMENTS\n";
        for (const OptionInfo& o : about.arguments) out += entry(o, true);
    }
    out += ".SH OPTIONS\n";
    for (const OptionInfo& o : about.options) out += entry(o, false);
    out += exit_status();
    if (command == nullptr || has_option(about, "--no-cache")) {
        out += ".SH ENVIRONMENT\n.TP\n" + bold("PROVISO_CACHE") +
               "\nThe folder that keeps solvers\\(aq answers between runs, where " +
               bold("--cache") + " names none.\n";
    }
    if (!about.example.empty()) {
        out += ".SH EXAMPLES\n.nf\n" +
               escaped(table.program.name + " " + about.name + " " + about.example, true) +
               "\n.fi\n";
    }
    return out + see_also(table, command);
}

}  // namespace proviso::tools
