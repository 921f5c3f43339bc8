#include "tools/support/usage.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <cstdio>
#include <exception>
#include <new>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string_view>

#include "ir/deep_stack.h"
#include "ir/text/spelling.h"
#include "tools/support/exit_codes.h"
#include "tools/support/support.h"

namespace proviso::tools {

namespace {

bool is_digits(std::string_view text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
        return std::isdigit(static_cast<unsigned char>(c)) != 0;
    });
}

// "2.5e3" as "2500"; nothing where the text is no integer in one of the two forms. No more digits
// than the largest count has, so that no text makes a long one.
std::optional<std::string> digits_of(const std::string& text) {
    constexpr std::size_t longest = 20;
    const std::size_t e = std::min(text.find_first_of("eE"), text.size());
    const std::size_t point = std::min(text.find('.'), e);
    std::string whole = text.substr(0, point);
    std::string part = point < e ? text.substr(point + 1, e - point - 1) : "";
    if (!is_digits(whole) || (point < e && !is_digits(part))) return std::nullopt;
    std::size_t power = 0;
    if (e < text.size()) {
        std::string exponent = text.substr(e + 1);
        if (exponent.rfind('+', 0) == 0) exponent.erase(0, 1);
        if (!is_digits(exponent)) return std::nullopt;
        exponent.erase(0, std::min(exponent.find_first_not_of('0'), exponent.size()));
        power = exponent.empty() ? 0 : exponent.size() > 2 ? longest : std::stoul(exponent);
    } else if (point < e) {
        return std::nullopt;
    }
    while (!part.empty() && part.back() == '0') part.pop_back();
    if (part.size() > power) return std::nullopt;  // no integer
    std::string out = whole + part;
    out.erase(0, std::min(out.find_first_not_of('0'), out.size()));
    if (out.empty()) return "0";
    out += std::string(std::min(power - part.size(), longest), '0');
    return out;
}

// Of the program itself, or of the command that is chosen.
std::vector<std::string> option_names(const CLI::App& app) {
    std::vector<std::string> out;
    for (const CLI::Option* option : app.get_options()) {
        for (const std::string& name : option->get_lnames()) out.push_back("--" + name);
    }
    return out;
}

}  // namespace

CLI::Validator count_from(std::uint64_t least, std::uint64_t most) {
    const auto read = [least, most](std::string& text) -> std::string {
        if (text.rfind('-', 0) == 0 && is_digits(std::string_view(text).substr(1))) {
            return text + " is negative; it is a number from " + std::to_string(least) + " to " +
                   std::to_string(most);
        }
        const std::optional<std::string> digits = digits_of(text);
        if (!digits) return "'" + text + "' is no integer; write it in digits, or as 1e6";
        const bool fits = digits->size() < 20;
        const std::uint64_t value = fits ? std::stoull(*digits) : UINT64_MAX;
        if (value < least || value > most) {
            return text + " is not from " + std::to_string(least) + " to " + std::to_string(most);
        }
        text = *digits;
        return "";
    };
    return {read, ""};
}

CLI::Validator not_empty() {
    const auto read = [](const std::string& text) -> std::string {
        return text.empty() ? "the name is empty; leave the option out, or name a file" : "";
    };
    return {read, ""};
}

