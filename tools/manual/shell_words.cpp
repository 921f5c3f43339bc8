#include "tools/manual/shell_words.h"

namespace proviso::tools {

std::string spaced(const std::vector<std::string>& words) {
    std::string out;
    for (const std::string& word : words) out += (out.empty() ? "" : " ") + word;
    return out;
}

std::string single_quoted(const std::string& text) {
    std::string out = "'";
    for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return out + "'";
}

std::vector<std::string> long_and_short_names(const CommandInfo& command) {
    std::vector<std::string> out;
    for (const OptionInfo& o : command.options) {
        out.insert(out.end(), o.names.begin(), o.names.end());
    }
    return out;
}

}  // namespace proviso::tools
