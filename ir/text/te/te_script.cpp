#include "ir/text/reader/python/python.h"
#include "ir/text/te/te.h"

namespace proviso::ir::te {

bool is_te(std::string_view text) {
    const auto has = [&](const char* part) { return text.find(part) != std::string_view::npos; };
    return !has("prim_func\n") && !has("ir_module\n") &&
           (has("te.compute(") || has("tvm.compute("));
}

Diagnostic Script::placed(Diagnostic d, std::string_view source, const std::string& file) const {
    if (d.line < 1 || static_cast<std::size_t>(d.line) > places.size()) return d;
    const auto [line, column] = places[static_cast<std::size_t>(d.line) - 1];
    const python::Source from{std::string(source), file};
    Diagnostic out = from.at({line, column}, d.message, d.hint);
    out.notes = d.notes;
    const std::size_t start = d.source_line.find_first_not_of(' ');
    if (start != std::string::npos) {
        out.notes.push_back("in what this becomes: " + d.source_line.substr(start));
    }
    return out;
}

}  // namespace proviso::ir::te
