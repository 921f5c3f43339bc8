#include "rewrite/schedule/restated.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "ir/child_at.h"
#include "ir/text.h"

namespace proviso::rewrite {

using namespace ir;
using nlohmann::json;

namespace {

json values_of(const std::vector<Expr>& bound, const Substitution& given) {
    json out = json::object();
    for (Expr v : bound) {
        const auto found = given.find(v);
        out[*v->name] = print(found == given.end() ? v : found->second);
    }
    return out;
}

}  // namespace

std::vector<Expr> bound_around(Stmt text, const Site& site) {
    std::vector<Expr> out;
    Stmt here = text;
    for (const std::string& label : site.steps) {
        if (const For* n = here->as<For>()) out.push_back(n->var);
        if (const LetStmt* n = here->as<LetStmt>()) out.push_back(n->var);
        if (const Block* n = here->as<Block>()) {
            for (const BlockIter& it : n->iters) out.push_back(it.var);
        }
        here = child_at(here, label).stmt;
        if (here == nullptr) break;
    }
    return out;
}

Stmt in_loops(Context& ctx, const std::vector<For>& loops, Stmt body) {
    for (auto l = loops.rbegin(); l != loops.rend(); ++l) {
        For copy = *l;
        copy.body = body;
        body = ctx.stmt(std::move(copy));
    }
    return body;
}

void add_parts(Restated& r, Stmt body, const Part& whole) {
    const Seq* list = body->as<Seq>();
    if (list == nullptr) {
        r.parts.push_back(whole);
        return;
    }
    for (std::size_t k = 0; k < list->body.size(); ++k) {
        Part part = whole;
        part.now = whole.now.child(std::to_string(k));
        part.origin = whole.origin.child(std::to_string(k));
        r.parts.push_back(std::move(part));
    }
}

json restate_arguments(Stmt before, const Restated& r) {
    json parts = json::array();
    for (const Part& part : r.parts) {
        json written = {{"now", part.now.str()},
                        {"origin", part.origin.str()},
                        {"from", values_of(bound_around(before, part.origin), part.from)},
                        {"to", values_of(bound_around(r.after, part.now), part.to)}};
        if (part.when != nullptr) written["when"] = print(part.when);
        if (part.where != nullptr) written["where"] = print(part.where);
        parts.push_back(std::move(written));
    }
    json args = {{"text", print(r.after)}, {"parts", std::move(parts)}};
    if (!r.apart.empty()) args["apart"] = r.apart;
    if (r.count != 1) args["count"] = r.count;
    for (const Site& site : r.dropped) args["dropped"].push_back(site.str());
    if (!r.unseen.empty()) args["unseen"] = json::parse(r.unseen);
    if (!r.extra.empty()) args["extra"] = json::parse(r.extra);
    if (r.reassociate) args["reassociate"] = true;
    return args;
}

std::optional<Rejection> restate(Proposer& p, const Site& site, const Restated& r) {
    Stmt before = locate(p.current(), site)->stmt;
    return p.apply("restate", site, restate_arguments(before, r));
}

std::optional<Rejection> move_within(Proposer& p, const Site& site, std::size_t from,
                                     std::size_t to) {
    const std::size_t first = std::min(from, to);
    const Seq list = *locate(p.current(), site)->stmt->as<Seq>();
    Restated r;
    r.count = std::max(from, to) - first + 1;
    std::vector<Stmt> old(list.body.begin() + static_cast<std::ptrdiff_t>(first),
                          list.body.begin() + static_cast<std::ptrdiff_t>(first + r.count));
    std::vector<Stmt> now = old;
    const std::size_t moved = from - first;
    now.erase(now.begin() + static_cast<std::ptrdiff_t>(moved));
    now.insert(now.begin() + static_cast<std::ptrdiff_t>(to - first), old[moved]);
    for (std::size_t k = 0; k < r.count; ++k) {
        const std::size_t place = k == moved ? to - first : from < to ? k - 1 : k + 1;
        Part part;
        part.origin = Site{}.child(std::to_string(k));
        part.now = Site{}.child(std::to_string(place));
        r.parts.push_back(std::move(part));
        if (k != moved) r.apart.emplace(std::min(k, moved), std::max(k, moved));
    }
    r.after = p.ctx().seq(now);
    std::optional<Rejection> no;
    const json args = restate_arguments(p.ctx().seq(old), r);
    if (p.try_apply("restate", site.child(std::to_string(first)), args, &no)) return std::nullopt;
    return no;
}

bool put_together(Proposer& p, const Site& site, std::size_t first, std::size_t last,
                  const std::string& loop) {
    Context& ctx = p.ctx();
    const Seq list = *locate(p.current(), site)->stmt->as<Seq>();
    Expr u = ctx.var(loop, kInt32);
    Expr zero = ctx.int_imm(kInt32, 0);
    // Only those that move: the order of each pair of parts is looked at.
    Restated r;
    r.count = last - first + 1;
    const Site body = Site{}.child("body");
    for (std::size_t k = 0; k < r.count; ++k) {
        const std::string label = std::to_string(k);
        Part part;
        part.origin = r.count == 1 ? Site{} : Site{}.child(label);
        part.now = r.count == 1 ? body : body.child(label);
        part.to[u] = zero;
        r.parts.push_back(std::move(part));
    }
    Stmt before = list.body[first];
    if (r.count > 1) {
        const auto from = list.body.begin() + static_cast<std::ptrdiff_t>(first);
        before = ctx.seq({from, from + static_cast<std::ptrdiff_t>(r.count)});
    }
    r.after = ctx.stmt(For{u, zero, ctx.int_imm(kInt32, 1), ForKind::Serial, "", before});
    return p.try_apply("restate", site.child(std::to_string(first)), restate_arguments(before, r));
}

bool take_apart(Proposer& p, const std::string& loop) {
    const std::optional<Site> site = find_loop(p.current(), loop);
    return site && p.try_apply("decide-branch", *site, json::object());
}

}  // namespace proviso::rewrite
