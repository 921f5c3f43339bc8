#include "tools/support/text_diff.h"

#include <algorithm>
#include <sstream>
#include <vector>

#include "verify/log/line_edits.h"

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

// Every line of both texts, in order.
std::vector<Edit> edits(const std::string& before, const std::string& after) {
    const Lines lines = lines_of(before);
    std::vector<Edit> out;
    std::size_t at = 0;
    const auto keep_up_to = [&](std::size_t end) {
        for (; at < std::min(end, lines.size()); ++at) out.push_back({' ', lines[at]});
    };
    for (const verify::LineEdit& e : verify::line_edits(before, after)) {
        keep_up_to(e.line - 1);
        for (std::size_t k = 0; k < e.removed && at < lines.size(); ++k, ++at) {
            out.push_back({'-', lines[at]});
        }
        for (std::string& line : lines_of(e.added)) out.push_back({'+', std::move(line)});
    }
    keep_up_to(lines.size());
    return out;
}

// "@@ -3,7 +3,6 @@": first lines and lengths; an empty side names the line before it.
std::string range(std::size_t first, std::size_t length) {
    return std::to_string(length == 0 ? first - 1 : first) + "," + std::to_string(length);
}

}  // namespace

std::string unified_diff(const std::string& before, const std::string& after,
                         const std::string& before_name, const std::string& after_name) {
    const std::vector<Edit> all = edits(before, after);
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
