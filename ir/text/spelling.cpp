#include "ir/text/spelling.h"

#include <algorithm>
#include <cctype>

namespace proviso::ir {

namespace {

// Damerau's distance restricted to one edit a place; case counts half as much as a letter would,
// so distances are in half edits.
std::size_t half_edits(std::string_view a, std::string_view b) {
    const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
    std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
    for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = 2 * i;
    for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = 2 * j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const char x = a[i - 1];
            const char y = b[j - 1];
            const std::size_t replace = x == y ? 0 : lower(x) == lower(y) ? 1 : 2;
            d[i][j] = std::min({d[i - 1][j] + 2, d[i][j - 1] + 2, d[i - 1][j - 1] + replace});
            if (i > 1 && j > 1 && x == b[j - 2] && a[i - 2] == y) {
                d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 2);
            }
        }
    }
    return d[a.size()][b.size()];
}

}  // namespace

std::string nearest_name(std::string_view word, const std::vector<std::string>& candidates) {
    // Of one letter only the case may be wrong.
    const std::size_t allowed = word.size() < 2 ? 1 : 2 * std::max<std::size_t>(1, word.size() / 3);
    std::string best;
    std::size_t best_distance = allowed + 1;
    for (const std::string& candidate : candidates) {
        const std::size_t gap = candidate.size() > word.size() ? candidate.size() - word.size()
                                                               : word.size() - candidate.size();
        if (2 * gap >= best_distance) continue;
        const std::size_t distance = half_edits(word, candidate);
        if (distance < best_distance) {
            best = candidate;
            best_distance = distance;
        }
    }
    return best;
}

std::string suggest(std::string_view word, const std::vector<std::string>& candidates,
                    std::string otherwise) {
    const std::string best = nearest_name(word, candidates);
    return best.empty() ? std::move(otherwise) : "did you mean `" + best + "`?";
}

}  // namespace proviso::ir
