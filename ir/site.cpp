#include "ir/site.h"

#include <algorithm>
#include <charconv>

#include "ir/child_at.h"

namespace proviso::ir {

std::string Site::str() const {
    std::string out = "body";
    for (const std::string& s : steps) out += "/" + s;
    return out;
}

Result<Site> Site::parse(std::string_view text) {
    std::vector<std::string> parts;
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
    for (const std::string& p : parts) {
        if (p.empty()) return error("empty step in site '" + std::string(text) + "'");
    }
    parts.erase(parts.begin());
    return Site{std::move(parts)};
}

Site Site::child(std::string label) const {
    Site out = *this;
    out.steps.push_back(std::move(label));
    return out;
}

Site Site::parent() const {
    PROVISO_CHECK(!steps.empty(), "parent of the root site");
    Site out = *this;
    out.steps.pop_back();
    return out;
}

bool Site::contains(const Site& other) const {
    return other.steps.size() >= steps.size() &&
           std::equal(steps.begin(), steps.end(), other.steps.begin());
}

std::optional<std::size_t> list_position(const std::string& label, std::size_t size) {
    std::size_t k = 0;
    const char* const last = label.data() + label.size();
    const auto [end, code] = std::from_chars(label.data(), last, k);
    const bool canonical = code == std::errc() && end == last && (label[0] != '0' || k == 0);
    if (!canonical || (k == 0 && label.size() != 1) || k >= size) return std::nullopt;
    return k;
}

Located child_at(Stmt s, const std::string& label) {
    if (const Seq* list = s->as<Seq>()) {
        const std::optional<std::size_t> k = list_position(label, list->body.size());
        return k ? Located{list->body[*k], nullptr} : Located{};
    }
    for (const Child& c : children(s)) {
        if (c.label == label) return Located{c.stmt, c.expr};
    }
    return {};
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

Expr replace_in(Context& ctx, Expr e, const std::vector<std::string>& steps, std::size_t depth,
                Expr replacement) {
    if (depth == steps.size()) return replacement;
    const int index = arg_step(steps[depth]);
    PROVISO_CHECK(index >= 0 && static_cast<std::size_t>(index) < e->args.size(),
                  "replace_at: no such argument");
    std::vector<Expr> args(e->args.begin(), e->args.end());
    Expr& slot = args[static_cast<std::size_t>(index)];
    slot = replace_in(ctx, slot, steps, depth + 1, replacement);
    return with_args(ctx, e, std::move(args));
}

Stmt replace_in(Context& ctx, Stmt s, const std::vector<std::string>& steps, std::size_t depth,
                const Located& replacement) {
    if (depth == steps.size()) {
        PROVISO_CHECK(replacement.stmt != nullptr, "replace_at: the site is a statement");
        return replacement.stmt;
    }
    if (const Seq* list = s->as<Seq>()) {
        const std::optional<std::size_t> k = list_position(steps[depth], list->body.size());
        PROVISO_CHECK(k.has_value(), "replace_at: no child " + steps[depth]);
        std::vector<Stmt> body = list->body;
        body[*k] = replace_in(ctx, body[*k], steps, depth + 1, replacement);
        return ctx.seq(body);
    }
    std::vector<Child> parts = children(s);
    for (Child& c : parts) {
        if (c.label != steps[depth]) continue;
        if (c.stmt != nullptr) {
            c.stmt = replace_in(ctx, c.stmt, steps, depth + 1, replacement);
        } else {
            PROVISO_CHECK(replacement.expr != nullptr, "replace_at: the site is an expression");
            c.expr = replace_in(ctx, c.expr, steps, depth + 1, replacement.expr);
        }
        return with_children(ctx, s, parts);
    }
    PROVISO_CHECK(false, "replace_at: no child " + steps[depth]);
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
