#include "rewrite/schedule/excerpt.h"

#include <algorithm>
#include <optional>
#include <set>
#include <sstream>

#include "ir/text.h"

namespace proviso::rewrite {

using namespace ir;

namespace {

constexpr std::size_t kMostMarked = 4;   // statements
constexpr std::size_t kMostAround = 12;  // lines around one of them
constexpr std::size_t kMostInside = 3;   // lines of one of them, below its first
constexpr std::size_t kWidest = 110;     // characters of a line

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> out;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) out.push_back(line);
    return out;
}

std::size_t indentation_of(const std::string& line) {
    return std::min(line.find_first_not_of(' '), line.size());
}

// The line that the statement at `site` begins in: the first one that is another when something
// else stands there.
std::optional<std::size_t> line_of(Context& ctx, const Function& f, Site site,
                                   const std::vector<std::string>& lines) {
    Result<Located> at = locate(f, site);
    while (at && at->stmt == nullptr && !site.steps.empty()) {
        site = site.parent();
        at = locate(f, site);
    }
    if (!at || at->stmt == nullptr) return std::nullopt;
    Stmt other = ctx.stmt(Assert{ctx.true_(), "another statement stands here"});
    const std::vector<std::string> changed = lines_of(print(replace_at(ctx, f, site, other)));
    const std::size_t most = std::min(lines.size(), changed.size());
    for (std::size_t k = 0; k < most; ++k) {
        if (lines[k] != changed[k]) return k;
    }
    return std::nullopt;
}

// At most kWidest characters of the line.
std::string shown(const std::string& line) {
    std::size_t characters = 0;
    for (std::size_t i = 0; i < line.size(); ++i) {
        const bool begins = (static_cast<unsigned char>(line[i]) & 0xC0) != 0x80;
        if (begins && ++characters > kWidest) return line.substr(0, i) + "…";
    }
    return line;
}

std::size_t characters_of(const std::string& text) {
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
        return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
    }));
}

}  // namespace

std::string excerpt(Context& ctx, const Function& f, const std::vector<Site>& marked) {
    const std::vector<std::string> lines = lines_of(print(f));
    std::set<std::size_t> under;  // lines with carets
    std::set<std::size_t> wanted;
    for (const Site& site : marked) {
        if (under.size() == kMostMarked) break;
        const std::optional<std::size_t> first = line_of(ctx, f, site, lines);
        if (!first || !under.insert(*first).second) continue;
        wanted.insert(*first);
        const std::size_t own = indentation_of(lines[*first]);
        std::size_t inside = *first + 1;
        while (inside < lines.size() && indentation_of(lines[inside]) > own &&
               inside - *first <= kMostInside) {
            wanted.insert(inside++);
        }
        // Headers of what stands around, but for those of the function.
        std::size_t around = own;
        std::vector<std::size_t> headers;
        for (std::size_t k = *first; k-- > 0;) {
            const std::size_t indent = indentation_of(lines[k]);
            if (indent >= around || indent == 0) continue;
            around = indent;
            headers.push_back(k);
        }
        if (headers.size() > kMostAround) headers.resize(kMostAround);
        wanted.insert(headers.begin(), headers.end());
    }
    if (under.empty()) return {};
    std::size_t left = std::string::npos;  // the least indentation
    for (const std::size_t k : wanted) left = std::min(left, indentation_of(lines[k]));
    std::string out;
    std::size_t next = *wanted.begin();
    for (const std::size_t k : wanted) {
        if (k > next) out += std::string(indentation_of(lines[next]) - left, ' ') + "…\n";
        const std::string text = shown(lines[k].substr(left));
        out += text + "\n";
        next = k + 1;
        if (under.count(k) == 0) continue;
        const std::size_t blank = indentation_of(text);
        out += std::string(blank, ' ') + std::string(characters_of(text) - blank, '^') + "\n";
    }
    // What follows is left out as well, where it belongs to what was shown last.
    const std::size_t last = *under.rbegin();
    if (next < lines.size() && indentation_of(lines[next]) > indentation_of(lines[last])) {
        out += std::string(indentation_of(lines[next]) - left, ' ') + "…\n";
    }
    return out;
}

}  // namespace proviso::rewrite
