#include "ir/text/reader/view_map.h"

#include <algorithm>
#include <memory>
#include <optional>

#include "ir/children.h"
#include "ir/text.h"
#include "ir/text/printer.h"
#include "ir/text/reader/expressions/folding.h"

namespace proviso::ir {

namespace {

using Exprs = std::span<const Expr>;

// A product of extents: a number times other expressions, in a fixed order.
struct Product {
    Int128 number = 1;
    std::vector<Expr> others;

    void multiply(Expr e) {
        constexpr Int128 large = static_cast<Int128>(1) << 60;  // times an extent it fits
        if (is_int_const(e) && number < large) {
            number *= e->int_value();
        } else if (e->op == Op::Mul) {
            multiply(e->arg(0));
            multiply(e->arg(1));
        } else if (e->op == Op::Cast && e->type == kInt64 && e->arg(0)->type == kInt32) {
            multiply(e->arg(0));
        } else {
            others.insert(std::upper_bound(others.begin(), others.end(), e,
                                           [](Expr a, Expr b) { return a->id < b->id; }),
                          e);
        }
    }
    bool operator==(const Product&) const = default;
    bool divides(const Product& p) const {
        return number != 0 && p.number % number == 0 &&
               std::includes(p.others.begin(), p.others.end(), others.begin(), others.end(),
                             [](Expr a, Expr b) { return a->id < b->id; });
    }
};

Product product(Exprs shape) {
    Product out;
    for (Expr e : shape) out.multiply(e);
    return out;
}

// Dimensions of view and buffer that go together: they have the same number of cells.
struct Group {
    std::size_t view_begin, view_end, base_begin, base_end;
};

// The finest such groups, from the left; nullopt when the shapes do not have the same cells.
std::optional<std::vector<Group>> matching_dimensions(Exprs view, Exprs base) {
    std::vector<Group> out;
    Group g{0, 0, 0, 0};
    Product v;
    Product b;
    while (g.view_end < view.size() || g.base_end < base.size()) {
        const bool no_view = g.view_end == view.size();
        const bool no_base = g.base_end == base.size();
        const bool first = g.view_end == g.view_begin;
        const bool second = g.base_end == g.base_begin;
        if (!no_view && (no_base || first || (!second && v.divides(b)))) {
            v.multiply(view[g.view_end++]);
        } else {
            b.multiply(base[g.base_end++]);
        }
        if (!(v == b) || g.view_end == g.view_begin || g.base_end == g.base_begin) continue;
        out.push_back(g);
        g = Group{g.view_end, g.view_end, g.base_end, g.base_end};
        v = b = Product{};
    }
    if (!(v == b)) return std::nullopt;
    // What is left is of extent 1 throughout.
    if (!out.empty()) {
        out.back().view_end = view.size();
        out.back().base_end = base.size();
    }
    return out;
}

// For a view of fewer cells: equal dimensions at the end go together, and so do all before them.
std::optional<std::vector<Group>> matching_end(Exprs view, Exprs base) {
    std::size_t same = 0;
    while (same + 1 < std::min(view.size(), base.size()) &&
           same_value(view[view.size() - same - 1], base[base.size() - same - 1])) {
        ++same;
    }
    if (same == 0) return std::nullopt;
    std::vector<Group> out = {Group{0, view.size() - same, 0, base.size() - same}};
    for (std::size_t v = view.size() - same; v < view.size(); ++v) {
        const std::size_t b = v + base.size() - view.size();
        out.push_back(Group{v, v + 1, b, b + 1});
    }
    return out;
}

class FlatMap {
  public:
    FlatMap(Context& ctx, const FlatView& view, Exprs base, const std::set<Expr>& zero)
        : ctx_(ctx), view_(view), base_(base.begin(), base.end()), zero_(zero) {
        const bool plain = view.offset == nullptr && view.strides.empty();
        if (plain) groups_ = matching_dimensions(view_.shape, base_);
        if (plain && !groups_) groups_ = matching_end(view_.shape, base_);
        if (view_.strides.empty()) view_.strides = compact_strides(ctx, view_.shape);
        if (!groups_ || groups_->empty()) {
            groups_ = {Group{0, view_.shape.size(), 0, base_.size()}};
            whole_ = true;
        }
    }

