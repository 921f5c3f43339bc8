#include "verify/check/relation.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "analysis/facts/facts.h"
#include "analysis/layout/layout.h"
#include "ir/children.h"
#include "ir/redirect.h"
#include "ir/text.h"
#include "ir/text/spelling.h"
#include "rewrite/schedule/layout_plan.h"
#include "verify/check/no_overflow.h"
#include "verify/check/workspace.h"

namespace proviso::verify {

using namespace ir;

namespace {

const std::string& name_of(const Param& p) {
    return std::holds_alternative<Expr>(p) ? *std::get<Expr>(p)->name : std::get<Buffer>(p)->name;
}

std::vector<std::string> names_of(const Function& f) {
    std::vector<std::string> out;
    for (const Param& p : f.params) out.push_back(name_of(p));
    return out;
}

Diagnostic no_parameter(const std::string& name, const Function& f, const char* which) {
    return error(fmt::format("{} has no parameter '{}'", which, name),
                 suggest(name, names_of(f),
                         fmt::format("its parameters are {}", fmt::join(names_of(f), ", "))));
}

// --- names and order
// -------------------------------------------------------------------------------

class Renaming {
  public:
    Renaming(Context& ctx, const Function& f, std::map<std::string, std::string> names)
        : ctx_(ctx), f_(f), names_(std::move(names)) {}

    Result<Function> run() {
        const Status free = names_are_free();
        if (!free) return free.error();
        for (Expr v : f_.scalar_params()) scalars_[v] = ctx_.var(now(*v->name), v->type);
        Function out = f_;
        out.body = substitute(ctx_, f_.body, scalars_);
        // By way of names that nothing else has, since two buffers may exchange theirs.
        for (Param& p : out.params) {
            if (const Expr* v = std::get_if<Expr>(&p)) {
                p = scalars_.at(*v);
            } else {
                const Buffer b = std::get<Buffer>(p);
                std::vector<Expr> shape;
                for (Expr extent : b->shape) shape.push_back(substitute(ctx_, extent, scalars_));
                p = renamed(b, "renamed " + b->name, shape, out.body);
            }
        }
        for (std::size_t k = 0; k < out.params.size(); ++k) {
            Param& p = out.params[k];
            if (!std::holds_alternative<Buffer>(p)) continue;
            const Buffer b = std::get<Buffer>(p);
            p = renamed(b, now(name_of(f_.params[k])), {b->shape.begin(), b->shape.end()},
                        out.body);
        }
        for (auto& [attr, value] : out.attrs) value = renamed(value);
        return out;
    }

  private:
    std::string now(const std::string& was) const {
        const auto found = names_.find(was);
        return found == names_.end() ? was : found->second;
    }

    Status names_are_free() const {
        std::set<std::string> inside;
        for_each_bound_name(f_.body, [&](const std::string& name) { inside.insert(name); });
        std::set<std::string> taken;
        for (const std::string& name : names_of(f_)) {
            const std::string is = now(name);
            if (!taken.insert(is).second) {
                return error("after: two parameters would be called '" + is + "'",
                             "--params names each parameter of BEFORE once");
            }
            if (is == name || inside.count(is) == 0) continue;
            return error(fmt::format("after: '{}' cannot be called '{}': the program has something "
                                     "of that name",
                                     name, is),
                         "rename what is inside of the program");
        }
        if (f_.attrs.count(analysis::kLayoutAttr) != 0) {
            return error("after: parameters of a program that has layouts cannot be renamed",
                         "rename them in the file, in proviso.layout as well");
        }
        return Unit{};
    }

    Buffer renamed(Buffer b, const std::string& name, const std::vector<Expr>& shape, Stmt& body) {
        Buffer to = ctx_.buffer(name, b->type, shape, b->scope);
        CellMap same;
        same.cell = [](std::span<const Expr> at) {
            return std::vector<Expr>(at.begin(), at.end());
        };
        same.box = [](const Box& box) { return box; };
        body = redirect_buffer(ctx_, body, b, to, same);
        return to;
    }

