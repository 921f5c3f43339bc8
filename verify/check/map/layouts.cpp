#include "verify/check/map/layouts.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "analysis/facts/path.h"
#include "analysis/layout/layout.h"
#include "ir/text.h"
#include "rewrite/passes/passes.h"
#include "rewrite/rules/fresh_copy.h"
#include "rewrite/schedule/reader/interpreter/unused.h"
#include "verify/check/map/spelling.h"

namespace proviso::verify {

using namespace ir;
using namespace rewrite;
using analysis::Layout;
using analysis::PadKind;
using nlohmann::json;

namespace {

bool same(const Layout& a, const Layout& b) {
    // Whose padding it is, where nobody may touch it, means nothing.
    const bool by = a.holds_at_entry == b.holds_at_entry || a.pad_kind == PadKind::None;
    return by && a.buffer == b.buffer && a.logical_shape == b.logical_shape && a.vars == b.vars &&
           a.map == b.map && a.physical_vars == b.physical_vars && a.inverse == b.inverse &&
           a.pad_kind == b.pad_kind && a.pad == b.pad && a.exact == b.exact;
}

// The last statement of what stands below the allocations around everything.
Site last_statement(const Function& f) {
    Site out;
    Stmt here = f.body;
    while (const Allocate* n = here->as<Allocate>()) {
        here = n->body;
        out = out.child("body");
    }
    const Seq* list = here->as<Seq>();
    if (list == nullptr || list->body.empty()) return out;
    return out.child(std::to_string(list->body.size() - 1));
}

bool relate(Proposer& p, const Layout& layout, const std::vector<Expr>& shape,
            const Function& after, std::vector<std::string>& tried) {
    std::set<std::string> used = used_names(p.current());
    for (const std::string& name : used_names(after)) used.insert(name);
    json args = {
        {"buffer", layout.buffer},          {"shape", texts(shape)},
        {"vars", texts(layout.vars)},       {"map", texts(layout.map)},
        {"inverse", texts(layout.inverse)}, {"physical_vars", texts(layout.physical_vars)}};
    args["pad"] = layout.pad_kind == PadKind::None    ? "none"
                  : layout.pad_kind == PadKind::Undef ? "undef"
                                                      : print(layout.pad);
    if (layout.exact) args["exact"] = true;
    json box = json::array();
    for (std::size_t d = 0; d < shape.size() && layout.pad_kind != PadKind::None; ++d) {
        args["names"].push_back(fresh_name(layout.buffer + "_p" + std::to_string(d), used));
        box.push_back(json::array({"0", print(shape[d])}));
    }
    std::optional<Rejection> no;
    if (p.try_apply("relayout", Site{}, args, &no)) return true;
    if (layout.pad_kind != PadKind::None) {
        args["boxes"] = json::array({{{"guarded", true}, {"ranges", box}}});
        args["after"] = last_statement(p.current()).str();
        if (p.try_apply("relayout", Site{}, args, &no)) return true;
    }
    tried.push_back("the layout of " + layout.buffer + ": " + refusal_text(*no));
    return false;
}

struct Contents {
    bool undefined = false;  // stores T.undef()
    bool assumes = false;
    bool other = false;  // does something else
};
Contents contents(Stmt s) {
    Contents out;
    for_each_stmt(s, [&](Stmt t) {
        const Store* n = t->as<Store>();
        const bool undefined = n != nullptr && n->value->op == Op::Undef;
        out.undefined = out.undefined || undefined;
        out.assumes = out.assumes || t->is<Assume>();
        out.other = out.other || (n != nullptr && !undefined) || t->is<Assert>() ||
                    t->is<Evaluate>() || t->is<Allocate>();
    });
    return out;
}

// Loops around nothing, in the list that the program is, that the second program has not.
void drop_empty_nests(Proposer& p, Stmt target) {
    const auto empty = [](Stmt s) {
        bool out = true;
        for_each_stmt(s, [&](Stmt t) {
            out = out && (t->is<For>() || t->is<IfElse>() || t->is<Seq>() || t->is<LetStmt>());
        });
        return out;
    };
    for (bool again = !empty(target); again;) {
        again = false;
        for (const auto& [site, s] : all_statements(p.current())) {
            if (!s->is<For>() || !empty(s)) continue;
            again = p.try_apply("drop-empty", site, json::object());
            if (again) break;
        }
    }
}

}  // namespace

bool same_layouts(Context& ctx, const Function& a, const Function& b) {
    for (Buffer buffer : a.buffer_params()) {
        const std::vector<Layout> one = analysis::layouts_of(ctx, a, buffer->name);
        const std::vector<Layout> other = analysis::layouts_of(ctx, b, buffer->name);
        if (!std::equal(one.begin(), one.end(), other.begin(), other.end(), same)) return false;
    }
    return true;
}

bool match_layouts(Proposer& p, const Function& after, std::vector<std::string>& tried) {
    Context& ctx = p.ctx();
    for (Buffer buffer : after.buffer_params()) {
        const std::vector<Layout> have = analysis::layouts_of(ctx, p.current(), buffer->name);
        const std::vector<Layout> want = analysis::layouts_of(ctx, after, buffer->name);
        for (std::size_t k = 0; k < want.size(); ++k) {
            if (k < have.size()) {
                if (same(have[k], want[k])) continue;
                tried.push_back(buffer->name + " has another layout in the first program");
                return false;
            }
            const std::vector<Expr> last(buffer->shape.begin(), buffer->shape.end());
            const auto& shape = k + 1 < want.size() ? want[k + 1].logical_shape : last;
            if (!relate(p, want[k], shape, after, tried)) return false;
        }
    }
    return true;
}

Stmt with_padding(Context& ctx, const Function& f, const Site& root, Stmt target) {
    const Contents wanted = contents(target);
    Stmt s = locate(f, root)->stmt;
    std::vector<Stmt> elements = {s};
    if (const Seq* list = s->as<Seq>()) elements = list->body;
    std::vector<Stmt> all;
    std::vector<Stmt> last;
    for (Stmt element : elements) {
        const Contents c = contents(element);
        if (c.other || c.undefined == c.assumes) continue;
        if (c.assumes && !wanted.assumes) all.push_back(element);
        if (c.undefined && !wanted.undefined) last.push_back(element);
    }
    if (all.empty() && last.empty()) return target;
    all.push_back(target);
    all.insert(all.end(), last.begin(), last.end());
    return ctx.seq(all);
}

bool drop_padding(Proposer& p, Stmt target, std::vector<std::string>& tried) {
    const Contents wanted = contents(target);
    for (bool again = !wanted.undefined; again;) {
        again = false;
        for (const auto& [site, s] : all_statements(p.current())) {
            const Store* n = s->as<Store>();
            if (n == nullptr || n->value->op != Op::Undef) continue;
            std::optional<Rejection> why;
            if (!drop_store(p, p.memory(), site, why)) {
                tried.push_back("undefined padding of " + n->buffer->name + " stays" +
                                (why ? ": " + refusal_text(*why) : ""));
                return false;
            }
            drop_unused(p, site);
            again = true;
            break;
        }
    }
    if (wanted.assumes || !contents(p.current().body).assumes) return true;
    lower_assumptions(p, false);
    drop_empty_nests(p, target);
    return true;
}

}  // namespace proviso::verify
