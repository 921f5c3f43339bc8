#include "verify/log/edits.h"

namespace proviso::verify {

std::optional<std::string> apply_edits(const std::string& before,
                                       const std::vector<LineEdit>& edits) {
    std::string out;
    std::size_t at = 0;    // into the text
    std::size_t line = 1;  // that begins there
    const auto skip_line = [&] {
        if (at >= before.size()) return false;
        const std::size_t end = before.find('\n', at);
        at = end == std::string::npos ? before.size() : end + 1;
        ++line;
        return true;
    };
    for (const LineEdit& e : edits) {
        if (e.removed == 0 && e.added.empty()) return std::nullopt;
        const std::size_t start = at;
        while (line < e.line) {
            if (!skip_line()) return std::nullopt;
        }
        if (line != e.line) return std::nullopt;
        out.append(before, start, at - start);
        for (std::size_t k = 0; k < e.removed; ++k) {
            if (!skip_line()) return std::nullopt;
        }
        out += e.added;
    }
    return out.append(before, at, std::string::npos);
}

}  // namespace proviso::verify