    AttrValue renamed(const AttrValue& v) const {
        if (const auto* list = std::get_if<AttrValue::List>(&v.value)) {
            AttrValue::List out;
            for (const AttrValue& element : *list) out.push_back(renamed(element));
            return {std::move(out)};
        }
        if (const auto* dict = std::get_if<AttrValue::Dict>(&v.value)) {
            AttrValue::Dict out;
            for (const auto& [key, value] : *dict) out[now(key)] = value;
            return {std::move(out)};
        }
        const auto* text = std::get_if<std::string>(&v.value);
        if (text == nullptr) return v;
        constexpr std::string_view finite = "finite(";
        if (text->rfind(finite, 0) == 0 && text->back() == ')') {
            const std::string of = text->substr(finite.size(), text->size() - finite.size() - 1);
            return {std::string(finite) + now(of) + ")"};
        }
        return {now(*text)};
    }

    Context& ctx_;
    const Function& f_;
    std::map<std::string, std::string> names_;  // old -> new
    Substitution scalars_;
};

// --- layouts
// ---------------------------------------------------------------------------------------

// "lambda i, j: [i // 4, j, i % 4], pad_value=0.0"
struct LayoutText {
    std::vector<std::string> vars;
    std::vector<std::string> map;
    std::string pad;     // empty: not said
    bool exact = false;  // the caller puts 0.0 where it is 0.0, and never -0.0
};

std::string trimmed(std::string_view text) {
    const std::size_t from = text.find_first_not_of(' ');
    if (from == std::string_view::npos) return "";
    return std::string(text.substr(from, text.find_last_not_of(' ') - from + 1));
}

// Parts between commas that stand in no brackets.
std::vector<std::string> listed(std::string_view text) {
    std::vector<std::string> out;
    int depth = 0;
    std::size_t from = 0;
    for (std::size_t k = 0; k <= text.size(); ++k) {
        const char c = k < text.size() ? text[k] : ',';
        if (c == '(' || c == '[') ++depth;
        if (c == ')' || c == ']') --depth;
        if (c != ',' || (depth != 0 && k < text.size())) continue;
        out.push_back(trimmed(text.substr(from, k - from)));
        from = k + 1;
    }
    return out;
}

Result<LayoutText> read_layout(const std::string& buffer, const std::string& text) {
    const auto wrong = [&](const std::string& what) {
        return error("--layout " + buffer + ": " + what,
                     "such as --layout 'A=lambda i, j: [i // 4, j, i % 4], pad_value=0.0'");
    };
    const std::string_view whole = text;
    constexpr std::string_view start = "lambda ";
    const std::size_t colon = whole.find(':');
    if (whole.rfind(start, 0) != 0 || colon == std::string_view::npos) {
        return wrong("not a lambda: '" + text + "'");
    }
    LayoutText out;
    out.vars = listed(whole.substr(start.size(), colon - start.size()));
    if (out.vars == std::vector<std::string>{""}) out.vars.clear();
    const std::vector<std::string> rest = listed(whole.substr(colon + 1));
    const std::string& map = rest[0];
    const bool in_brackets = map.size() > 2 && ((map.front() == '[' && map.back() == ']') ||
                                                (map.front() == '(' && map.back() == ')'));
    if (!in_brackets) return wrong("the map is no list: '" + map + "'");
    out.map = listed(std::string_view(map).substr(1, map.size() - 2));
    for (std::size_t k = 1; k < rest.size(); ++k) {
        if (rest[k] == "exact=True") {
            out.exact = true;
            continue;
        }
        constexpr std::string_view pad = "pad_value=";
        if (rest[k].rfind(pad, 0) != 0) return wrong("unknown: '" + rest[k] + "'");
        out.pad = trimmed(std::string_view(rest[k]).substr(pad.size()));
    }
    return out;
}

class Layouts {
  public:
    Layouts(Context& ctx, analysis::Prover& prover, const Function& before, Function& after)
        : ctx_(ctx), prover_(prover), before_(before), after_(after) {
        for (const Function* f : {&before_, static_cast<const Function*>(&after_)}) {
            for (const std::string& name : names_of(*f)) used_.insert(name);
        }
    }

