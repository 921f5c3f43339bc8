#include "tools/support/terminal.h"

#include <unistd.h>

#include <cstdlib>
#include <sstream>

namespace proviso::tools {

const std::vector<std::string>& color_words() {
    static const std::vector<std::string> words = {"auto", "always", "never"};
    return words;
}

bool use_color(const std::string& when) {
    if (when != "auto") return when == "always";
    const char* none = std::getenv("NO_COLOR");
    const char* term = std::getenv("TERM");
    if (none != nullptr && *none != '\0') return false;
    return isatty(STDOUT_FILENO) != 0 && term != nullptr && std::string(term) != "dumb";
}

std::string styled(const std::string& text, Style style, bool color) {
    if (!color || text.empty()) return text;
    const char* code = "";
    switch (style) {
        case Style::Plain: return text;
        case Style::Bold: code = "1"; break;
        case Style::Dim: code = "2"; break;
        case Style::Red: code = "31"; break;
        case Style::Green: code = "32"; break;
        case Style::Cyan: code = "36"; break;
    }
    return std::string("\x1b[") + code + "m" + text + "\x1b[0m";
}

std::string colored_diff(const std::string& diff, bool color) {
    if (!color) return diff;
    std::string out;
    std::istringstream in(diff);
    for (std::string line; std::getline(in, line);) {
        Style style = Style::Plain;
        if (line.rfind("---", 0) == 0 || line.rfind("+++", 0) == 0 || line.rfind('#', 0) == 0) {
            style = Style::Bold;
        } else if (line.rfind("@@", 0) == 0) {
            style = Style::Cyan;
        } else if (line.rfind('-', 0) == 0) {
            style = Style::Red;
        } else if (line.rfind('+', 0) == 0) {
            style = Style::Green;
        }
        out += styled(line, style, true) + "\n";
    }
    return out;
}

std::string visible(const std::string& text) {
    constexpr const char* digits = "0123456789abcdef";
    std::string out;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if ((byte >= 0x20 && byte != 0x7f) || c == '\n' || c == '\t') {
            out += c;
        } else {
            out += {'\\', 'x', digits[byte / 16], digits[byte % 16]};
        }
    }
    return out;
}

}  // namespace proviso::tools
