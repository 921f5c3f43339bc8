// compute-at: a nest runs in the iterations of a loop further on that read its results, or of one
// further up whose results it reads: a part of it in each.
//
//   for x in range(n): B[x] = f(x)                  for l in range(m):
//   for l in range(m): S                 →              for t in range(e): B[low(l) + t] = f(…)
//                                                       S
//
// The site is the first of the statements of a list that the nest and the loop stand in. What
// comes from a later nest stands at the end of the loop's body. Each iteration of the nest runs
// once, in the iteration of the loop that "owner" says. Arguments:
//   "nest"     site of the nest in the function
//   "loop"     site of the loop; only loops and lists stand around it on the way
//   "over"     loops of the nest that go into parts, outermost first; all other ones of the nest
//              are within each part
//   "names"    of the new loops, one for each of "over"
//   "low"      where each begins, over the loops around the place
//   "extent"   how many iterations each has, likewise
//   "owner"    {loop on the way to the place: its iteration, over the loops of the nest}
//   "guard"    which iterations of the new loops run, over them and the loops around; absent: all
//   "kind"     where the guard stands ("if", "leaf", "block"; guarded_body.h)
//   "needed"   which iterations of the nest run at all, over its loops; absent: all
//   "unseen"   why what the others store is not seen (reschedule.h)
#include <algorithm>
#include <nlohmann/json.hpp>

#include "analysis/facts/path.h"
#include "rewrite/derived/arguments.h"
#include "rewrite/derived/derived_rule.h"
#include "rewrite/rules/common.h"
#include "rewrite/rules/statement/statement_rules.h"

namespace proviso::rewrite {

using namespace ir;
using nlohmann::json;

namespace {

// The place in the list that a site names.
std::optional<std::size_t> index_of(const Site& site) {
    if (site.steps.empty()) return std::nullopt;
    const std::string& last = site.steps.back();
    const bool number =
        !last.empty() && last.size() < 10 &&
        std::all_of(last.begin(), last.end(), [](char c) { return c >= '0' && c <= '9'; });
    if (!number) return std::nullopt;
    return std::stoul(last);
}

struct Nest {
    std::vector<For> over;
    std::vector<For> within;
    Stmt body = nullptr;
    Site site;  // of the body
};

Result<Nest> nest_of(Stmt whole, const Site& site, const std::vector<std::string>& over) {
    Nest out;
    out.site = site;
    Stmt s = whole;
    while (const For* loop = s->as<For>()) {
        const bool outside = std::count(over.begin(), over.end(), *loop->var->name) != 0;
        (outside ? out.over : out.within).push_back(*loop);
        s = loop->body;
        out.site = out.site.child("body");
    }
    out.body = s;
    if (out.over.size() != over.size()) return error("'over' names loops of the nest, each once");
    for (std::size_t d = 0; d < over.size(); ++d) {
        if (*out.over[d].var->name != over[d]) return error("'over' is not in the nest's order");
    }
    return out;
}

class ComputeAt final : public RescheduleRule {
  public:
    std::string name() const override { return "compute-at"; }
    std::string summary() const override {
        return "a nest runs part by part in the iterations of another loop";
    }

    Result<Rescheduling> rescheduling(Context& ctx, const Function& before, const Site& site,
                                      const json& args) const override {
        const Result<Site> nest_site = arg_site(args, "nest");
        if (!nest_site) return nest_site.error();
        const Result<Site> target = arg_site(args, "loop");
        if (!target) return target.error();
        const Diagnostic apart =
            error("the nest and the loop are not in two statements of one list");
        if (nest_site->steps.empty()) return apart;
        const Site list_site = nest_site->parent();
        const Result<Located> list_at = locate(before, list_site);
        const Seq* list = list_at && list_at->stmt != nullptr ? list_at->as<Seq>() : nullptr;
        const std::size_t depth = list_site.steps.size();
        const std::optional<std::size_t> own = index_of(*nest_site);
        std::optional<std::size_t> other;
        if (list_site.contains(*target) && target->steps.size() > depth) {
            other = index_of(Site{{target->steps[depth]}});
        }
        const bool known = list != nullptr && own && other && *own != *other &&
                           std::max(*own, *other) < list->body.size();
        if (!known) return apart;
        const std::size_t first = std::min(*own, *other);
        if (site != list_site.child(std::to_string(first))) {
            return error("the site is not the first of the two statements");
        }
        const Result<std::vector<std::string>> over = arg_strings(args, "over");
        if (!over) return over.error();
        const auto origin = [&](std::size_t k) { return Site{}.child(std::to_string(k - first)); };
        const Result<Nest> nest = nest_of(list->body[*own], origin(*own), *over);
        if (!nest) return nest.error();

        Rescheduling out;
        out.count = std::max(*own, *other) - first + 1;
        const std::vector<std::string> way(
            target->steps.begin() + static_cast<std::ptrdiff_t>(depth) + 1, target->steps.end());
        Walk walk{ctx, before, args, *nest, *own > *other, out, {}};
        std::vector<Stmt> text;
        for (std::size_t k = first; k < first + out.count; ++k) {
            if (k == *own) continue;
            const Site now = out.count == 2 ? Site{} : Site{}.child(std::to_string(text.size()));
            if (k != *other) {
                walk.stays(now, origin(k), {});
                text.push_back(list->body[k]);
                continue;
            }
            const Result<Stmt> placed = walk.below(list->body[k], now, origin(k), way, 0);
            if (!placed) return placed.error();
            text.push_back(*placed);
        }
        out.after = text.size() == 1 ? text[0] : ctx.seq(text);
        for (std::size_t k = walk.moved_from; k < walk.moved_to; ++k) {
            for (std::size_t j = 0; j < out.parts.size(); ++j) {
                out.apart.emplace(std::min(j, k), std::max(j, k));
            }
        }
        out.reason = "what is moved and what it passes touch no common cell of %";
        return out;
    }

