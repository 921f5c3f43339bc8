#include "verify/harness/contract.h"

#include <algorithm>

#include "ir/domains/evaluate.h"
#include "ir/text.h"

namespace proviso::verify {

using namespace ir;
using analysis::Layout;
using analysis::PadKind;

Result<Value> value_of(Expr e, const Sizes& sizes) {
    Environment environment;
    for (const auto& [var, constant] : sizes) {
        if (const auto value = constant_value(constant)) environment.vars[var] = *value;
    }
    for (Expr v : free_vars(e)) {
        if (environment.vars.count(v) == 0) {
            return error("'" + print(e) + "' has no value: " + *v->name + " is not given");
        }
    }
    const Evaluation out = evaluate(e, environment);
    if (!out.ok()) return error("'" + print(e) + "' faults: " + out.fault->message);
    if (out.value.is_indet()) return error("'" + print(e) + "' is indeterminate");
    if (!observable(e->type, out.value)) return error("'" + print(e) + "' is out of range");
    return out.value;
}

Result<std::int64_t> integer_of(Expr e, const Sizes& sizes) {
    const Result<Value> value = value_of(e, sizes);
    if (!value) return value.error();
    const auto number = value->is_int() ? value->integer().to_int128() : std::nullopt;
    if (!number || *number < INT64_MIN || *number > INT64_MAX) {
        return error("'" + print(e) + "' is " + value->str(e->type));
    }
    return static_cast<std::int64_t>(*number);
}

Result<std::int64_t> extent_of(Expr e, const Sizes& sizes) {
    const Result<std::int64_t> value = integer_of(e, sizes);
    if (value && *value < 0)
        return error("the extent '" + print(e) + "' is " + std::to_string(*value));
    return value;
}

std::vector<Expr> size_variables(const Function& f) {
    std::vector<Expr> out = f.scalar_params();
    for (Buffer b : f.buffer_params()) {
        for (Expr extent : b->shape) {
            for (Expr v : free_vars(extent)) {
                if (std::find(out.begin(), out.end(), v) == out.end()) out.push_back(v);
            }
        }
    }
    return out;
}

namespace {

Result<std::vector<std::int64_t>> shape_of(std::span<const Expr> extents, const Sizes& sizes,
                                           std::size_t cell_limit) {
    std::vector<std::int64_t> out;
    std::size_t cells = 1;
    for (Expr extent : extents) {
        const Result<std::int64_t> value = extent_of(extent, sizes);
        if (!value) return value.error();
        out.push_back(*value);
        const auto size = static_cast<std::size_t>(*value);
        if (size != 0 && cells > cell_limit / size) return error(kTooManyCells, kTooManyCells);
        cells *= size;
    }
    return out;
}

Sizes at_indices(Context& ctx, const Sizes& sizes, const std::vector<Expr>& vars,
                 const std::vector<std::int64_t>& indices) {
    Sizes out = sizes;
    for (std::size_t d = 0; d < vars.size(); ++d) {
        out[vars[d]] = ctx.int_imm(vars[d]->type, indices[d]);
    }
    return out;
}

class LayoutTable {
  public:
    LayoutTable(Context& ctx, const Layout& layout, const Sizes& sizes)
        : ctx_(ctx), layout_(layout), sizes_(sizes) {}

    Result<ConcreteLayout> build(std::vector<std::int64_t> physical_shape, std::size_t cell_limit) {
        const auto logical = shape_of(layout_.logical_shape, sizes_, cell_limit);
        if (!logical) return logical.error();
        out_.logical_shape = *logical;
        out_.physical_shape = std::move(physical_shape);
        out_.pad_kind = layout_.pad_kind;
        out_.holds_at_entry = layout_.holds_at_entry;
        out_.zero_of_either_sign = layout_.zero_of_either_sign();
        if (const Status ok = fill_image(); !ok) return no_relation(ok.error());
        if (const Status ok = fill_padding(); !ok) return no_relation(ok.error());
        return std::move(out_);
    }

  private:
    static Diagnostic no_relation(Diagnostic why) {
        why.hint = kNoRelation;
        return why;
    }

