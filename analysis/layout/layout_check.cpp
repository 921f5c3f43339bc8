#include "analysis/layout/layout_check.h"

#include <algorithm>
#include <map>
#include <span>

#include "analysis/facts/facts.h"
#include "ir/children.h"
#include "ir/text.h"

namespace proviso::analysis {

using namespace ir;

namespace {

class RelationReader {
  public:
    // `checks`: nothing is taken for granted, and texts are printed again and compared, so that the
    // reader need not be believed.
    RelationReader(Context& ctx, const Function& f, bool checks)
        : ctx_(ctx), function_(f), checks_(checks) {
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
                const Result<Layout> relation = read((*list)[k], b, {});
                if (!relation) return relation.error();
                if (k > 0 && relation->vars.size() != rank) {
                    return wrong("two relations of ranks that do not meet");
                }
                rank = relation->map.size();
            }
            if (!list->empty() && rank != b->rank()) {
                return wrong("the newest relation has another rank than the parameter");
            }
        }
        return Unit{};
    }

    // `physical`: extents of the relation's physical side; empty where nobody knows them yet, who
    // then checks alone.
    Result<Layout> read(const AttrValue& value, Buffer b, std::vector<Expr> physical) {
        buffer_ = b->name;
        const auto* dict = std::get_if<AttrValue::Dict>(&value.value);
        if (dict == nullptr) return wrong("a relation is not a dictionary");
        const auto type_name = text_of(*dict, "index_type");
        if (!type_name) return type_name.error();
        const auto type = ScalarType::parse(*type_name);
        if (!type || !type->is_int()) return wrong("'index_type' is not an integer type");
        const auto of_this_type = [&](Expr extent) { return extent->type == *type; };
        if (std::none_of(b->shape.begin(), b->shape.end(), of_this_type)) {
            return wrong("'index_type' is not the type of the extents");
        }
        std::map<std::string, std::vector<std::string>> lists;
        for (const char* key : {"vars", "physical_vars", "logical_shape", "map", "inverse"}) {
            auto list = list_of(*dict, key);
            if (!list) return list.error();
            lists[key] = *std::move(list);
        }
        const auto pad = text_of(*dict, "pad");
        if (!pad) return pad.error();
        const auto by = text_of(*dict, "padding_by");
        if (!by) return by.error();
        if (*by != "caller" && *by != "function") return wrong("'padding_by' is " + *by);
        if (const Status ok = exactness(*dict, *by, *pad, b); !ok) return ok.error();
        const std::size_t rank = lists["vars"].size();
        if (rank == 0 || lists["map"].empty()) return wrong("a relation of rank 0");
        if (lists["logical_shape"].size() != rank || lists["inverse"].size() != rank) {
            return wrong("'vars', 'logical_shape' and 'inverse' differ in length");
        }
        if (lists["physical_vars"].size() != lists["map"].size()) {
            return wrong("'physical_vars' and 'map' differ in length");
        }
        Layout out;
        out.buffer = b->name;
        out.holds_at_entry = *by == "caller";
        out.exact = dict->count(kExactKey) != 0;
        Scope of_vars = scalars_;
        Scope of_physical = scalars_;
        Status fine = bind(lists["vars"], *type, of_vars, out.vars);
        if (fine) fine = bind(lists["physical_vars"], *type, of_physical, out.physical_vars);
        if (fine) fine = parse(lists["logical_shape"], scalars_, *type, out.logical_shape);
        if (fine) fine = parse(lists["map"], of_vars, *type, out.map);
        if (fine) fine = parse(lists["inverse"], of_physical, *type, out.inverse);
        if (!fine) return fine.error();
        if (*pad == "none" || *pad == "undef") {
            out.pad_kind = *pad == "none" ? PadKind::None : PadKind::Undef;
            return out;
        }
        // A function of the indices, or a cell of the buffer itself at such indices.
        if (physical.empty()) physical.assign(out.map.size(), ctx_.int_imm(*type, 1));
        of_physical.buffers[b->name] = ctx_.buffer(b->name, b->type, physical, b->scope);
        std::vector<Expr> value_of;
        if (fine = parse({*pad}, of_physical, b->type, value_of); !fine) return fine.error();
        out.pad = value_of[0];
        out.pad_kind = out.pad->op == Op::Load ? PadKind::Cell : PadKind::Value;
        const std::span<const Expr> parts =
            out.pad->op == Op::Load ? out.pad->args : std::span<const Expr>(value_of);
        for (Expr e : parts) {
            if (!checks_ || !has_op(e, Op::Load)) continue;
            return wrong_text(*pad, " is neither a function of the indices nor a cell");
        }
        return out;
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

    Status bind(const std::vector<std::string>& names, ScalarType type, Scope& scope,
                std::vector<Expr>& out) const {
        for (const std::string& name : names) {
            if (checks_ && (name.empty() || scope.vars.count(name) != 0)) {
                return wrong("the index name '" + name + "' is taken");
            }
            out.push_back(ctx_.var(name, type));
            scope.vars[name] = out.back();
        }
        return Unit{};
    }

    Status parse(const std::vector<std::string>& texts, const Scope& scope, ScalarType type,
                 std::vector<Expr>& out) const {
        for (const std::string& text : texts) {
            const Result<Expr> e = parse_expr(ctx_, text, scope, type, "<layout>");
            if (!e) {
                Diagnostic no = wrong_text(text, ": " + e.error().message, e.error().column);
                no.hint = e.error().hint;
                return no;
            }
            out.push_back(*e);
            if (!checks_) continue;
            if (print(*e) != text) return wrong_text(text, " is written '" + print(*e) + "'");
            if (has_any(*e, {Op::Undef, Op::CallExtern, Op::Defined, Op::Same})) {
                return wrong_text(text, " is no function of the indices");
            }
        }
        return Unit{};
    }

    Context& ctx_;
    const Function& function_;
    const bool checks_;
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
    return RelationReader(ctx, f, true).check(attr->second);
}

Result<Layout> read_relation(Context& ctx, const Function& f, Buffer b, const AttrValue& relation,
                             const std::vector<Expr>& physical) {
    return RelationReader(ctx, f, false).read(relation, b, physical);
}

}  // namespace proviso::analysis
