#include "tools/manual/describe.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <sstream>

namespace proviso::tools {

namespace {

// The words of "TEXT:{cpu,interp,both}", with "..." at the end where there are more.
std::vector<std::string> words_of(const std::string& type) {
    std::vector<std::string> out;
    const std::size_t open = type.find('{');
    const std::size_t close = type.find('}', open);
    if (open == std::string::npos || close == std::string::npos) return out;
    std::istringstream words(type.substr(open + 1, close - open - 1));
    for (std::string word; std::getline(words, word, ',');) out.push_back(word);
    return out;
}

// How a manual calls what CLI11 names by its type.
std::string value_name(const std::string& type, const std::string& fallback) {
    std::string name = type.substr(0, type.find(':'));
    if (name == "TEXT") return fallback;
    if (name == "UINT" || name == "INT") return "N";
    if (name == "FLOAT") return "NUMBER";
    return name;
}

ValueKind kind_of(const OptionInfo& o) {
    if (!o.words.empty()) return ValueKind::Words;
    if (o.value == "FILE" || o.value == "LOG") return ValueKind::File;  // or a folder, the same
    if (o.value == "DIR") return ValueKind::Folder;
    if (o.value == "NAME=FILE") return ValueKind::AssignedFile;
    return ValueKind::Text;
}

std::string first_name(const CLI::Option& option) {
    return option.get_lnames().empty() ? "-" + option.get_snames().front()
                                       : "--" + option.get_lnames().front();
}

OptionInfo described(const CLI::Option& option) {
    OptionInfo out;
    const bool argument = option.get_positional();
    for (const std::string& name : option.get_lnames()) out.names.push_back("--" + name);
    for (const std::string& name : option.get_snames()) out.names.push_back("-" + name);
    if (argument) out.names = {option.get_name()};
    out.what = option.get_description();
    out.required = option.get_required();
    for (const CLI::Option* other : option.get_excludes()) {
        out.excludes.push_back(first_name(*other));
    }
    std::sort(out.excludes.begin(), out.excludes.end());
    const std::string type = option.get_type_name();
    if (type.empty()) return out;  // a flag
    out.words = words_of(type);
    out.open = !out.words.empty() && out.words.back() == "...";
    if (out.open) out.words.pop_back();
    out.value = value_name(type, argument ? option.get_name() : "TEXT");
    out.kind = kind_of(out);
    out.fallback = option.get_default_str();
    out.repeated = option.get_expected_max() == CLI::detail::expected_max_vector_size;
    out.list = option.get_delimiter() == ',';
    return out;
}

}  // namespace

CommandInfo describe(const CLI::App& app) {
    CommandInfo out;
    out.name = app.get_name();
    out.what = app.get_description();
    for (const CLI::Option* option : app.get_options()) {
        (option->get_positional() ? out.arguments : out.options).push_back(described(*option));
    }
    return out;
}

}  // namespace proviso::tools
