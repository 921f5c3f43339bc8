#include "analysis/layout/layout_check.h"

#include <algorithm>
#include <set>

#include "analysis/facts/facts.h"
#include "analysis/layout/layout.h"
#include "ir/children.h"
#include "ir/text.h"

namespace proviso::analysis {

using namespace ir;

namespace {

// One relation, as texts.
struct RelationText {
    ScalarType type;
    std::vector<std::string> vars, physical_vars, logical_shape, map, inverse;
    std::string pad;
};

class LayoutChecker {
  public:
    LayoutChecker(Context& ctx, const Function& f) : ctx_(ctx), function_(f) {
        for (Expr v : f.scalar_params()) scalars_.vars[*v->name] = v;
    }

    Status check(const AttrValue& attr) {
        const auto* all = std::get_if<AttrValue::Dict>(&attr.value);
        if (all == nullptr) return wrong("is not a dictionary");
        for (const auto& [name, value] : *all) {
            buffer_ = name;
            const Buffer b = function_.find_buffer_param(name);
            if (b == nullptr) return wrong("there is no such parameter");
            const auto* list = std::get_if<AttrValue::List>(&value.value);
            if (list == nullptr) return wrong("is not a list of relations");
            std::size_t rank = 0;
            for (std::size_t k = 0; k < list->size(); ++k) {
                const Status ok = relation((*list)[k], b, k > 0, rank);
                if (!ok) return ok;
            }
            if (!list->empty() && rank != b->rank()) {
                return wrong("the newest relation has another rank than the parameter");
            }
        }
        return Unit{};
    }

  private:
    Diagnostic wrong(const std::string& what) const {
        const std::string where = buffer_.empty() ? "" : ", " + buffer_;
        return error(std::string("attribute ") + kLayoutAttr + where + ": " + what);
    }
    // The same of a text in it, with the column in that text.
    Diagnostic wrong_text(const std::string& text, const std::string& what, int column = 1) const {
        Diagnostic out = wrong("'" + text + "'" + what);
        out.file = "<layout>";
        out.line = 1;
        out.column = column;
        out.source_line = text;
        return out;
    }

    Result<std::vector<std::string>> list_of(const AttrValue::Dict& dict, const char* key) const {
        const auto it = dict.find(key);
        const auto* list =
            it == dict.end() ? nullptr : std::get_if<AttrValue::List>(&it->second.value);
        if (list == nullptr) return wrong(std::string("'") + key + "' is not a list");
        std::vector<std::string> out;
        for (const AttrValue& v : *list) {
            const auto* s = std::get_if<std::string>(&v.value);
            if (s == nullptr)
                return wrong(std::string("'") + key + "' holds something else than text");
            out.push_back(*s);
        }
        return out;
    }

    Result<std::string> text_of(const AttrValue::Dict& dict, const char* key) const {
        const auto it = dict.find(key);
        const auto* s = it == dict.end() ? nullptr : std::get_if<std::string>(&it->second.value);
        if (s == nullptr) return wrong(std::string("'") + key + "' is not a text");
        return *s;
    }

    // `rank`: physical rank of the relation before (when there is one), and then of this one.
    Status relation(const AttrValue& value, Buffer b, bool follows, std::size_t& rank) {
        const auto* dict = std::get_if<AttrValue::Dict>(&value.value);
        if (dict == nullptr) return wrong("a relation is not a dictionary");
        RelationText text;
        const auto type = text_of(*dict, "index_type");
        if (!type) return type.error();
        const auto index = ScalarType::parse(*type);
        if (!index || !index->is_int()) return wrong("'index_type' is not an integer type");
        text.type = *index;
        const auto of_this_type = [&](Expr extent) { return extent->type == text.type; };
        if (std::none_of(b->shape.begin(), b->shape.end(), of_this_type)) {
            return wrong("'index_type' is not the type of the extents");
        }
        for (auto [key, target] :
             {std::pair{"vars", &text.vars}, std::pair{"physical_vars", &text.physical_vars},
              std::pair{"logical_shape", &text.logical_shape}, std::pair{"map", &text.map},
              std::pair{"inverse", &text.inverse}}) {
            auto list = list_of(*dict, key);
            if (!list) return list.error();
            *target = std::move(*list);
        }
        const auto pad = text_of(*dict, "pad");
        if (!pad) return pad.error();
        text.pad = *pad;
        const auto by = text_of(*dict, "padding_by");
        if (!by) return by.error();
        if (*by != "caller" && *by != "function") return wrong("'padding_by' is " + *by);
        if (const Status ok = exactness(*dict, *by, text.pad, b); !ok) return ok;
        if (const Status ok = ranks(text, follows, rank); !ok) return ok;
        rank = text.map.size();
        return expressions(text, b);
    }

