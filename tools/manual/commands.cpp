// proviso man, proviso completions.
#include <algorithm>
#include <cstdio>

#include "ir/text/spelling.h"
#include "tools/manual/manual.h"
#include "tools/support/support.h"
#include "tools/support/write_file.h"

namespace proviso::tools {

namespace {

int print_or_write(const std::string& text, const std::string& path) {
    if (path.empty()) {
        std::fputs(text.c_str(), stdout);
        return kFine;
    }
    if (const Status ok = write_file(path, text); !ok) return bad_input(ok.error());
    return kFine;
}

}  // namespace

int run_man(const ManOptions& o, const CommandTable& table) {
    const CommandInfo* chosen = nullptr;
    std::vector<std::string> names = {table.program.name};
    for (const CommandInfo& command : table.commands) {
        names.push_back(command.name);
        if (command.name == o.command) chosen = &command;
    }
    if (chosen == nullptr && !o.command.empty() && o.command != table.program.name) {
        return bad_input(error("no command '" + o.command + "'",
                               ir::suggest(o.command, names, "proviso --help lists them")));
    }
    if (o.out.empty()) return print_or_write(man_page(table, chosen), "");
    std::vector<const CommandInfo*> pages = {chosen};
    if (o.command.empty()) {
        for (const CommandInfo& command : table.commands) pages.push_back(&command);
    }
    for (const CommandInfo* page : pages) {
        const int code = print_or_write(man_page(table, page), o.out + "/" + man_page_file(page));
        if (code != kFine) return code;
    }
    return kFine;
}

std::vector<std::string> completion_shells() {
    return {"bash", "zsh", "fish"};
}

int run_completions(const CompletionsOptions& o, const CommandTable& table) {
    if (o.shell == "zsh") return print_or_write(zsh_completions(table), o.out);
    if (o.shell == "fish") return print_or_write(fish_completions(table), o.out);
    return print_or_write(bash_completions(table), o.out);
}

}  // namespace proviso::tools