    Status apply(const std::string& buffer, const LayoutText& text) {
        const Buffer logical = before_.find_buffer_param(buffer);
        const Buffer physical = after_.find_buffer_param(buffer);
        if (logical == nullptr) return no_parameter(buffer, before_, "before");
        if (physical == nullptr) return no_parameter(buffer, after_, "after");
        if (text.vars.size() != logical->rank()) {
            return error(fmt::format("--layout {}: the lambda has {} parameters, the buffer has {} "
                                     "dimensions before",
                                     buffer, text.vars.size(), logical->rank()),
                         "one parameter for each dimension of the buffer in BEFORE");
        }
        const ScalarType type = logical->rank() == 0 ? kInt32 : logical->shape[0]->type;
        Scope scope;
        for (Expr v : before_.scalar_params()) scope.vars[*v->name] = v;
        std::vector<Expr> vars;
        for (const std::string& name : text.vars) {
            vars.push_back(ctx_.var(name, type));
            scope.vars[name] = vars.back();
        }
        std::vector<Expr> map;
        for (const std::string& index : text.map) {
            Result<Expr> e = parse_expr(ctx_, index, scope, type, "--layout " + buffer);
            if (!e) return e.error();
            map.push_back(*e);
        }
        return record(logical, physical, vars, map, text);
    }

    // Of each buffer that has one dimension after and several before.
    Status flatten() {
        for (Buffer logical : before_.buffer_params()) {
            const Buffer physical = after_.find_buffer_param(logical->name);
            if (physical == nullptr || physical->rank() != 1 || logical->rank() < 2) continue;
            std::vector<Expr> vars;
            Expr index = nullptr;
            for (std::size_t d = 0; d < logical->rank(); ++d) {
                vars.push_back(ctx_.var(fresh_name("i", used_), logical->shape[d]->type));
                index = index == nullptr ? vars[0]
                                         : ctx_.add(ctx_.mul(index, logical->shape[d]), vars[d]);
            }
            const Status ok = record(logical, physical, vars, {index}, {});
            if (!ok) return ok;
        }
        return Unit{};
    }

    std::vector<std::string> told;

  private:
    Status record(Buffer logical, Buffer physical, const std::vector<Expr>& vars,
                  const std::vector<Expr>& map, const LayoutText& text) {
        const std::string& name = logical->name;
        if (!related_.insert(name).second) {
            return error("two layouts of " + name, "--layout or --flat says one of each buffer");
        }
        std::vector<std::string> names;
        for (std::size_t k = 0; k < map.size(); ++k) names.push_back(fresh_name("p", used_));
        const auto plan = rewrite::plan_layout(prover_, analysis::parameter_facts(ctx_, before_),
                                               logical, vars, map, names);
        if (!plan) return plan.error();
        if (physical->rank() != map.size()) {
            return error(fmt::format("{}: the layout has {} dimensions, the parameter of after {}",
                                     name, map.size(), physical->rank()));
        }
        Result<bool> larger = larger_than(name, plan->shape, physical->shape);
        if (!larger) return larger.error();
        analysis::Layout layout{name,
                                {logical->shape.begin(), logical->shape.end()},
                                vars,
                                map,
                                plan->physical_vars,
                                plan->inverse};
        if (plan->padded || *larger) {
            const Status ok = fill(layout, text);
            if (!ok) return ok;
        }
        after_ = analysis::with_layout(after_, layout);
        told.push_back(analysis::describe(layout));
        return Unit{};
    }