    Status fill_image() {
        const Tensor shape = Tensor::filled(kBool, out_.logical_shape, Value::indet());
        const Tensor target = Tensor::filled(kBool, out_.physical_shape, Value::indet());
        taken_.assign(target.size(), false);
        for (std::size_t x = 0; x < shape.size(); ++x) {
            const Sizes at = at_indices(ctx_, sizes_, layout_.vars, shape.indices(x));
            std::vector<std::int64_t> physical;
            for (Expr f : layout_.map) {
                const Result<std::int64_t> index = extent_of(f, at);
                if (!index) return index.error();
                physical.push_back(*index);
            }
            const auto offset = target.offset(physical);
            if (!offset) return error("the layout of " + layout_.buffer + " leaves its shape");
            if (taken_[*offset]) {
                return error("the layout of " + layout_.buffer + " puts two cells into one");
            }
            if (!comes_back(physical, shape.indices(x))) {
                return error("the inverse of the layout of " + layout_.buffer + " is none");
            }
            taken_[*offset] = true;
            out_.image.push_back(*offset);
        }
        return Unit{};
    }

    // The inverse, from which rules read what is padding, takes the cell to where it is from.
    bool comes_back(const std::vector<std::int64_t>& physical,
                    const std::vector<std::int64_t>& logical) {
        const Sizes at = at_indices(ctx_, sizes_, layout_.physical_vars, physical);
        for (std::size_t d = 0; d < logical.size(); ++d) {
            const Result<std::int64_t> index = extent_of(layout_.inverse[d], at);
            if (!index || *index != logical[d]) return false;
        }
        return true;
    }

    Status fill_padding() {
        const Tensor target = Tensor::filled(kBool, out_.physical_shape, Value::indet());
        for (std::size_t p = 0; p < target.size(); ++p) {
            if (taken_[p]) continue;
            out_.padding.push_back(p);
            if (layout_.pad == nullptr) continue;
            const Sizes at = at_indices(ctx_, sizes_, layout_.physical_vars, target.indices(p));
            if (layout_.pad_kind == PadKind::Cell) {
                if (const Status ok = cell_of_padding(target, at); !ok) return ok;
                continue;
            }
            const Result<Value> pad = value_of(layout_.pad, at);
            if (!pad) return pad.error();
            out_.pad_values.push_back(*pad);
        }
        return Unit{};
    }

    // The cell that padding repeats: data, never padding itself.
    Status cell_of_padding(const Tensor& target, const Sizes& at) {
        std::vector<std::int64_t> indices;
        for (Expr i : layout_.pad->args) {
            const Result<std::int64_t> index = extent_of(i, at);
            if (!index) return index.error();
            indices.push_back(*index);
        }
        const auto offset = target.offset(indices);
        if (!offset || !taken_[*offset]) {
            return error("the padding of " + layout_.buffer + " repeats a cell that is no data");
        }
        out_.pad_cells.push_back(*offset);
        return Unit{};
    }

    Context& ctx_;
    const Layout& layout_;
    const Sizes& sizes_;
    std::vector<bool> taken_;
    ConcreteLayout out_;
};

}  // namespace

Result<ConcreteParameter> concrete_parameter(Context& ctx, const Function& f, Buffer buffer,
                                             const Sizes& sizes, std::size_t cell_limit) {
    ConcreteParameter out;
    out.buffer = buffer;
    const auto physical = shape_of(buffer->shape, sizes, cell_limit);
    if (!physical) return physical.error();
    out.physical = *physical;
    const std::vector<Layout> layouts = analysis::layouts_of(ctx, f, buffer->name);
    for (std::size_t k = layouts.size(); k-- > 0;) {
        const std::vector<std::int64_t> shape =
            out.layouts.empty() ? out.physical : out.layouts.front().logical_shape;
        Result<ConcreteLayout> table = LayoutTable(ctx, layouts[k], sizes).build(shape, cell_limit);
        if (!table) return table.error();
        out.layouts.insert(out.layouts.begin(), *table);
    }
    out.logical = out.layouts.empty() ? out.physical : out.layouts.front().logical_shape;
    return out;
}

Result<std::vector<std::int64_t>> logical_shape(Context& ctx, const Function& f, Buffer buffer,
                                                const Sizes& sizes, std::size_t cell_limit) {
    const std::vector<Layout> layouts = analysis::layouts_of(ctx, f, buffer->name);
    return layouts.empty() ? shape_of(buffer->shape, sizes, cell_limit)
                           : shape_of(layouts.front().logical_shape, sizes, cell_limit);
}

Result<std::vector<ConcreteParameter>> concrete_parameters(Context& ctx, const Function& f,
                                                           const Sizes& sizes,
                                                           std::size_t cell_limit) {
    std::vector<ConcreteParameter> out;
    for (Buffer b : f.buffer_params()) {
        Result<ConcreteParameter> one = concrete_parameter(ctx, f, b, sizes, cell_limit);
        if (!one) return one.error();
        out.push_back(std::move(*one));
    }
    return out;
}

}  // namespace proviso::verify