  private:
    // The way from the list's statement to the loop.
    struct Walk {
        Context& ctx;
        const Function& before;
        const json& args;
        const Nest& nest;
        bool at_end;
        Rescheduling& out;
        std::vector<Expr> around;  // loops, outermost first
        std::size_t moved_from = 0;
        std::size_t moved_to = 0;

        Result<Stmt> below(Stmt s, const Site& now, const Site& origin,
                           const std::vector<std::string>& way, std::size_t k) {
            if (const For* loop = s->as<For>()) {
                around.push_back(loop->var);
                For copy = *loop;
                if (k == way.size()) {
                    Result<Stmt> body = place(*loop, now.child("body"), origin.child("body"));
                    if (!body) return body;
                    copy.body = *body;
                    return ctx.stmt(copy);
                }
                if (way[k] != "body") return error("there is no such place in a loop");
                Result<Stmt> body =
                    below(loop->body, now.child("body"), origin.child("body"), way, k + 1);
                if (!body) return body;
                copy.body = *body;
                return ctx.stmt(copy);
            }
            const Seq* list = s->as<Seq>();
            if (list == nullptr || k == way.size()) {
                return error("only loops and lists stand between the list and the loop");
            }
            const std::optional<std::size_t> here = index_of(Site{{way[k]}});
            if (!here || *here >= list->body.size()) return error("there is no such place");
            std::vector<Stmt> text = list->body;
            std::vector<Expr> loops = around;
            for (std::size_t j = 0; j < text.size(); ++j) {
                if (j == *here) continue;
                stays(now.child(std::to_string(j)), origin.child(std::to_string(j)), loops);
            }
            Result<Stmt> inner =
                below(text[*here], now.child(way[k]), origin.child(way[k]), way, k + 1);
            if (!inner) return inner;
            text[*here] = *inner;
            return ctx.seq(text);
        }

        void stays(const Site& now, const Site& origin, const std::vector<Expr>& loops) {
            Substitution same;
            for (Expr v : loops) same[v] = v;
            out.parts.push_back({now, origin, same, same, nullptr});
        }

        // The body of the loop, with the part of the nest in front.
        Result<Stmt> place(const For& loop, const Site& now, const Site& origin) {
            const std::size_t length = list_length(loop.body);
            for (std::size_t j = 0; j < length; ++j) {
                const std::size_t k = at_end ? j : j + 1;
                stays(now.child(std::to_string(k)), list_element(origin, loop.body, j), around);
            }
            Result<Stmt> moved = part_of_nest(now.child(at_end ? std::to_string(length) : "0"));
            if (!moved) return moved;
            return at_end ? ctx.seq({loop.body, *moved}) : ctx.seq({*moved, loop.body});
        }