    // Whether the buffer may have more cells than the box of the map's image.
    static Result<bool> larger_than(const std::string& name, const std::vector<Expr>& box,
                                    std::span<const Expr> shape) {
        bool larger = false;
        for (std::size_t d = 0; d < box.size(); ++d) {
            if (box[d] == shape[d]) continue;
            larger = true;
            if (!is_int_const(box[d]) || !is_int_const(shape[d])) continue;
            if (box[d]->int_value() <= shape[d]->int_value()) continue;
            return error(fmt::format("{}: the layout needs ({}), the parameter of after is ({})",
                                     name, extents(box), extents(shape)),
                         "a map into the shape that after has");
        }
        return larger;
    }
    static std::string extents(std::span<const Expr> shape) {
        std::string out;
        for (Expr extent : shape) out += (out.empty() ? "" : ", ") + print(extent);
        return out;
    }

    Status fill(analysis::Layout& layout, const LayoutText& text) {
        const Buffer logical = before_.find_buffer_param(layout.buffer);
        layout.holds_at_entry = !writes(after_, layout.buffer);
        layout.pad_kind = analysis::PadKind::Undef;
        if (text.pad.empty() || text.pad == "T.undef()") return Unit{};
        Scope scope;
        for (Expr v : layout.physical_vars) scope.vars[*v->name] = v;
        Result<Expr> value =
            parse_expr(ctx_, text.pad, scope, logical->type, "--layout " + layout.buffer);
        if (!value) return value.error();
        layout.pad_kind = analysis::PadKind::Value;
        layout.pad = *value;
        layout.exact = text.exact && layout.holds_at_entry && logical->type.is_float();
        return Unit{};
    }

    static bool writes(const Function& f, const std::string& buffer) {
        bool out = false;
        for_each_stmt(f.body, [&](Stmt s) {
            const Store* n = s->as<Store>();
            out = out || (n != nullptr && n->buffer->name == buffer);
        });
        return out;
    }

