#include "rewrite/schedule/trace/trace_text.h"

namespace proviso::rewrite {

using ir::python::Position;

std::vector<Position> instruction_positions(std::string_view text) {
    std::vector<Position> out;
    Position here{1, 0};
    int depth = 0;
    bool in_string = false;
    bool escaped = false;
    bool awaited = false;  // the next element begins at the next character that is no space
    for (const char c : text) {
        if ((static_cast<unsigned char>(c) & 0xC0) != 0x80) ++here.column;
        if (c == '\n') here = {here.line + 1, 0};
        if (in_string) {
            in_string = escaped || c != '"';
            escaped = !escaped && c == '\\';
            continue;
        }
        if (c == ' ' || c == '\t' || c == '\n' || c == '\r') continue;
        const bool closes = c == ']' || c == '}';
        if (awaited && !closes) out.push_back(here);
        awaited = false;
        if (c == '"') in_string = true;
        if (c == '[' || c == '{') awaited = ++depth == 2;
        if (c == ',') awaited = depth == 2;
        if (closes && --depth == 1) break;  // the list of instructions ends
    }
    return out;
}

}  // namespace proviso::rewrite