    // "padding_holds" may be absent, and is about floats that the caller provides.
    Status exactness(const AttrValue::Dict& dict, const std::string& by, const std::string& pad,
                     Buffer b) const {
        const bool exact = dict.count(kExactKey) != 0;
        if (dict.size() != (exact ? 9U : 8U)) {
            return wrong("a relation has other keys than it should");
        }
        if (!exact) return Unit{};
        const auto holds = text_of(dict, kExactKey);
        if (!holds) return holds.error();
        if (*holds != kExactValue) return wrong("'padding_holds' is " + *holds);
        if (by == "caller" && b->type.is_float() && pad != "none" && pad != "undef") return Unit{};
        return wrong("'padding_holds' is about floats that the caller provides");
    }

    Status ranks(const RelationText& text, bool follows, std::size_t before) const {
        const std::size_t logical = text.vars.size();
        if (logical == 0 || text.map.empty()) return wrong("a relation of rank 0");
        if (text.logical_shape.size() != logical || text.inverse.size() != logical) {
            return wrong("'vars', 'logical_shape' and 'inverse' differ in length");
        }
        if (text.physical_vars.size() != text.map.size()) {
            return wrong("'physical_vars' and 'map' differ in length");
        }
        if (follows && logical != before) return wrong("two relations of ranks that do not meet");
        return Unit{};
    }

    Status expressions(const RelationText& text, Buffer b) {
        Scope logical = scalars_;
        Scope physical = scalars_;
        for (auto [names, scope] :
             {std::pair{&text.vars, &logical}, std::pair{&text.physical_vars, &physical}}) {
            for (const std::string& name : *names) {
                if (name.empty() || scope->vars.count(name) != 0) {
                    return wrong("the index name '" + name + "' is taken");
                }
                scope->vars[name] = ctx_.var(name, text.type);
            }
        }
        const std::pair<const std::vector<std::string>*, const Scope*> all[] = {
            {&text.logical_shape, &scalars_}, {&text.map, &logical}, {&text.inverse, &physical}};
        for (const auto& [items, scope] : all) {
            for (const std::string& item : *items) {
                if (const Status ok = readable(item, *scope, text.type); !ok) return ok;
            }
        }
        if (text.pad == "none" || text.pad == "undef") return Unit{};
        return padding(text, b, physical);
    }

    // A function of the indices, or a cell of the buffer itself at such indices.
    Status padding(const RelationText& text, Buffer b, Scope scope) {
        const std::vector<Expr> any_extent(text.map.size(), ctx_.int_imm(text.type, 1));
        scope.buffers[b->name] = ctx_.buffer(b->name, b->type, any_extent, b->scope);
        if (const Status ok = readable(text.pad, scope, b->type); !ok) return ok;
        Expr pad = *parse_expr(ctx_, text.pad, scope, b->type, "<layout>");
        std::vector<Expr> parts = {pad};
        if (pad->op == Op::Load) parts.assign(pad->args.begin(), pad->args.end());
        for (Expr e : parts) {
            if (has_op(e, Op::Load)) {
                return wrong_text(text.pad, " is neither a function of the indices nor a cell");
            }
        }
        return Unit{};
    }

    Status readable(const std::string& text, const Scope& scope, ScalarType type) {
        const Result<Expr> e = parse_expr(ctx_, text, scope, type, "<layout>");
        if (!e) {
            Diagnostic out = wrong_text(text, ": " + e.error().message, e.error().column);
            out.hint = e.error().hint;
            return out;
        }
        // What has been read is printed and compared, so the reader need not be believed.
        if (print(*e) != text) return wrong_text(text, " is written '" + print(*e) + "'");
        for (const Op op : {Op::Undef, Op::CallExtern, Op::Defined, Op::Same}) {
            if (has_op(*e, op)) return wrong_text(text, " is no function of the indices");
        }
        return Unit{};
    }

    Context& ctx_;
    const Function& function_;
    Scope scalars_;
    std::string buffer_;
};

// A list of names of buffer parameters.
Status check_indet(const Function& f) {
    const auto attr = f.attrs.find(kIndetAttr);
    if (attr == f.attrs.end()) return Unit{};
    const auto* list = std::get_if<AttrValue::List>(&attr->second.value);
    const bool names = list != nullptr && std::all_of(list->begin(), list->end(), [&](auto& item) {
                           const auto* name = std::get_if<std::string>(&item.value);
                           return name != nullptr && f.find_buffer_param(*name) != nullptr;
                       });
    if (names) return Unit{};
    return error(std::string("attribute ") + kIndetAttr + ": a list of buffer parameters' names");
}

}  // namespace

Status check_layouts(Context& ctx, const Function& f) {
    if (const Status ok = check_indet(f); !ok) return ok;
    const auto attr = f.attrs.find(kLayoutAttr);
    if (attr == f.attrs.end()) return Unit{};
    return LayoutChecker(ctx, f).check(attr->second);
}

}  // namespace proviso::analysis