    Context& ctx_;
    analysis::Prover& prover_;
    const Function& before_;
    Function& after_;
    std::set<std::string> used_;     // names
    std::set<std::string> related_;  // buffers
};

// --- licences
// --------------------------------------------------------------------------------------

Status grant(Function& f, const std::string& licence) {
    constexpr std::string_view finite = "finite(";
    if (licence.rfind(finite, 0) == 0 && licence.back() == ')') {
        const std::string of = licence.substr(finite.size(), licence.size() - finite.size() - 1);
        const Buffer b = f.find_buffer_param(of);
        if (b == nullptr) return no_parameter(of, f, "before");
        if (!b->type.is_float()) return error("finite(" + of + "): the buffer holds no floats");
    } else if (licence != "reassociate" && licence != "no_signed_zero") {
        return error("'" + licence + "' is no licence",
                     suggest(licence, {"reassociate", "no_signed_zero"},
                             "the licences are reassociate, no_signed_zero and finite(BUFFER)"));
    }
    if (f.has_licence(licence)) return Unit{};
    AttrValue& all = f.attrs[kLicencesAttr];
    AttrValue::List list;
    if (const auto* known = std::get_if<AttrValue::List>(&all.value)) list = *known;
    list.push_back({licence});
    all.value = std::move(list);
    return Unit{};
}

// --- bounds
// ----------------------------------------------------------------------------------------

// Scalar integers of the function are at most `most`, where nothing less is declared.
void bound_above(Function& f, std::int64_t most) {
    AttrValue& all = f.attrs[kUpperBoundAttr];
    AttrValue::Dict bounds;
    if (const auto* known = std::get_if<AttrValue::Dict>(&all.value)) bounds = *known;
    for (Expr v : f.scalar_params()) {
        if (!v->type.is_int() || !v->type.contains(most)) continue;
        const auto declared = f.upper_bound(*v->name);
        bounds[*v->name] = {std::min(declared.value_or(most), most)};
    }
    all.value = std::move(bounds);
}

}  // namespace

Result<RelatedPrograms> relate(const Function& before, const Function& after,
                               const InterfaceRelation& relation, analysis::Prover& prover) {
    Context& ctx = prover.context();
    if (!relation.workspaces.empty()) {
        Function was = before;
        Function is = after;
        const auto told = lend_workspaces(ctx, was, is, relation.workspaces);
        if (!told) return told.error();
        InterfaceRelation rest = relation;
        rest.workspaces.clear();
        Result<RelatedPrograms> out = relate(was, is, rest, prover);
        if (out) out->told.insert(out->told.begin(), told->begin(), told->end());
        return out;
    }
    RelatedPrograms out{before, after, {}, {}};
    std::map<std::string, std::string> names;  // of after -> of before
    for (const auto& [mine, other] : relation.names) {
        const std::vector<std::string> all = names_of(before);
        if (std::find(all.begin(), all.end(), mine) == all.end()) {
            return no_parameter(mine, before, "before");
        }
        const std::vector<std::string> theirs = names_of(after);
        if (std::find(theirs.begin(), theirs.end(), other) == theirs.end()) {
            return no_parameter(other, after, "after");
        }
        if (!names.emplace(other, mine).second) {
            return error("--params: '" + other + "' of after is named twice",
                         "each parameter of the one is one of the other");
        }
    }
    if (relation.by_position) {
        if (before.params.size() != after.params.size()) {
            return error(fmt::format("before has {} parameters and after has {}",
                                     before.params.size(), after.params.size()),
                         "--params BEFORE=AFTER names them one by one");
        }
        for (std::size_t k = 0; k < after.params.size(); ++k) {
            names.emplace(name_of(after.params[k]), name_of(before.params[k]));
        }
    }
    std::erase_if(names, [](const auto& n) { return n.first == n.second; });
    if (!names.empty()) {
        Result<Function> renamed = Renaming(ctx, after, names).run();
        if (!renamed) return renamed.error();
        out.after = *std::move(renamed);
        for (const auto& [theirs, mine] : names) {
            out.told.push_back("parameter " + mine + " is " + theirs + " after");
        }
    }
    if (!relation.names.empty() || relation.by_position) {
        // The order of `before`; what it does not have keeps its place behind.
        const std::vector<std::string> order = names_of(before);
        const auto place = [&](const Param& p) {
            return std::find(order.begin(), order.end(), name_of(p)) - order.begin();
        };
        std::vector<Param> sorted = out.after.params;
        std::stable_sort(sorted.begin(), sorted.end(),
                         [&](const Param& a, const Param& b) { return place(a) < place(b); });
        if (names_of(out.after) != order && sorted != out.after.params) {
            out.told.push_back(fmt::format("after takes its parameters in the order {}",
                                           fmt::join(names_of(after), ", ")));
        }
        out.after.params = std::move(sorted);
    }
    Layouts layouts(ctx, prover, before, out.after);
    for (const auto& [buffer, text] : relation.layouts) {
        const Result<LayoutText> read = read_layout(buffer, text);
        if (!read) return read.error();
        const Status ok = layouts.apply(buffer, *read);
        if (!ok) return ok.error();
    }
    if (relation.flat) {
        const Status ok = layouts.flatten();
        if (!ok) return ok.error();
        if (layouts.told.size() == relation.layouts.size()) {
            return error("--flat: no buffer has one dimension after and several before");
        }
    }
    out.told.insert(out.told.end(), layouts.told.begin(), layouts.told.end());
    for (const std::string& licence : relation.licences) {
        for (Function* f : {&out.before, &out.after}) {
            const Status ok = grant(*f, licence);
            if (!ok) return ok.error();
        }
        out.told.push_back("licence " + licence);
    }
    if (relation.at_most) {
        const auto is_whole = [](Expr v) { return v->type.is_int(); };
        const std::vector<Expr> scalars = before.scalar_params();
        if (std::none_of(scalars.begin(), scalars.end(), is_whole)) {
            return error("--at-most: the programs have no integer parameters");
        }
        bound_above(out.before, *relation.at_most);
        bound_above(out.after, *relation.at_most);
        out.told.push_back(fmt::format("callers pass integers of at most {}", *relation.at_most));
    }
    if (relation.no_overflow) {
        if (const Status ok = take_no_overflow(ctx, out); !ok) return ok.error();
    }
    return out;
}

}  // namespace proviso::verify
