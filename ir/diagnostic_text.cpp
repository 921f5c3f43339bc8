// What a user is shown of a diagnostic.
#include "ir/result.h"

#include <algorithm>

namespace proviso {

namespace {

// The line that `column` (of characters, from 1) points into, and a caret below it; of a long line
// what is around the place.
std::string shown_line(const std::string& line, int column) {
    constexpr std::size_t kLongest = 160;  // characters
    std::vector<std::size_t> starts;       // of characters
    for (std::size_t i = 0; i < line.size(); ++i) {
        if ((static_cast<unsigned char>(line[i]) & 0xC0) != 0x80) starts.push_back(i);
    }
    const std::size_t at = column > 0 ? static_cast<std::size_t>(column) - 1 : 0;
    std::size_t first = 0;
    std::size_t last = starts.size();
    std::string before;
    std::string after;
    if (starts.size() > kLongest) {
        first = at > kLongest / 2 ? std::min(at - kLongest / 2, starts.size() - kLongest) : 0;
        last = first + kLongest;
        if (first > 0) before = "... ";
        if (last < starts.size()) after = " ...";
    }
    const std::size_t begin = first < starts.size() ? starts[first] : line.size();
    const std::size_t end = last < starts.size() ? starts[last] : line.size();
    std::string out = "\n  " + before + line.substr(begin, end - begin) + after;
    if (column <= 0) return out;
    out += "\n  " + std::string(before.size(), ' ');
    for (std::size_t i = first; i < at; ++i) {
        out += i < starts.size() && line[starts[i]] == '\t' ? '\t' : ' ';
    }
    return out + "^";
}

// What a file brings along does not command the terminal: control characters as "\x1b".
std::string printable(const std::string& text) {
    constexpr const char* kDigits = "0123456789abcdef";
    std::string out;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if ((byte >= 0x20 && byte != 0x7f) || c == '\n' || c == '\t') {
            out += c;
        } else {
            out += {'\\', 'x', kDigits[byte / 16], kDigits[byte % 16]};
        }
    }
    return out;
}

}  // namespace

std::string Diagnostic::str() const {
    std::string out;
    if (!file.empty()) out += file + ":";
    if (line > 0) out += std::to_string(line) + ":" + std::to_string(column) + ":";
    if (!out.empty()) out += " ";
    out += "error: " + message;
    if (!source_line.empty()) out += shown_line(source_line, column);
    for (const std::string& note : notes) out += "\n  note: " + note;
    if (!hint.empty()) out += "\n  hint: " + hint;
    return printable(out);
}

}  // namespace proviso