        Result<Stmt> part_of_nest(Site now) {
            const Result<std::vector<std::string>> names = arg_strings(args, "names");
            if (!names) return names.error();
            if (names->size() != nest.over.size()) return error("one new loop for each of 'over'");
            Scope outer = analysis::scope_at(ctx, before, *arg_site(args, "loop"));
            outer.vars[*around.back()->name] = around.back();
            Substitution from;
            std::vector<For> loops;
            std::vector<Expr> offsets;
            for (std::size_t d = 0; d < nest.over.size(); ++d) {
                const ScalarType type = nest.over[d].var->type;
                const auto one = [&](const char* key) -> Result<Expr> {
                    const bool listed = args.contains(key) && args[key].is_array();
                    if (!listed || args[key].size() != nest.over.size()) {
                        return error(std::string("'") + key + "' has one for each of 'over'");
                    }
                    return arg_expr(ctx, json{{key, args[key][d]}}, key, outer, type);
                };
                const Result<Expr> low = one("low");
                if (!low) return low.error();
                const Result<Expr> extent = one("extent");
                if (!extent) return extent.error();
                For loop = nest.over[d];
                loop.var = ctx.var((*names)[d], type);
                loop.lo = ctx.int_imm(type, 0);
                loop.hi = *extent;
                from[nest.over[d].var] = is_int_const(*low, 0) ? loop.var : ctx.add(*low, loop.var);
                offsets.push_back(*low);
                loops.push_back(loop);
            }
            Substitution to;
            if (const Status read = owners(to); !read) return read.error();
            for (std::size_t d = 0; d < loops.size(); ++d) {
                Expr low = substitute(ctx, offsets[d], to);
                to[loops[d].var] =
                    is_int_const(low, 0) ? nest.over[d].var : ctx.sub(nest.over[d].var, low);
            }
            for (const For& loop : nest.within) {
                from[loop.var] = loop.var;
                to[loop.var] = loop.var;
                loops.push_back(loop);
                loops.back().lo = substitute(ctx, loop.lo, from);
                loops.back().hi = substitute(ctx, loop.hi, from);
            }
            Expr guard = nullptr;
            if (args.contains("guard")) {
                Scope inner = outer;
                for (const For& loop : loops) inner.vars[*loop.var->name] = loop.var;
                const Result<Expr> read = arg_expr(ctx, args, "guard", inner, kBool);
                if (!read) return read.error();
                guard = *read;
            }
            const std::string kind = arg_string_if(args, "kind").value_or("if");
            for (std::size_t d = 0; d < loops.size(); ++d) now = now.child("body");
            Result<MovedBody> body = move_body(ctx, nest.body, nest.site, now, guard,
                                               guard == nullptr ? "none" : kind, from, to);
            if (!body) return body.error();
            moved_from = out.parts.size();
            if (const Status ok = add(*body); !ok) return ok.error();
            moved_to = out.parts.size();
            Stmt s = body->text;
            for (std::size_t d = loops.size(); d-- > 0;) {
                loops[d].body = s;
                s = ctx.stmt(loops[d]);
            }
            return s;
        }

        Status owners(Substitution& to) {
            const json given = args.value("owner", json::object());
            if (!given.is_object()) return error("'owner' gives an expression for each loop");
            for (const auto& [loop, at] : given.items()) {
                const bool on_the_way = std::any_of(
                    around.begin(), around.end(), [&, l = loop](Expr v) { return *v->name == l; });
                if (!on_the_way) return error("loop " + loop + " is not on the way to the place");
            }
            Scope nest_scope = analysis::scope_at(ctx, before, *arg_site(args, "loop"));
            for (const auto* loops : {&nest.over, &nest.within}) {
                for (const For& loop : *loops) nest_scope.vars[*loop.var->name] = loop.var;
            }
            for (Expr v : around) {
                const Result<Expr> at = arg_expr(ctx, given, v->name->c_str(), nest_scope, v->type);
                if (!at) return at.error();
                to[v] = *at;
            }
            return Unit{};
        }

        Status add(MovedBody& body) {
            if (args.contains("needed")) {
                Scope scope = analysis::scope_at(ctx, before, *arg_site(args, "loop"));
                for (const For& loop : nest.over) scope.vars[*loop.var->name] = loop.var;
                const Result<Expr> needed = arg_expr(ctx, args, "needed", scope, kBool);
                if (!needed) return needed.error();
                if (body.parts.size() != 1) return error("what is left out is one statement");
                body.parts[0].when = *needed;
                out.dropped = {body.parts[0].origin};
                out.unseen = args.value("unseen", json::object()).dump();
            }
            for (Part& part : body.parts) {
                for (Part& one : as_parts_of(part)) out.parts.push_back(std::move(one));
            }
            return Unit{};
        }

        std::vector<Part> as_parts_of(const Part& part) const {
            const bool bare = part.origin == nest.site && !args.contains("guard");
            return bare ? as_parts(nest.body, part) : std::vector<Part>{part};
        }
    };
};

}  // namespace

const Rule& compute_at_rule() {
    static const ComputeAt rule;
    return rule;
}

}  // namespace proviso::rewrite
