#include "tools/lsp/marker.h"

#include <algorithm>
#include <string_view>

#include "tools/lsp/tree.h"

namespace proviso::tools::lsp {

using namespace ir::python;

namespace {

constexpr std::string_view kDeeper = "    ";
constexpr std::string_view kElif = "elif";

std::size_t start_of_line(const std::string& text, int line) {
    std::size_t at = 0;
    for (int k = 1; k < line; ++k) at = text.find('\n', at) + 1;
    return at;
}

// Columns count code points.
std::size_t offset_of(const std::string& text, Position at) {
    std::size_t out = start_of_line(text, at.line);
    for (int column = 1; column < at.column && out < text.size(); ++column) {
        do ++out;
        while (out < text.size() && (static_cast<unsigned char>(text[out]) & 0xC0U) == 0x80U);
    }
    return out;
}

// The blanks that a line begins with.
std::string indent_of(const std::string& text, std::size_t line) {
    const std::size_t end = std::min(text.find_first_not_of(" \t", line), text.size());
    return text.substr(line, end - line);
}

// Without what ends a statement on a line with others, and blanks.
std::string trimmed(std::string text) {
    text.erase(text.find_last_not_of(" \t;") + 1);
    return text;
}

std::string marked(const std::string& indent, const std::string& e, const std::string& block) {
    return indent + "with T.block(\"" + block + "\"):\n" + indent + std::string(kDeeper) +
           "T.evaluate(" + e + ")\n";
}

// From an `elif` on, one level deeper; lines that go on in brackets may stay where they are.
std::string below_else(const std::string& text, const Statement& elif, const std::string& indent,
                       const std::string& mark) {
    std::string out = indent + "else:\n" + mark;
    std::size_t at = start_of_line(text, elif.at.line);
    for (int line = elif.at.line; line <= last_line(elif); ++line) {
        const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
        std::string whole = text.substr(at, end - at);
        if (line == elif.at.line) whole.erase(indent.size(), 2);  // an `if`
        if (whole.starts_with(indent)) whole.insert(indent.size(), kDeeper);
        out += whole;
        at = end;
    }
    return out + text.substr(at);
}

}  // namespace

std::optional<std::string> with_marker(const std::string& text, const StatementPlace& before,
                                       const std::string& e, const std::string& block) {
    const Statement& s = before.statement();
    const std::size_t line = start_of_line(text, s.at.line);
    const std::size_t at = offset_of(text, s.at);
    const std::string indent = indent_of(text, line);
    const std::string deeper = indent + std::string(kDeeper);
    const std::string until = text.substr(0, line);
    if (line + indent.size() == at) {  // it begins its line
        if (text.compare(at, kElif.size(), kElif) == 0 && s.is(StatementKind::If)) {
            return until + below_else(text, s, indent, marked(deeper, e, block));
        }
        return until + marked(indent, e, block) + text.substr(line);
    }
    const std::string left = trimmed(text.substr(line, at - line));
    const Position first = before.list->front().at;
    const std::size_t body = offset_of(text, first);
    if (first.line != s.at.line || body == line + indent.size()) {  // `a; b`
        return until + left + "\n" + marked(indent, e, block) + indent + text.substr(at);
    }
    const std::string head = trimmed(text.substr(line, body - line));  // `for …: a; b`
    if (!head.ends_with(':')) return std::nullopt;
    std::string earlier = trimmed(text.substr(body, at - body));
    if (!earlier.empty()) earlier = deeper + earlier + "\n";
    return until + head + "\n" + earlier + marked(deeper, e, block) + deeper + text.substr(at);
}

}  // namespace proviso::tools::lsp
