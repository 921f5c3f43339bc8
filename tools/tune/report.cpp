#include "tools/tune/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "tools/page/html.h"

namespace proviso::tools {

namespace {

constexpr std::size_t kMostShown = 5;  // of the fastest, and of those that one reason refused

std::string counted(std::size_t n, const std::string& what) {
    return fmt::format("{} {}", n, what);
}

// The fastest first, as best() sees it.
std::vector<const Candidate*> by_speed(const Tuning& t) {
    std::vector<const Candidate*> out;
    for (const Candidate& c : t.tried) {
        if (c.measured()) out.push_back(&c);
    }
    std::stable_sort(out.begin(), out.end(), [](const Candidate* a, const Candidate* b) {
        return a->rounds != b->rounds ? a->rounds > b->rounds : a->nanoseconds < b->nanoseconds;
    });
    return out;
}

std::string refusals(const Tuning& t, bool verbose) {
    std::map<std::string, std::vector<const Candidate*>> reasons;
    std::vector<std::string> order;
    for (const Candidate& c : t.tried) {
        if (c.reason.empty()) continue;
        if (reasons[c.reason].empty()) order.push_back(c.reason);
        reasons[c.reason].push_back(&c);
    }
    std::string out;
    for (const std::string& reason : order) {
        const auto& all = reasons[reason];
        out += fmt::format("{}: {}\n", counted(all.size(), "not taken"), reason);
        for (std::size_t k = 0; k < all.size(); ++k) {
            if (k == kMostShown && !verbose) {
                out += fmt::format("    and {} more (--verbose)\n", all.size() - k);
                break;
            }
            out += "    " + chosen_text(*all[k], t.choices) + "\n";
        }
    }
    return out;
}

}  // namespace

std::string time_text(std::int64_t nanoseconds) {
    const auto ns = static_cast<double>(nanoseconds);
    if (nanoseconds < 1'000) return fmt::format("{} ns", nanoseconds);
    if (nanoseconds < 10'000'000) return fmt::format("{:.1f} us", ns / 1e3);
    return fmt::format("{:.1f} ms", ns / 1e6);
}

std::string tuning_text(const Tuning& t, bool verbose) {
    std::size_t same = 0, refused = 0;
    for (const Candidate& c : t.tried) {
        same += c.same_as ? 1 : 0;
        refused += c.reason.empty() ? 0 : 1;
    }
    const std::vector<const Candidate*> fastest = by_speed(t);
    std::string out = fmt::format("{} of {} candidates tried: {} measured, {} refused",
                                  t.tried.size(), t.combinations, fastest.size(), refused);
    if (same > 0) out += fmt::format(", {} the same as others", same);
    out += "\n";
    for (std::size_t k = 0; k < fastest.size() && (verbose || k < kMostShown); ++k) {
        out += fmt::format("  {:>9}  {}{}\n", time_text(fastest[k]->nanoseconds),
                           chosen_text(*fastest[k], t.choices), k == 0 ? "  (chosen)" : "");
    }
    return out + refusals(t, verbose);
}

std::string tuning_svg(const Tuning& t) {
    constexpr double width = 720, height = 360, left = 70, right = 20, top = 30, bottom = 60;
    double least = 1e300, most = 0;
    for (const Candidate& c : t.tried) {
        if (!c.measured()) continue;
        least = std::min(least, static_cast<double>(c.nanoseconds));
        most = std::max(most, static_cast<double>(c.nanoseconds));
    }
    if (most == 0) least = most = 1;
    const double low = std::log10(least) - 0.05, high = std::log10(most) + 0.05;
    const auto x_of = [&](std::size_t k) {
        const auto n = static_cast<double>(std::max<std::size_t>(t.tried.size(), 1));
        return left + (static_cast<double>(k) + 0.5) * (width - left - right) / n;
    };
    const auto y_of = [&](double ns) {
        return top + (high - std::log10(ns)) / (high - low) * (height - top - bottom);
    };
    std::string marks, line;
    double fastest = 1e300;
    for (std::size_t k = 0; k < t.tried.size(); ++k) {
        const Candidate& c = t.tried[k];
        const std::string title = html_text(chosen_text(c, t.choices));
        const double x = x_of(k);
        if (c.measured()) {
            const auto ns = static_cast<double>(c.nanoseconds);
            fastest = std::min(fastest, ns);
            marks += fmt::format(
                "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\" fill=\"{}\"><title>{}: {}</title>"
                "</circle>\n",
                x, y_of(ns), &c == t.best() ? "#d62728" : "#1f77b4", title,
                time_text(c.nanoseconds));
        } else if (!c.reason.empty()) {
            marks += fmt::format(
                "<path d=\"M{:.1f} {:.1f}l8 8m0 -8l-8 8\" stroke=\"#888\"><title>{}: {}</title>"
                "</path>\n",
                x - 4, height - bottom + 8, title, html_text(c.reason));
        }
        if (fastest < 1e300) {
            line += fmt::format("{}{:.1f} {:.1f}", line.empty() ? "M" : "L", x, y_of(fastest));
        }
    }
    std::string out = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
        "height=\"{1}\" font-family=\"sans-serif\" font-size=\"12\">\n"
        "<rect width=\"{0}\" height=\"{1}\" fill=\"white\"/>\n",
        width, height);
    out += fmt::format("<text x=\"{}\" y=\"18\">{} on {}</text>\n", left, html_text(t.function),
                       html_text(t.machine));
    for (const double ns : {least, std::sqrt(least * most), most}) {
        out += fmt::format(
            "<path d=\"M{} {:.1f}H{}\" stroke=\"#ddd\"/><text x=\"{}\" y=\"{:.1f}\" "
            "text-anchor=\"end\">{}</text>\n",
            left, y_of(ns), width - right, left - 6, y_of(ns) + 4,
            time_text(static_cast<std::int64_t>(std::lround(ns))));
    }
    if (!line.empty()) {
        out += "<path d=\"" + line + "\" fill=\"none\" stroke=\"#d62728\" stroke-width=\"1\"/>\n";
    }
    out += marks;
    out += fmt::format(
        "<text x=\"{}\" y=\"{}\">candidates in the order of trial; crosses: refused; line: the "
        "fastest so far</text>\n</svg>\n",
        left, height - 16);
    return out;
}

}  // namespace proviso::tools
