#include "ir/result.h"

namespace proviso {

std::string Diagnostic::str() const {
    std::string out;
    if (!file.empty()) out += file + ":";
    if (line > 0) out += std::to_string(line) + ":" + std::to_string(column) + ":";
    if (!out.empty()) out += " ";
    out += "error: " + message;
    if (!source_line.empty()) {
        out += "\n  " + source_line;
        if (column > 0) {
            out += "\n  ";
            for (std::size_t i = 0; i + 1 < static_cast<std::size_t>(column); ++i) {
                out += i < source_line.size() && source_line[i] == '\t' ? '\t' : ' ';
            }
            out += "^";
        }
    }
    for (const std::string& note : notes) out += "\n  note: " + note;
    if (!hint.empty()) out += "\n  hint: " + hint;
    return out;
}

Diagnostic error(std::string message, std::string hint) {
    Diagnostic d;
    d.message = std::move(message);
    d.hint = std::move(hint);
    return d;
}

}  // namespace proviso
