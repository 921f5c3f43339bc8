#include "verify/log/line_edits.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string_view>

namespace proviso::verify {

namespace {

using Lines = std::vector<std::string_view>;  // with their line feeds

constexpr std::size_t kMostCompared = 1U << 14U;  // pairs of lines, each with each

Lines lines_of(std::string_view text) {
    Lines out;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        const std::size_t size = end == std::string_view::npos ? text.size() : end + 1;
        out.push_back(text.substr(0, size));
        text.remove_prefix(size);
    }
    return out;
}

// Lines [from, to) of each text.
struct Part {
    std::size_t from_a, to_a;
    std::size_t from_b, to_b;
    std::size_t size_a() const { return to_a - from_a; }
    std::size_t size_b() const { return to_b - from_b; }
};

class Differ {
  public:
    Differ(Lines a, Lines b, std::size_t first) : a_(std::move(a)), b_(std::move(b)), at_(first) {}

    std::vector<LineEdit> run() {
        const Part whole{0, a_.size(), 0, b_.size()};
        if (whole.size_a() * whole.size_b() <= kMostCompared) {
            compare(whole);
        } else {
            between_anchors(whole);
        }
        return std::move(edits_);
    }

  private:
    void replace(const Part& p) {
        if (p.size_a() == 0 && p.size_b() == 0) return;
        LineEdit e{at_ + p.from_a, p.size_a(), {}};
        for (std::size_t j = p.from_b; j < p.to_b; ++j) e.added += b_[j];
        edits_.push_back(std::move(e));
    }

    Part trimmed(Part p) const {
        while (p.size_a() > 0 && p.size_b() > 0 && a_[p.from_a] == b_[p.from_b]) {
            ++p.from_a;
            ++p.from_b;
        }
        while (p.size_a() > 0 && p.size_b() > 0 && a_[p.to_a - 1] == b_[p.to_b - 1]) {
            --p.to_a;
            --p.to_b;
        }
        return p;
    }

    // A longest common subsequence where the part is small; else all of it is replaced.
    void compare(const Part& given) {
        const Part p = trimmed(given);
        const std::size_t n = p.size_a();
        const std::size_t m = p.size_b();
        if (n == 0 || m == 0 || n * m > kMostCompared) return replace(p);
        std::vector<std::uint32_t> common((n + 1) * (m + 1), 0);
        const auto at = [&](std::size_t i, std::size_t j) -> std::uint32_t& {
            return common[i * (m + 1) + j];
        };
        for (std::size_t i = n; i-- > 0;) {
            for (std::size_t j = m; j-- > 0;) {
                at(i, j) = a_[p.from_a + i] == b_[p.from_b + j]
                               ? at(i + 1, j + 1) + 1
                               : std::max(at(i + 1, j), at(i, j + 1));
            }
        }
        Part open{p.from_a, p.from_a, p.from_b, p.from_b};
        while (open.to_a < p.to_a || open.to_b < p.to_b) {
            const std::size_t i = open.to_a - p.from_a;
            const std::size_t j = open.to_b - p.from_b;
            if (i < n && j < m && a_[open.to_a] == b_[open.to_b]) {
                replace(open);
                open = {open.to_a + 1, open.to_a + 1, open.to_b + 1, open.to_b + 1};
            } else if (i < n && (j == m || at(i + 1, j) >= at(i, j + 1))) {
                ++open.to_a;
            } else {
                ++open.to_b;
            }
        }
        replace(open);
    }

    // Lines that occur once in each text, as many as are in the same order in both, stay in place
    // (Cohen's patience diff); what lies between two of them is compared by itself.
    void between_anchors(const Part& p) {
        struct Seen {
            std::size_t in_a = 0, in_b = 0, at_a = 0, at_b = 0;
        };
        std::map<std::string_view, Seen> seen;
        for (std::size_t i = p.from_a; i < p.to_a; ++i) {
            Seen& s = seen[a_[i]];
            ++s.in_a;
            s.at_a = i;
        }
        for (std::size_t j = p.from_b; j < p.to_b; ++j) {
            const auto found = seen.find(b_[j]);
            if (found == seen.end()) continue;
            ++found->second.in_b;
            found->second.at_b = j;
        }
        std::vector<std::pair<std::size_t, std::size_t>> pairs;
        for (std::size_t i = p.from_a; i < p.to_a; ++i) {
            const Seen& s = seen.at(a_[i]);
            if (s.in_a == 1 && s.in_b == 1) pairs.emplace_back(i, s.at_b);
        }
        Part gap{p.from_a, p.from_a, p.from_b, p.from_b};
        for (const auto& [i, j] : longest_rising(pairs)) {
            compare({gap.from_a, i, gap.from_b, j});
            gap.from_a = i + 1;
            gap.from_b = j + 1;
        }
        compare({gap.from_a, p.to_a, gap.from_b, p.to_b});
    }

    // Of pairs that rise in the first, a longest part that rises in the second as well.
    static std::vector<std::pair<std::size_t, std::size_t>> longest_rising(
        const std::vector<std::pair<std::size_t, std::size_t>>& pairs) {
        std::vector<std::size_t> ends;  // of the best sequence of each length: an index
        std::vector<std::size_t> previous(pairs.size(), pairs.size());
        for (std::size_t k = 0; k < pairs.size(); ++k) {
            const auto place = std::lower_bound(
                ends.begin(), ends.end(), pairs[k].second,
                [&](std::size_t end, std::size_t j) { return pairs[end].second < j; });
            if (place != ends.begin()) previous[k] = *(place - 1);
            if (place == ends.end()) {
                ends.push_back(k);
            } else {
                *place = k;
            }
        }
        std::vector<std::pair<std::size_t, std::size_t>> out;
        for (std::size_t k = ends.empty() ? pairs.size() : ends.back(); k < pairs.size();
             k = previous[k]) {
            out.push_back(pairs[k]);
        }
        std::reverse(out.begin(), out.end());
        return out;
    }

    Lines a_;
    Lines b_;
    std::size_t at_;  // number of the first line
    std::vector<LineEdit> edits_;
};

}  // namespace

// Most steps change one place of a long program: what is before and after it is never split into
// lines.
std::vector<LineEdit> line_edits(const std::string& before, const std::string& after) {
    if (before == after) return {};
    const auto parted = std::mismatch(before.begin(), before.end(), after.begin(), after.end());
    auto head = static_cast<std::size_t>(parted.first - before.begin());
    while (head > 0 && before[head - 1] != '\n') --head;
    std::size_t tail = 0;
    const std::size_t most = std::min(before.size(), after.size()) - head;
    while (tail < most && before[before.size() - 1 - tail] == after[after.size() - 1 - tail]) {
        ++tail;
    }
    // Back to the start of a line of both texts.
    while (tail > 0 &&
           (before[before.size() - tail - 1] != '\n' || after[after.size() - tail - 1] != '\n')) {
        --tail;
    }
    const std::string_view a(before);
    const std::string_view b(after);
    const auto first =
        std::count(before.begin(), before.begin() + static_cast<std::ptrdiff_t>(head), '\n');
    return Differ(lines_of(a.substr(head, a.size() - head - tail)),
                  lines_of(b.substr(head, b.size() - head - tail)),
                  static_cast<std::size_t>(first) + 1)
        .run();
}

}  // namespace proviso::verify