    std::vector<Expr> cell(Exprs indices) const {
        std::vector<Expr> out;
        for (const Group& g : *groups_) {
            if (is_same(g)) {
                out.push_back(indices[g.view_begin]);
            } else {
                split(flat(g, indices), g, out);
            }
        }
        return out;
    }

    Box box(const Box& in) const {
        Box out;
        for (const Group& g : *groups_) {
            if (is_same(g)) {
                out.push_back(in[g.view_begin]);
                continue;
            }
            const bool one_cell =
                std::all_of(at(in, g.view_begin), at(in, g.view_end),
                            [](const auto& r) { return is_next(r.first, r.second); });
            if (one_cell) {
                std::vector<Expr> place;
                split(flat(g, ends(in, false)), g, place);
                for (Expr e : place) out.emplace_back(e, plus(ctx_, e, ctx_.int_imm(e->type, 1)));
            } else if (g.base_end - g.base_begin == 1) {
                Expr last = flat(g, ends(in, true));
                out.emplace_back(flat(g, ends(in, false)),
                                 plus(ctx_, last, ctx_.int_imm(last->type, 1)));
            } else {
                for (std::size_t i = g.base_begin; i < g.base_end; ++i) {
                    out.emplace_back(ctx_.int_imm(base_[i]->type, 0), base_[i]);
                }
            }
        }
        return out;
    }

  private:
    static Box::const_iterator at(const Box& box, std::size_t i) {
        return box.begin() + static_cast<std::ptrdiff_t>(i);
    }

    // The first cell of a box, or the last one.
    std::vector<Expr> ends(const Box& in, bool last) const {
        std::vector<Expr> out;
        for (const auto& [lo, hi] : in) {
            const bool first = !last || is_next(lo, hi);
            out.push_back(first ? lo : minus(ctx_, hi, ctx_.int_imm(hi->type, 1)));
        }
        return out;
    }

    bool is_same(const Group& g) const {
        return !whole_ && g.view_end - g.view_begin == 1 && g.base_end - g.base_begin == 1;
    }

    // The number of the cell within the group.
    Expr flat(const Group& g, Exprs indices) const {
        std::vector<Expr> strides = view_.strides;
        if (!whole_) {
            strides = compact_strides(
                ctx_, Exprs(view_.shape).subspan(g.view_begin, g.view_end - g.view_begin));
        }
        Expr out = whole_ ? view_.offset : nullptr;
        for (std::size_t i = g.view_begin; i < g.view_end; ++i) {
            if (zero_.count(indices[i]) != 0) continue;
            Expr step = times(ctx_, indices[i], strides[i - g.view_begin]);
            out = out == nullptr ? step : plus(ctx_, out, step);
        }
        return out == nullptr ? ctx_.i32(0) : out;
    }

    // That number as indices of the buffer. The outermost one has no `%`: what is out of bounds
    // stays so.
    void split(Expr number, const Group& g, std::vector<Expr>& out) const {
        const Exprs extents = Exprs(base_).subspan(g.base_begin, g.base_end - g.base_begin);
        const std::vector<Expr> strides = compact_strides(ctx_, extents);
        const auto counts = [&](std::size_t i) { return !is_int_const(extents[i], 1); };
        std::size_t outer = 0;
        while (outer + 1 < extents.size() && !counts(outer)) ++outer;
        for (std::size_t i = 0; i < extents.size(); ++i) {
            if (i != outer && !counts(i)) {
                out.push_back(ctx_.int_imm(number->type, 0));
                continue;
            }
            Expr rest = number;
            if (i != outer) rest = floor_remainder(ctx_, rest, strides[i - 1]);
            out.push_back(floor_quotient(ctx_, rest, strides[i]));
        }
    }

