#include "ir/site.h"

#include <algorithm>
#include <charconv>

#include "ir/child_at.h"

namespace proviso::ir {

std::string Site::str() const {
    std::string out = "body";
    for (const Label& s : steps) out += "/" + s.str();
    return out;
}

Result<Site> Site::parse(std::string_view text) {
    std::vector<Label> parts;
    std::size_t begin = 0;
    while (begin <= text.size()) {
        const std::size_t end = std::min(text.find('/', begin), text.size());
        parts.emplace_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    if (parts.empty() || parts[0] != "body") {
        return error("not a site: '" + std::string(text) + "'",
                     "a site is a path such as body/0/body/then/value");
    }
    for (const Label& p : parts) {
        if (p == "") return error("empty step in site '" + std::string(text) + "'");
    }
    parts.erase(parts.begin());
    return Site{std::move(parts)};
}

Site Site::child(Label label) const {
    Site out = *this;
    out.steps.push_back(label);
    return out;
}

Site first_steps(const Site& site, std::size_t count) {
    return Site{{site.steps.begin(), site.steps.begin() + static_cast<std::ptrdiff_t>(count)}};
}

Site Site::parent() const {
    PROVISO_CHECK(!steps.empty(), "parent of the root site");
    return first_steps(*this, steps.size() - 1);
}

bool Site::contains(const Site& other) const {
    if (other.steps.size() < steps.size()) return false;
    // From the end, where sites of one program differ.
    const auto beyond = static_cast<std::ptrdiff_t>(other.steps.size() - steps.size());
    return std::equal(steps.rbegin(), steps.rend(), other.steps.rbegin() + beyond);
}

namespace {

// Index of an argument step "a3"; -1 when it is not one.
int arg_step(const std::string& step) {
    if (step.size() < 2 || step[0] != 'a') return -1;
    int index = -1;
    const auto [end, code] = std::from_chars(step.data() + 1, step.data() + step.size(), index);
    return code == std::errc() && end == step.data() + step.size() ? index : -1;
}

Located step_into(const Located& at, const std::string& step) {
    if (at.stmt != nullptr) return child_at(at.stmt, step);
    const int index = arg_step(step);
    if (index < 0 || static_cast<std::size_t>(index) >= at.expr->args.size()) return {};
    return Located{nullptr, at.expr->arg(static_cast<std::size_t>(index))};
}

Expr replace_in(Context& ctx, Expr e, const std::vector<Label>& steps, std::size_t depth,
                Expr replacement) {
    if (depth == steps.size()) return replacement;
    const int index = arg_step(steps[depth]);
    PROVISO_CHECK(index >= 0 && static_cast<std::size_t>(index) < e->args.size(),
                  "replace_at: no such argument");
    std::vector<Expr> args(e->args.begin(), e->args.end());
    Expr& slot = args[static_cast<std::size_t>(index)];
    slot = replace_in(ctx, slot, steps, depth + 1, replacement);
    return with_args(ctx, e, args);
}

Stmt replace_in(Context& ctx, Stmt s, const std::vector<Label>& steps, std::size_t depth,
                const Located& replacement) {
    if (depth == steps.size()) {
        PROVISO_CHECK(replacement.stmt != nullptr, "replace_at: the site is a statement");
        return replacement.stmt;
    }
    Located at = child_at(s, steps[depth]);
    PROVISO_CHECK(at.stmt != nullptr || at.expr != nullptr,
                  "replace_at: no child " + steps[depth].str());
    if (at.stmt != nullptr) {
        at.stmt = replace_in(ctx, at.stmt, steps, depth + 1, replacement);
    } else {
        PROVISO_CHECK(replacement.expr != nullptr, "replace_at: the site is an expression");
        at.expr = replace_in(ctx, at.expr, steps, depth + 1, replacement.expr);
    }
    return with_child(ctx, s, steps[depth], at);
}

void collect(Stmt s, const Site& site, std::vector<std::pair<Site, Stmt>>& out) {
    out.emplace_back(site, s);
    for (const Child& c : children(s)) {
        if (c.stmt != nullptr) collect(c.stmt, site.child(c.label), out);
    }
}

}  // namespace

Result<Located> locate(const Function& f, const Site& site) {
    Located at{f.body, nullptr};
    for (const std::string& step : site.steps) {
        at = step_into(at, step);
        if (at.stmt == nullptr && at.expr == nullptr) {
            return error("no '" + step + "' in function " + f.name + " at site " + site.str());
        }
    }
    return at;
}

Site statement_around(const Function& f, Site site) {
    while (locate(f, site)->stmt == nullptr) site.steps.pop_back();
    return site;
}

Function replace_at(Context& ctx, const Function& f, const Site& site, Stmt replacement) {
    Function out = f;
    out.body = replace_in(ctx, f.body, site.steps, 0, Located{replacement, nullptr});
    return out;
}

Function replace_at(Context& ctx, const Function& f, const Site& site, Expr replacement) {
    Function out = f;
    out.body = replace_in(ctx, f.body, site.steps, 0, Located{nullptr, replacement});
    return out;
}

std::vector<std::pair<Site, Stmt>> all_statements(const Function& f) {
    std::vector<std::pair<Site, Stmt>> out;
    collect(f.body, Site{}, out);
    return out;
}

}  // namespace proviso::ir
