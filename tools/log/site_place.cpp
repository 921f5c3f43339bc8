#include "tools/log/site_place.h"

#include <algorithm>
#include <sstream>
#include <vector>

#include "ir/children.h"
#include "ir/text.h"

namespace proviso::tools {

namespace {

using Lines = std::vector<std::string>;

constexpr std::size_t kAround = 2;       // lines before and after
constexpr std::size_t kMostInside = 12;  // lines of a statement

Lines lines_of(const std::string& text) {
    Lines out;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) out.push_back(line);
    return out;
}

std::size_t indent_of(const std::string& line) {
    return std::min(line.find_first_not_of(' '), line.size());
}

// Characters, of which some have several bytes.
std::size_t characters(const std::string& text) {
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
        return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
    }));
}

}  // namespace

// The program is printed once more with a name in the site's stead that it does not have: what
// differs is the place.
std::optional<SitePlace> place_of(ir::Context& ctx, const ir::Function& f, const ir::Site& site) {
    const Result<ir::Located> at = ir::locate(f, site);
    if (!at) return std::nullopt;
    std::set<std::string> names = ir::bound_names(f);
    const std::string mark = ir::fresh_name("proviso_marked_site", names);
    const ir::Function marked =
        at->expr != nullptr
            ? ir::replace_at(ctx, f, site, ctx.var(mark, at->expr->type))
            : ir::replace_at(ctx, f, site,
                             ctx.stmt(ir::Evaluate{ctx.call_extern(ir::kInt32, mark, {})}));
    const Lines was = lines_of(ir::print(f));
    const Lines now = lines_of(ir::print(marked));
    const std::size_t most = std::min(was.size(), now.size());
    std::size_t head = 0;
    while (head < most && was[head] == now[head]) ++head;
    std::size_t tail = 0;
    while (tail < most - head && was[was.size() - 1 - tail] == now[now.size() - 1 - tail]) ++tail;
    if (head == was.size() || head == now.size()) return std::nullopt;
    SitePlace out{head + 1, std::max(was.size() - tail, head + 1), 0, 0};
    const std::string& line = was[head];
    const std::size_t start = at->expr == nullptr ? std::string::npos : now[head].find(mark);
    const std::size_t after =
        start == std::string::npos ? 0 : now[head].size() - start - mark.size();
    if (start != std::string::npos && start + after < line.size()) {
        out.last = out.first;
        out.column = start;
        out.width = line.size() - start - after;
    } else {
        out.column = indent_of(line);
        out.width = line.size() - out.column;
    }
    return out;
}

std::string shown_place(const std::string& text, const SitePlace& place) {
    const Lines lines = lines_of(text);
    const std::size_t last = std::min(place.last, lines.size());
    const std::size_t shown = std::min(last, place.first + kMostInside - 1);
    const std::size_t from = place.first > kAround ? place.first - kAround : 1;
    const std::size_t to = std::min(lines.size(), last + kAround);
    const std::size_t digits = std::to_string(to).size();
    const auto margin = [&](const std::string& number) {
        return std::string(4 + digits - number.size(), ' ') + number + " | ";
    };
    std::string out;
    for (std::size_t k = from; k <= to; ++k) {
        if (k > shown && k <= last) {
            if (k == shown + 1) out += margin("") + "...\n";
            continue;
        }
        const std::string& line = lines[k - 1];
        out += margin(std::to_string(k)) + line + "\n";
        if (k != place.first) continue;
        out +=
            margin("") + std::string(characters(line.substr(0, place.column)), ' ') +
            std::string(
                std::max<std::size_t>(characters(line.substr(place.column, place.width)), 1), '^') +
            "\n";
    }
    return out;
}

}  // namespace proviso::tools
