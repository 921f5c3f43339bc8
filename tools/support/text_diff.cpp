#include "tools/support/text_diff.h"

#include <algorithm>
#include <cstdint>
#include <sstream>
#include <vector>

namespace proviso::tools {

namespace {

using Lines = std::vector<std::string>;

constexpr std::size_t kAround = 3;

Lines lines_of(const std::string& text) {
    Lines out;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) out.push_back(line);
    return out;
}

struct Edit {
    char sign;  // ' ', '-', '+'
    std::string line;
};

// By a longest common subsequence; programs have hundreds of lines, and what two steps share at
// either end is set aside first.
std::vector<Edit> edits(const Lines& a, const Lines& b) {
    std::size_t head = 0;
    while (head < a.size() && head < b.size() && a[head] == b[head]) ++head;
    std::size_t tail = 0;
    while (tail + head < a.size() && tail + head < b.size() &&
           a[a.size() - 1 - tail] == b[b.size() - 1 - tail]) {
        ++tail;
    }
    const std::size_t n = a.size() - head - tail;
    const std::size_t m = b.size() - head - tail;
    std::vector<std::vector<std::uint32_t>> common(n + 1, std::vector<std::uint32_t>(m + 1, 0));
    for (std::size_t i = n; i-- > 0;) {
        for (std::size_t j = m; j-- > 0;) {
            common[i][j] = a[head + i] == b[head + j]
                               ? common[i + 1][j + 1] + 1
                               : std::max(common[i + 1][j], common[i][j + 1]);
        }
    }
    std::vector<Edit> out;
    for (std::size_t i = 0; i < head; ++i) out.push_back({' ', a[i]});
    std::size_t i = 0;
    std::size_t j = 0;
    while (i < n || j < m) {
        if (i < n && j < m && a[head + i] == b[head + j]) {
            out.push_back({' ', a[head + i]});
            ++i;
            ++j;
        } else if (i < n && (j == m || common[i + 1][j] >= common[i][j + 1])) {
            out.push_back({'-', a[head + i++]});
        } else {
            out.push_back({'+', b[head + j++]});
        }
    }
    for (std::size_t k = a.size() - tail; k < a.size(); ++k) out.push_back({' ', a[k]});
    return out;
}

// "@@ -3,7 +3,6 @@": first lines and lengths; an empty side names the line before it.
std::string range(std::size_t first, std::size_t length) {
    return std::to_string(length == 0 ? first - 1 : first) + "," + std::to_string(length);
}

}  // namespace

std::string unified_diff(const std::string& before, const std::string& after,
                         const std::string& before_name, const std::string& after_name) {
    const std::vector<Edit> all = edits(lines_of(before), lines_of(after));
    std::string out;
    std::size_t line_a = 1;
    std::size_t line_b = 1;
    for (std::size_t at = 0; at < all.size();) {
        // The next change, with what stands around it, up to a gap of twice the context.
        std::size_t first = at;
        while (first < all.size() && all[first].sign == ' ') ++first;
        if (first == all.size()) break;
        const std::size_t begin = std::max(at, first < kAround ? 0 : first - kAround);
        line_a += begin - at;
        line_b += begin - at;
        std::size_t last = first;
        for (std::size_t k = first; k < all.size() && k <= last + 2 * kAround; ++k) {
            if (all[k].sign != ' ') last = k;
        }
        const std::size_t end = std::min(all.size(), last + kAround + 1);
        std::string body;
        std::size_t length_a = 0;
        std::size_t length_b = 0;
        for (std::size_t k = begin; k < end; ++k) {
            body += all[k].sign + all[k].line + "\n";
            length_a += all[k].sign != '+' ? 1 : 0;
            length_b += all[k].sign != '-' ? 1 : 0;
        }
        out += "@@ -" + range(line_a, length_a) + " +" + range(line_b, length_b) + " @@\n" + body;
        line_a += length_a;
        line_b += length_b;
        at = end;
    }
    if (out.empty()) return out;
    return "--- " + before_name + "\n+++ " + after_name + "\n" + out;
}

}  // namespace proviso::tools