void add_solver_limits(CLI::App& app, int& seconds, int& memory) {
    app.add_option("--solver-seconds", seconds,
                   "stop a solver that does not keep to its budget; UNKNOWN, and never cached")
        ->check(CLI::Range(1, 86'400))
        ->capture_default_str();
    app.add_option("--solver-memory", memory,
                   "MiB of memory, estimated beforehand, up to which a question is given to Z3")
        ->check(CLI::Range(1, 1'048'576))
        ->capture_default_str();
}

std::string exit_codes() {
    std::string out = "Exit codes:";
    for (const ExitCodeInfo& e : kExitCodes) {
        out += (e.code == 0 ? " " : "; ") + std::to_string(e.code) + " " + e.what;
    }
    return out + ".\n";
}

std::vector<std::string> words_of(int argc, char** argv) {
    std::vector<std::string> out(argv, argv + argc);
    if (out.size() > 1 && out[1] == "help") {
        out.erase(out.begin() + 1);
        out.emplace_back("--help");
    }
    const std::string command = out.size() > 1 ? out[1] : "";
    if (command != "prove" && command != "simplify" && command != "solve") return out;
    for (std::size_t i = 2; i < out.size(); ++i) {
        const std::string& word = out[i];
        const bool short_option = word.size() > 1 && word[0] == '-' && word[1] != '-';
        if (short_option && word != "-h") out[i] = " " + word;
    }
    return out;
}

bool wants_json(int argc, char** argv) {
    for (int i = 1; i < argc; ++i) {
        if (std::string_view(argv[i]) == "--json") return true;
    }
    return false;
}

std::optional<Diagnostic> wrong_command(const CLI::App& app,
                                        const std::vector<std::string>& words) {
    if (words.size() < 2) return std::nullopt;
    const std::string& first = words[1];
    std::string names;
    for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; })) {
        names += " " + sub->get_name();
        if (sub->get_name() == first) return std::nullopt;
    }
    if (first.empty() || first[0] != '-') {
        return error("no command '" + first + "'", "there are:" + names);
    }
    for (const CLI::Option* option : app.get_options()) {
        if (option->check_name(first)) return std::nullopt;
    }
    const bool short_version = first == "-v" || first == "-V";
    const std::string help = "proviso --help; an option of a command stands after it";
    return error(
        "proviso has no option '" + first + "'",
        short_version ? "did you mean `--version`?" : ir::suggest(first, option_names(app), help));
}

int run_program(const char* name, int argc, char** argv, int (*run)(int argc, char** argv)) {
    int code = kInternal;
    try {
        ir::on_deep_stack([&] { code = run(argc, argv); });
    } catch (const std::bad_alloc&) {
        return limit_met(error("out of memory", "a smaller program, or a part of it"),
                         wants_json(argc, argv));
    } catch (const std::exception& e) {
        const std::string what = std::string("internal error: ") + e.what();
        if (wants_json(argc, argv)) print_json({{"error", to_json(error(what))}});
        std::fprintf(stderr, "%s: %s\n", name, what.c_str());
        return kInternal;
    }
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
        std::fprintf(stderr, "error: cannot write to standard output\n");
        return kBadInput;
    }
    return code;
}

void add_solver_effort(CLI::App& app, std::uint64_t& effort) {
    app.add_option("--solver-effort", effort,
                   "times the budgets of solvers, of a question and of all together")
        ->check(CLI::Range(1, 1'000))
        ->capture_default_str();
}

namespace {

// CLI11 says of a word that is none of a set "NAME: WORD not in {A,B}": the nearest of them.
std::string hint_of_set(const std::string& what, const std::string& otherwise) {
    constexpr std::string_view none = " not in {";
    const std::size_t end = what.find(none);
    const std::size_t start = what.find(": ");
    const std::size_t close = what.find('}', end == std::string::npos ? 0 : end);
    if (end == std::string::npos || start >= end || close == std::string::npos) return otherwise;
    const std::size_t first = end + none.size();
    std::vector<std::string> words;
    std::istringstream list(what.substr(first, close - first));
    for (std::string word; std::getline(list, word, ',');) words.push_back(word);
    return ir::suggest(what.substr(start + 2, end - start - 2), words, otherwise);
}

}  // namespace

Diagnostic usage_error(const CLI::App& app, const CLI::ParseError& e) {
    const auto chosen = app.get_subcommands();
    const bool has_commands = app.get_require_subcommand_min() > 0;
    const CLI::App& at = chosen.empty() ? app : *chosen.front();
    const std::string command = app.get_name() + (chosen.empty() ? "" : " " + at.get_name());
    std::string what = e.what();
    what = what.substr(0, what.find('\n'));
    const std::string help = command + " --help";
    if (has_commands && chosen.empty()) {
        if (dynamic_cast<const CLI::RequiredError*>(&e) == nullptr) return error(what, help);
        return error("no command is named", help + " lists them");
    }
    const std::vector<std::string> left = at.remaining();
    if (dynamic_cast<const CLI::ExtrasError*>(&e) == nullptr || left.empty()) {
        return error(what, hint_of_set(what, help));
    }
    const bool option = left.front().rfind("--", 0) == 0;
    const std::string word = left.front().substr(0, left.front().find('='));
    if (!option) return error("'" + word + "' is one argument too many", help);
    return error(command + " has no option '" + word + "'",
                 ir::suggest(word, option_names(at), help));
}

}  // namespace proviso::tools
