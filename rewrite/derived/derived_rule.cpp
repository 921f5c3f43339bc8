#include "rewrite/derived/derived_rule.h"

#include <nlohmann/json.hpp>

#include "ir/children.h"
#include "rewrite/derived/guards/guarded_body.h"

namespace proviso::rewrite {

using namespace ir;

Result<Proposal> RescheduleRule::propose(Context& ctx, const Function& before, const Site& site,
                                         const nlohmann::json& args) const {
    const Result<Rescheduling> proposed = rescheduling(ctx, before, site, args);
    if (!proposed) return proposed.error();
    return reschedule(ctx, before, place(before, site), *proposed);
}

Site RescheduleRule::place(const Function& before, const Site& site) const {
    (void)before;
    return site;
}

Result<For> loop_at(const Function& f, const Site& site, const std::string& rule) {
    const Result<Located> at = locate(f, site);
    if (!at) return at.error();
    const For* loop = at->as<For>();
    if (loop == nullptr) return error(rule + " works on a loop");
    return *loop;
}

std::size_t list_length(Stmt s) {
    const Seq* list = s->as<Seq>();
    return list == nullptr ? 1 : list->body.size();
}

Site list_element(const Site& site, Stmt s, std::size_t k) {
    return s->is<Seq>() ? site.child(std::to_string(k)) : site;
}

std::vector<Part> as_parts(Stmt text, const Part& whole) {
    const Seq* list = text->as<Seq>();
    if (list == nullptr) return {whole};
    std::vector<Part> out(list->body.size(), whole);
    for (std::size_t k = 0; k < out.size(); ++k) {
        out[k].now = whole.now.child(std::to_string(k));
        out[k].origin = whole.origin.child(std::to_string(k));
    }
    return out;
}

namespace {

// The parts of `old`, which stands as `text` now: down to where the guard has gone.
void parts_below(Stmt text, Stmt old, Part at, std::vector<Part>& out) {
    const For* loop = old->as<For>();
    const For* now = text->as<For>();
    const Seq* list = old->as<Seq>();
    if (loop != nullptr && now != nullptr) {
        at.from[loop->var] = now->var;
        at.to[now->var] = loop->var;
        at.now = at.now.child("body");
        at.origin = at.origin.child("body");
        parts_below(now->body, loop->body, std::move(at), out);
    } else if (list != nullptr && text->is<Seq>()) {
        for (std::size_t k = 0; k < list->body.size(); ++k) {
            Part element = at;
            element.now = at.now.child(std::to_string(k));
            element.origin = at.origin.child(std::to_string(k));
            parts_below(text->as<Seq>()->body[k], list->body[k], std::move(element), out);
        }
    } else {
        // A branch that stood there without an `else` has taken the guard in front of its
        // condition.
        const IfElse* branch = old->as<IfElse>();
        const bool has_taken_it = branch != nullptr && branch->else_body == nullptr;
        if (text->is<IfElse>() && !has_taken_it) at.now = at.now.child("then");
        out.push_back(std::move(at));
    }
}

}  // namespace

Result<MovedBody> move_body(Context& ctx, Stmt body, const Site& origin, const Site& now,
                            Expr guard, const std::string& kind, const Substitution& from,
                            const Substitution& to) {
    Stmt moved = substitute(ctx, body, from);
    const Result<Stmt> text = guarded_body(ctx, moved, guard, kind);
    if (!text) return text.error();
    MovedBody out{*text, {}};
    const Part whole{now, origin, from, to, nullptr};
    if (kind == "none") {
        out.parts.push_back(whole);
    } else if (kind == "if") {
        out.parts.push_back(whole);
        out.parts.back().now = now.child("then");
    } else {
        parts_below(*text, body, whole, out.parts);
    }
    return out;
}

}  // namespace proviso::rewrite
