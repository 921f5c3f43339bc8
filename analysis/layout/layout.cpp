#include "analysis/layout/layout.h"

#include <cmath>

#include "analysis/facts/formula.h"
#include "analysis/layout/layout_check.h"
#include "analysis/layout/logical_extents.h"
#include "ir/children.h"
#include "ir/text.h"

namespace proviso::analysis {

using namespace ir;

namespace {

AttrValue texts(const std::vector<Expr>& exprs) {
    AttrValue::List out;
    for (Expr e : exprs) out.push_back(AttrValue{print(e)});
    return AttrValue{out};
}

const AttrValue::Dict* as_dict(const AttrValue& v) {
    return std::get_if<AttrValue::Dict>(&v.value);
}

std::string text_of(const AttrValue::Dict& dict, const char* key) {
    const auto it = dict.find(key);
    const auto* s = it == dict.end() ? nullptr : std::get_if<std::string>(&it->second.value);
    return s == nullptr ? std::string() : *s;
}

std::vector<std::string> list_of(const AttrValue::Dict& dict, const char* key) {
    std::vector<std::string> out;
    const auto it = dict.find(key);
    if (it == dict.end()) return out;
    if (const auto* list = std::get_if<AttrValue::List>(&it->second.value)) {
        for (const AttrValue& v : *list) {
            if (const auto* s = std::get_if<std::string>(&v.value)) out.push_back(*s);
        }
    }
    return out;
}

// A value whose sign an equation does not tell.
bool may_be_zero(Expr pad) {
    if (pad == nullptr || !pad->type.is_float()) return false;
    return pad->op != Op::FloatImm || pad->float_value() == 0.0;
}

}  // namespace

Substitution Layout::at(Context& ctx, std::span<const Expr> physical) const {
    Substitution out;
    for (std::size_t k = 0; k < physical_vars.size(); ++k) {
        Expr v = physical_vars[k];
        out[v] = physical[k]->type == v->type ? physical[k] : ctx.cast(v->type, physical[k]);
    }
    return out;
}

std::vector<Expr> Layout::logical(Context& ctx, const Substitution& at) const {
    std::vector<Expr> out;
    for (Expr g : inverse) out.push_back(substitute(ctx, g, at));
    return out;
}

Expr Layout::in_image(Context& ctx, std::span<const Expr> physical) const {
    const Substitution cell = at(ctx, physical);
    const std::vector<Expr> indices = logical(ctx, cell);
    std::vector<Expr> conditions;
    Substitution to_logical;
    for (std::size_t d = 0; d < vars.size(); ++d) {
        Expr g = indices[d];
        to_logical[vars[d]] = g;
        conditions.push_back(ctx.le(ctx.int_imm(g->type, 0), g));
        conditions.push_back(ctx.lt(g, logical_shape[d]));
    }
    for (std::size_t k = 0; k < physical_vars.size(); ++k) {
        conditions.push_back(
            ctx.eq(substitute(ctx, map[k], to_logical), cell.at(physical_vars[k])));
    }
    return ctx.all_of(conditions);
}

std::vector<Layout> layouts_of(Context& ctx, const Function& f, const std::string& buffer) {
    std::vector<Layout> out;
    const auto attr = f.attrs.find(kLayoutAttr);
    Buffer param = f.find_buffer_param(buffer);
    if (attr == f.attrs.end() || param == nullptr) return out;
    const AttrValue::Dict* all = as_dict(attr->second);
    PROVISO_CHECK(all != nullptr, "proviso.layout is not a dictionary");
    const auto mine = all->find(buffer);
    if (mine == all->end()) return out;
    const auto* list = std::get_if<AttrValue::List>(&mine->second.value);
    PROVISO_CHECK(list != nullptr, "proviso.layout: not a list of relations");
    // A relation's physical side is the logical side of the next one.
    std::vector<Expr> physical(param->shape.begin(), param->shape.end());
    for (auto v = list->rbegin(); v != list->rend(); ++v) {
        Result<Layout> relation = read_relation(ctx, f, param, *v, physical);
        PROVISO_CHECK(relation.ok(), relation.ok() ? "" : relation.error().message);
        out.insert(out.begin(), *std::move(relation));
        physical = out.front().logical_shape;
    }
    return out;
}

std::vector<Expr> logical_extents(Context& ctx, const Function& f, Buffer buffer) {
    std::vector<Expr> out;
    const auto attr = f.attrs.find(kLayoutAttr);
    const AttrValue::Dict* all = attr == f.attrs.end() ? nullptr : as_dict(attr->second);
    if (all == nullptr) return out;
    const auto mine = all->find(buffer->name);
    if (mine == all->end()) return out;
    const auto* list = std::get_if<AttrValue::List>(&mine->second.value);
    if (list == nullptr) return out;
    Scope scope;
    for (Expr v : f.scalar_params()) scope.vars[*v->name] = v;
    for (const AttrValue& relation : *list) {
        const AttrValue::Dict* dict = as_dict(relation);
        if (dict == nullptr) return {};
        const auto type = ScalarType::parse(text_of(*dict, "index_type"));
        if (!type) return {};
        for (const std::string& text : list_of(*dict, "logical_shape")) {
            const Result<Expr> extent = parse_expr(ctx, text, scope, *type);
            if (!extent) return {};
            out.push_back(*extent);
        }
    }
    return out;
}

Function with_layout(const Function& f, const Layout& layout) {
    AttrValue::Dict dict;
    dict["index_type"] = AttrValue{layout.vars.at(0)->type.str()};
    AttrValue::List vars;
    for (Expr v : layout.vars) vars.push_back(AttrValue{*v->name});
    AttrValue::List physical;
    for (Expr v : layout.physical_vars) physical.push_back(AttrValue{*v->name});
    dict["vars"] = AttrValue{vars};
    dict["physical_vars"] = AttrValue{physical};
    dict["logical_shape"] = texts(layout.logical_shape);
    dict["map"] = texts(layout.map);
    dict["inverse"] = texts(layout.inverse);
    std::string pad = "none";
    if (layout.pad_kind == PadKind::Undef) pad = "undef";
    if (layout.pad != nullptr) pad = print(layout.pad);
    dict["pad"] = AttrValue{pad};
    dict["padding_by"] = AttrValue{std::string(layout.holds_at_entry ? "caller" : "function")};
    if (layout.exact) dict[kExactKey] = AttrValue{std::string(kExactValue)};

    Function out = f;
    AttrValue& attr = out.attrs[kLayoutAttr];
    if (as_dict(attr) == nullptr) attr.value = AttrValue::Dict{};
    AttrValue& mine = std::get<AttrValue::Dict>(attr.value)[layout.buffer];
    if (!std::holds_alternative<AttrValue::List>(mine.value)) mine.value = AttrValue::List{};
    std::get<AttrValue::List>(mine.value).push_back(AttrValue{dict});
    return out;
}

bool Layout::zero_of_either_sign() const {
    return holds_at_entry && !exact && may_be_zero(pad);
}

std::string describe(const Layout& layout) {
    const auto join = [](const std::vector<Expr>& exprs) {
        std::string out;
        for (Expr e : exprs) out += (out.empty() ? "" : ", ") + print(e);
        return out;
    };
    std::string out = layout.buffer + ": cell [" + join(layout.vars) + "] of shape (" +
                      join(layout.logical_shape) + ") is stored at [" + join(layout.map) + "]; ";
    switch (layout.pad_kind) {
        case PadKind::None: return out + "padding is never touched";
        case PadKind::Undef: out += "padding is undefined"; break;
        case PadKind::Value: out += "padding holds " + print(layout.pad); break;
        case PadKind::Cell: out += "padding holds what " + print(layout.pad) + " holds"; break;
    }
    if (layout.zero_of_either_sign()) {
        const bool zero = layout.pad->op == Op::FloatImm;
        const char* other = zero && std::signbit(layout.pad->float_value()) ? "(0.0)" : "(-0.0)";
        out += zero ? " or T." + layout.pad->type.str() + other
                    : ", where that is zero a zero of either sign";
    } else if (may_be_zero(layout.pad)) {
        out += ", bit for bit";
    }
    return out + (layout.holds_at_entry ? " (provided by the caller)" : " (written here)");
}

namespace {

// Physical indices of relation `level` (0 = oldest); deeper levels speak of image cells only.
Expr accessible_from(Context& ctx, const std::vector<Layout>& layouts, std::size_t level,
                     std::span<const Expr> at) {
    const Layout& layout = layouts[level];
    const std::vector<Expr> logical = layout.logical(ctx, layout.at(ctx, at));
    Expr deeper = level == 0 ? ctx.true_() : accessible_from(ctx, layouts, level - 1, logical);
    if (layout.pad_kind == PadKind::None) {
        return ctx.all_of({layout.in_image(ctx, at), deeper});
    }
    return is_true(deeper) ? deeper : ctx.implies(layout.in_image(ctx, at), deeper);
}

}  // namespace

Expr accessible(Context& ctx, const Function& f, Buffer buffer, std::span<const Expr> indices) {
    if (f.find_buffer_param(buffer->name) != buffer) return ctx.true_();
    const std::vector<Layout> layouts = layouts_of(ctx, f, buffer->name);
    if (layouts.empty()) return ctx.true_();
    return accessible_from(ctx, layouts, layouts.size() - 1, indices);
}

}  // namespace proviso::analysis