    Context& ctx_;
    FlatView view_;
    std::vector<Expr> base_;
    const std::set<Expr>& zero_;
    std::optional<std::vector<Group>> groups_;
    bool whole_ = false;  // one group, by offset and strides
};

// The number of the last cell; nullopt when it is not constant, or there is none.
std::optional<Int128> last_cell(Context& ctx, const FlatView& view) {
    Int128 out = 0;
    if (view.offset != nullptr) {
        if (!is_int_const(view.offset)) return std::nullopt;
        out = view.offset->int_value();
    }
    const auto strides = view.strides.empty() ? compact_strides(ctx, view.shape) : view.strides;
    for (std::size_t i = 0; i < view.shape.size(); ++i) {
        if (!is_int_const(view.shape[i]) || !is_int_const(strides[i])) return std::nullopt;
        if (is_int_const(view.shape[i], 0)) return std::nullopt;  // no cells
        out += (view.shape[i]->int_value() - 1) * strides[i]->int_value();
        if (out > static_cast<Int128>(1) << 100) break;  // far out of every buffer
    }
    return out;
}

}  // namespace

Result<CellMap> flat_map(Context& ctx, const FlatView& view, std::span<const Expr> base_shape,
                         const std::set<Expr>& zero) {
    const Product size = product(base_shape);
    const auto last = last_cell(ctx, view);
    const bool negative =
        (view.offset != nullptr && is_int_const(view.offset) && view.offset->int_value() < 0) ||
        std::any_of(view.strides.begin(), view.strides.end(),
                    [](Expr e) { return is_int_const(e) && e->int_value() < 0; });
    if (negative) return error("a view starts and goes forward within its buffer");
    if (last && size.others.empty() && *last >= size.number) {
        return error("the view has a cell number " + int128_text(*last) + ", but the buffer has " +
                     int128_text(size.number) + " cells");
    }
    if (base_shape.empty()) {
        return CellMap{[](std::span<const Expr>) { return std::vector<Expr>{}; },
                       [](const Box&) { return Box{}; }};
    }
    auto map = std::make_shared<const FlatMap>(ctx, view, base_shape, zero);
    return CellMap{[map](std::span<const Expr> indices) { return map->cell(indices); },
                   [map](const Box& box) { return map->box(box); }};
}

Expr extent_left(Context& ctx, std::span<const Expr> base_shape, std::span<const Expr> others) {
    Product all = product(base_shape);
    const Product given = product(others);
    const bool constant = all.others.empty() && given.others.empty();
    if (given.number == 0 || (constant && all.number % given.number != 0)) return nullptr;
    const auto whole = [&](const Product& p) {
        Expr out = nullptr;
        for (Expr e : p.others) out = out == nullptr ? e : times(ctx, out, e);
        const bool narrow = kInt32.contains(p.number);
        Expr number = ctx.int_imm(narrow ? kInt32 : kInt64, p.number);
        return out == nullptr ? number : times(ctx, out, number);
    };
    if (!given.divides(all)) return floor_quotient(ctx, whole(all), whole(given));
    Product left{all.number / given.number, {}};
    std::set_difference(all.others.begin(), all.others.end(), given.others.begin(),
                        given.others.end(), std::back_inserter(left.others),
                        [](Expr a, Expr b) { return a->id < b->id; });
    return whole(left);
}

std::optional<Int128> number_of_cells(std::span<const Expr> shape) {
    const Product all = product(shape);
    if (!all.others.empty()) return std::nullopt;
    return all.number;
}

CellMap window_map(Context& ctx, const std::vector<Expr>& starts, std::size_t rank) {
    const std::size_t fixed = starts.size() - rank;
    const auto cell = [&ctx, starts, fixed](std::span<const Expr> indices) {
        std::vector<Expr> out = starts;
        for (std::size_t i = fixed; i < out.size(); ++i) {
            out[i] = plus(ctx, out[i], indices[i - fixed]);
        }
        return out;
    };
    const auto box = [&ctx, starts, fixed](const Box& in) {
        Box out;
        for (std::size_t i = 0; i < starts.size(); ++i) {
            Expr from = starts[i];
            if (i < fixed) {
                out.emplace_back(from, plus(ctx, from, ctx.int_imm(from->type, 1)));
            } else {
                const auto& [lo, hi] = in[i - fixed];
                Expr first = plus(ctx, from, lo);
                Expr last = is_next(lo, hi) ? plus(ctx, first, ctx.int_imm(first->type, 1))
                                            : plus(ctx, from, hi);
                out.emplace_back(first, last);
            }
        }
        return out;
    };
    return CellMap{cell, box};
}

}  // namespace proviso::ir
