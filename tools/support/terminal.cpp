#include "tools/support/terminal.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <string_view>

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

namespace {

// The bytes of a character in UTF-8 that commands a terminal, or turns a text, at this place; 0:
// there is none. C1 controls, U+200E/F, U+2028 to U+202E, U+2066 to U+2069.
std::size_t commands(std::string_view text) {
    const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
    if (text.size() >= 2 && byte(0) == 0xc2 && byte(1) < 0xa0) return 2;
    if (text.size() < 3 || byte(0) != 0xe2) return 0;
    const bool marks = byte(1) == 0x80 && (byte(2) == 0x8e || byte(2) == 0x8f);
    const bool breaks = byte(1) == 0x80 && byte(2) >= 0xa8 && byte(2) <= 0xae;
    const bool isolates = byte(1) == 0x81 && byte(2) >= 0xa6 && byte(2) <= 0xa9;
    return marks || breaks || isolates ? 3 : 0;
}

std::string escaped(const std::string& text, bool with_line_feeds) {
    constexpr const char* digits = "0123456789abcdef";
    std::string out;
    for (std::size_t k = 0; k < text.size(); ++k) {
        const auto byte = static_cast<unsigned char>(text[k]);
        std::size_t length = commands(std::string_view(text).substr(k));
        const bool plain =
            (byte >= 0x20 && byte != 0x7f) || byte == '\t' || (byte == '\n' && !with_line_feeds);
        if (length == 0 && plain) {
            out += text[k];
            continue;
        }
        for (length = std::max<std::size_t>(length, 1); length > 0; --length, ++k) {
            const auto one = static_cast<unsigned char>(text[k]);
            out += {'\\', 'x', digits[one / 16], digits[one % 16]};
        }
        --k;
    }
    return out;
}

}  // namespace

std::string visible(const std::string& text) {
    return escaped(text, false);
}

std::string visible_line(const std::string& text) {
    return escaped(text, true);
}

}  // namespace proviso::tools
