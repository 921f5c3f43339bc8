#include "verify/tv/state.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <limits>

#include "ir/text.h"

namespace proviso::verify {

using namespace ir;
using analysis::PadKind;

namespace {

// int32 where it fits, so that symbols read like the program: A[3], not A[T.int64(3)].
Expr index_term(Context& ctx, std::int64_t value) {
    return kInt32.contains(value) ? ctx.i32(value) : ctx.i64(value);
}

// Cells of a tensor that is a symbol for each index tuple.
std::vector<SymbolicCell> symbols(Context& ctx, const std::string& name, ScalarType type,
                                  const std::vector<std::int64_t>& shape) {
    std::vector<Expr> extents;
    extents.reserve(shape.size());
    for (const std::int64_t extent : shape) extents.push_back(index_term(ctx, extent));
    const Buffer buffer = ctx.buffer(name, type, extents);
    std::vector<SymbolicCell> out(cell_count(shape));
    for (std::size_t k = 0; k < out.size(); ++k) {
        std::vector<Expr> at;
        for (const std::int64_t i : cell_indices(shape, k)) at.push_back(index_term(ctx, i));
        out[k].content = SymbolicValue{ctx.load(buffer, at), ctx.true_()};
    }
    return out;
}

std::string terms_of(std::uint32_t nodes) {
    const bool saturated = nodes == std::numeric_limits<std::uint32_t>::max();
    return saturated ? "a term of more than 4,000,000,000 nodes"
                     : fmt::format("a term of {} nodes", nodes);
}

}  // namespace

std::string short_text(Expr e) {
    std::string out = e->size > 60 ? std::string() : print(e);
    return out.empty() || out.size() > 160 ? terms_of(e->size) : out;
}

std::string value_text(const SymbolicValue& v) {
    if (is_false(v.defined)) return "indet";
    return short_text(v.value) + (is_true(v.defined) ? "" : " (where it is definite)");
}

std::string cell_name(const std::string& buffer, const std::vector<std::int64_t>& shape,
                      std::size_t offset) {
    return fmt::format("{}[{}]", buffer, fmt::join(cell_indices(shape, offset), ", "));
}

std::optional<std::size_t> SymbolicTensor::offset(const std::vector<std::int64_t>& indices) const {
    std::size_t out = 0;
    for (std::size_t d = 0; d < shape.size(); ++d) {
        if (indices[d] < 0 || indices[d] >= shape[d]) return std::nullopt;
        out = out * static_cast<std::size_t>(shape[d]) + static_cast<std::size_t>(indices[d]);
    }
    return out;
}

Expr zero_term(Context& ctx, ScalarType type) {
    return type.is_float() ? ctx.float_imm(type, 0.0) : ctx.int_imm(type, 0);
}

SymbolicValue indet_value(Context& ctx, ScalarType type) {
    return SymbolicValue{zero_term(ctx, type), ctx.false_()};
}

SymbolicTensor indet_tensor(Context& ctx, ScalarType type, const std::vector<std::int64_t>& shape) {
    const SymbolicCell cell{indet_value(ctx, type), false};
    return SymbolicTensor{0, type, shape, std::vector<SymbolicCell>(cell_count(shape), cell)};
}

namespace {

// The value; where it is a zero, one of the sign that `negated` chooses.
Expr either_zero(Context& ctx, Expr value, Expr negated) {
    Expr zero = zero_term(ctx, value->type);
    const bool constant = value->op == Op::FloatImm;
    if (constant && value->float_value() != 0.0) return value;
    Expr chosen = constant ? negated : ctx.and_(ctx.eq(value, zero), negated);
    Expr other = constant ? ctx.float_imm(value->type, -value->float_value()) : ctx.neg(value);
    return ctx.select(chosen, other, value);
}

// The same for both zeros, and the value itself for all others.
SymbolicValue without_sign_of_zero(Context& ctx, const SymbolicValue& v) {
    return {ctx.add(v.value, zero_term(ctx, v.value->type)), v.defined};
}

}  // namespace

SymbolicTensor initial_tensor(Context& ctx, const ConcreteParameter& parameter, bool may_be_indet) {
    const std::string& name = parameter.buffer->name;
    const ScalarType type = parameter.buffer->type;
    SymbolicTensor out{0, type, parameter.logical, symbols(ctx, name, type, parameter.logical)};
    for (std::size_t k = 0; may_be_indet && k < out.cells.size(); ++k) {
        out.cells[k].content.defined = ctx.var(fmt::format("{}_definite_{}", name, k), kBool);
    }
    for (std::size_t level = 0; level < parameter.layouts.size(); ++level) {
        const ConcreteLayout& l = parameter.layouts[level];
        SymbolicTensor next = indet_tensor(ctx, type, l.physical_shape);
        for (std::size_t x = 0; x < l.image.size(); ++x) next.cells[l.image[x]] = out.cells[x];
        const bool own = l.pad_kind != PadKind::None && !l.holds_at_entry;
        const std::vector<SymbolicCell> noise =
            own ? symbols(ctx, fmt::format("{}_padding_{}", name, level), type, l.physical_shape)
                : std::vector<SymbolicCell>();
        for (std::size_t k = 0; k < l.padding.size(); ++k) {
            SymbolicCell& cell = next.cells[l.padding[k]];
            if (l.pad_kind == PadKind::None) {
                cell.closed = true;
            } else if (own) {
                cell = noise[l.padding[k]];
            } else if (l.pad_kind == PadKind::Value) {
                Expr pad = constant_expr(ctx, type, l.pad_values[k]);
                cell.content = SymbolicValue{pad, ctx.true_()};
            } else if (l.pad_kind == PadKind::Cell) {
                cell = next.cells[l.pad_cells[k]];
            }
            if (l.zero_of_either_sign) {
                Expr sign = ctx.var(fmt::format("{}_zero_{}_{}", name, level, k), kBool);
                cell.content.value = either_zero(ctx, cell.content.value, sign);
            }
        }
        out = std::move(next);
    }
    return out;
}

SymbolicTensor logical_tensor(Context& ctx, const ConcreteParameter& parameter,
                              SymbolicTensor physical, std::vector<PaddingPromise>& promises) {
    for (std::size_t level = parameter.layouts.size(); level-- > 0;) {
        const ConcreteLayout& l = parameter.layouts[level];
        SymbolicTensor out = indet_tensor(ctx, physical.type, l.logical_shape);
        for (std::size_t x = 0; x < l.image.size(); ++x) out.cells[x] = physical.cells[l.image[x]];
        const bool promised = l.pad_kind == PadKind::Value || l.pad_kind == PadKind::Cell;
        for (std::size_t k = 0; promised && k < l.padding.size(); ++k) {
            const std::size_t p = l.padding[k];
            const SymbolicValue pad =
                l.pad_kind == PadKind::Cell
                    ? physical.cells[l.pad_cells[k]].content
                    : SymbolicValue{constant_expr(ctx, physical.type, l.pad_values[k]),
                                    ctx.true_()};
            const SymbolicValue& is = physical.cells[p].content;
            const auto as_promised = [&](const SymbolicValue& v) {
                return l.zero_of_either_sign ? without_sign_of_zero(ctx, v) : v;
            };
            promises.push_back(
                PaddingPromise{"padding of " + cell_name(parameter.buffer->name, physical.shape, p),
                               level, as_promised(is), as_promised(pad)});
        }
        physical = std::move(out);
    }
    return physical;
}

}  // namespace proviso::verify
