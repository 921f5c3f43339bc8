#include "verify/check/interface.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <variant>
#include <vector>

#include "analysis/layout/layout_check.h"
#include "ir/text.h"
#include "ir/well_formed.h"

namespace proviso::verify {

using namespace ir;

namespace {

// A parameter as callers of the program know it.
std::string parameter_text(Context& ctx, const Function& f, const Param& p) {
    if (const Expr* scalar = std::get_if<Expr>(&p)) {
        return *(*scalar)->name + ": " + (*scalar)->type.str();
    }
    const Buffer b = std::get<Buffer>(p);
    const std::vector<analysis::Layout> layouts = analysis::layouts_of(ctx, f, b->name);
    const std::vector<Expr> shape = layouts.empty()
                                        ? std::vector<Expr>(b->shape.begin(), b->shape.end())
                                        : layouts.front().logical_shape;
    std::string out = b->name + ": " + b->type.str() + "(";
    for (std::size_t d = 0; d < shape.size(); ++d) out += (d > 0 ? ", " : "") + print(shape[d]);
    return out + ")";
}

}  // namespace

Status same_interface(Context& ctx, const Function& before, const Function& after) {
    const auto list = [&](const Function& f) {
        std::vector<std::string> out;
        out.reserve(f.params.size());
        for (const Param& p : f.params) out.push_back(parameter_text(ctx, f, p));
        return out;
    };
    const std::vector<std::string> a = list(before);
    const std::vector<std::string> b = list(after);
    for (std::size_t k = 0; k < std::max(a.size(), b.size()); ++k) {
        const std::string was = k < a.size() ? a[k] : "nothing";
        const std::string is = k < b.size() ? b[k] : "nothing";
        if (was == is) continue;
        return error(fmt::format("parameter {} is {} before and {} after", k + 1, was, is),
                     "check compares programs of one interface: --params, --layout and --flat say "
                     "how another one is the same");
    }
    return Unit{};
}

// A size of a buffer is at least 0.
Status asks_no_more(const Function& before, const Function& after) {
    const auto is_extent = [&](Expr v) {
        const auto has = [&](Buffer b) {
            return std::find(b->shape.begin(), b->shape.end(), v) != b->shape.end();
        };
        const std::vector<Buffer> all = before.buffer_params();
        return std::any_of(all.begin(), all.end(), has);
    };
    for (Expr v : before.scalar_params()) {
        const std::string& name = *v->name;
        const auto lo = after.lower_bound(name);
        const auto hi = after.upper_bound(name);
        auto least = before.lower_bound(name);
        if (is_extent(v)) least = std::max<std::int64_t>(least.value_or(0), 0);
        const auto most = before.upper_bound(name);
        std::string asked;
        if (lo && v->type.contains(*lo) && (!least || *least < *lo)) {
            asked = fmt::format("at least {}", *lo);
        } else if (hi && v->type.contains(*hi) && (!most || *hi < *most)) {
            asked = fmt::format("at most {}", *hi);
        }
        if (asked.empty()) continue;
        return error(
            fmt::format("after: asks more of its caller than before: {} is {}", name, asked),
            "declare the same bounds in both, or compare with a program that has them");
    }
    for (const std::string& licence : after.licences()) {
        if (before.has_licence(licence)) continue;
        return error("after: has a licence that before has not: " + licence,
                     "--licence " + licence + " grants it to both");
    }
    return Unit{};
}

Status well_formed_program(Context& ctx, const Function& f, const char* which) {
    std::vector<Diagnostic> problems = well_formed(f);
    if (problems.empty()) {
        const Status layouts = analysis::check_layouts(ctx, f);
        if (layouts) return Unit{};
        problems.push_back(layouts.error());
    }
    problems.front().message = std::string(which) + ": " + problems.front().message;
    return problems.front();
}

}  // namespace proviso::verify
