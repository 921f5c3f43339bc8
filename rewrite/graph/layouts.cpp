#include "rewrite/graph/layouts.h"

#include <numeric>

namespace proviso::rewrite {

namespace {

std::string dimension(std::size_t d) {
    return "d" + std::to_string(d);
}

// The value that padding with zeros holds, as schedules write it; empty: no such type is padded.
std::string zero_of(ir::ScalarType type) {
    const std::string name = type.str();
    if (name.rfind("float", 0) == 0) return "0.0";
    if (name.rfind("int", 0) == 0 || name.rfind("uint", 0) == 0) return "0";
    return {};
}

}  // namespace

const std::vector<LayoutTemplate>& layout_templates() {
    static const std::vector<LayoutTemplate> all = {
        {"channels-last", true, 1, LayoutForm::Last, true, "n, h, w, c"},
        {"channels-last-8", true, 8, LayoutForm::Last, true, "n, h, w, c padded to 8"},
        {"channels-last-16", true, 16, LayoutForm::Last, false, "n, h, w, c padded to 16"},
        {"channels-8", true, 8, LayoutForm::InPlace, false, "n, c padded to 8, h, w"},
        {"channels-16", true, 16, LayoutForm::InPlace, false, "n, c padded to 16, h, w"},
        {"nchw8c", true, 8, LayoutForm::Blocked, true, "n, c // 8, h, w, c % 8"},
        {"nchw16c", true, 16, LayoutForm::Blocked, false, "n, c // 16, h, w, c % 16"},
        {"columns-8", false, 8, LayoutForm::InPlace, true, "the last dimension padded to 8"},
        {"columns-16", false, 16, LayoutForm::InPlace, false, "the last dimension padded to 16"},
    };
    return all;
}

std::optional<std::vector<std::int64_t>> constant_shape(ir::Buffer b) {
    std::vector<std::int64_t> out;
    for (ir::Expr extent : b->shape) {
        if (!ir::is_int_const(extent)) return std::nullopt;
        out.push_back(static_cast<std::int64_t>(extent->int_value()));
    }
    return out;
}

std::size_t channel_dimension(std::size_t rank) {
    return rank == 4 ? 1 : rank - 1;
}

GraphLayout as_is(ir::Buffer b) {
    GraphLayout out;
    const auto shape = constant_shape(b);
    if (!shape) return out;
    out.cells = std::accumulate(shape->begin(), shape->end(), std::int64_t{1}, std::multiplies<>());
    return out;
}

std::optional<GraphLayout> linked_layout(ir::Buffer b, const std::vector<std::int64_t>& factors,
                                         const std::vector<bool>& last, LayoutForm form,
                                         const std::string& name) {
    const auto shape = constant_shape(b);
    const std::string zero = zero_of(b->type);
    if (!shape || shape->empty() || zero.empty()) return std::nullopt;
    GraphLayout out;
    out.name = name;
    out.cells = 1;
    std::string before;  // whole dimensions, and outer parts
    std::string behind;  // what comes last
    std::string inner;
    bool padded = false;
    bool changed = false;
    const auto add = [](std::string& list, const std::string& part) {
        list += (list.empty() ? "" : ", ") + part;
    };
    std::string vars;
    for (std::size_t d = 0; d < shape->size(); ++d) {
        add(vars, dimension(d));
        const std::int64_t extent = (*shape)[d];
        const std::int64_t factor = factors[d];
        const bool moved = form == LayoutForm::Last && last[d];
        changed = changed || factor > 1 || moved;
        if (factor <= 1) {
            add(moved ? behind : before, dimension(d));
            out.cells *= extent;
            continue;
        }
        const std::string f = std::to_string(factor);
        const std::int64_t parts = (extent + factor - 1) / factor;
        padded = padded || extent % factor != 0;
        out.cells *= parts * factor;
        std::string& to = moved ? behind : before;
        add(to, dimension(d) + " // " + f);
        std::string& rest = form == LayoutForm::Blocked ? inner : to;
        // Inner channels of what is computed come after those of what is read.
        const std::string part = dimension(d) + " % " + f;
        if (form == LayoutForm::Blocked && !inner.empty()) {
            inner = inner + ", " + part;
        } else {
            add(rest, part);
        }
    }
    if (!changed) return std::nullopt;
    for (const std::string& more : {behind, inner}) {
        if (!more.empty()) add(before, more);
    }
    out.map = "lambda " + vars + ": [" + before + "]";
    if (padded) out.pad = zero;
    out.zero = padded;
    return out;
}

std::optional<GraphLayout> layout_of(ir::Buffer b, const LayoutTemplate& t, bool zero) {
    const std::size_t rank = b->shape.size();
    if (rank == 0 || rank > 4 || (rank == 4) != t.image) return std::nullopt;
    std::vector<std::int64_t> factors(rank, 0);
    std::vector<bool> last(rank, false);
    factors[channel_dimension(rank)] = t.factor;
    last[channel_dimension(rank)] = true;
    std::optional<GraphLayout> out = linked_layout(b, factors, last, t.form, t.name);
    if (!out || out->pad.empty()) return out;
    out->zero = zero;
    out->name += zero ? ":0" : ":any";
    if (!zero) out->pad = "T.undef(\"" + b->type.str() + "\")";
    return out;
}

std::string tensor_type(ir::Buffer b) {
    std::string out = b->type.str() + "[";
    const auto shape = constant_shape(b);
    if (!shape) return out + "…]";
    for (std::size_t d = 0; d < shape->size(); ++d) {
        out += (d == 0 ? "" : ", ") + std::to_string((*shape)[d]);
    }
    return out + "]";
}

}  // namespace proviso::rewrite
