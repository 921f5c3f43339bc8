// `while` as a `for` whose iterations are at least as many.
//
//     while c:      for step in range(N):     Once `c` is false, nothing changes any more. So it is
//         X             if c:                 false in each later iteration, which does nothing.
//         The
//                           X                 two are the same where the `while` never has more
//                                             than N iterations: while_bounds.h.
//
// `c` makes no calls and depends on nothing but memory and variables. N is evaluated once, before
// the loop: where it reads cells, under `if c`, so that it reads and observes nothing that the
// `while` does not. The bounds that are read from memory get names, as the body may change it. An
// early exit sets a flag, and the flag is tested before `c`.
#include <algorithm>

#include "ir/text/reader/expressions/folding.h"
#include "ir/text/reader/stmt_binder.h"
#include "ir/text/reader/while_bounds.h"

namespace proviso::ir {

using python::Exit;
using python::Node;
using python::NodeKind;
using python::Statement;
using python::StatementKind;

// What the cell holds here, by a term of variables; null where the lines before in this list do not
// say it.
Expr StmtBinder::known_before(Buffer buffer, const std::vector<Expr>& indices) const {
    for (const Before* list = before_; list != nullptr; list = list->outer) {
        for (std::size_t i = list->lines->size(); i-- > 0;) {
            const Store* store = (*list->lines)[i]->as<Store>();
            if (store == nullptr) return nullptr;
            if (store->buffer == buffer && store->indices == indices) {
                return is_plain_term(store->value) ? store->value : nullptr;
            }
            if (exprs_.is_view(store->buffer) || exprs_.is_view(buffer)) return nullptr;
            const auto& to = store->indices;
            const bool other_cell =
                std::all_of(to.begin(), to.end(), [](Expr e) { return is_int_const(e); });
            if (store->buffer == buffer && !other_cell) return nullptr;
        }
    }
    return nullptr;
}

namespace {

// `if c: break` as the first line of `while True`: it is `while not c`.
const Statement* break_at_start(const Statement& loop) {
    if (loop.body.empty() || !loop.body[0].is(StatementKind::If)) return nullptr;
    const Statement& line = loop.body[0];
    const bool leaves =
        line.body.size() == 1 && python::exit_of(line.body[0]) == std::optional(Exit::Break);
    return leaves && python::returned_value(line.body[0]) == nullptr ? &line : nullptr;
}

}  // namespace

Stmt StmtBinder::bind_while(const Statement& s) {
    if (python::never_runs(s)) {  // its lines are read for their mistakes
        within_loop(s, ForKind::Serial, 1, [&] { return bind_body(s.body); });
        return ctx_.pass();
    }
    const Statement* first = always_runs(s) ? break_at_start(s) : nullptr;
    if (first != nullptr) {
        Expr end = bind_truth(first->value, "the condition of `if`");
        Statement& rest = made_lines_.emplace_back(s);
        rest.body.assign(first->otherwise.begin(), first->otherwise.end());
        rest.body.insert(rest.body.end(), s.body.begin() + 1, s.body.end());
        return bind_while(rest, neither(ctx_, end));
    }
    return bind_while(s, bind_truth(s.value, "the condition of `while`"));
}

Stmt StmtBinder::bind_while(const Statement& s, Expr cond) {
    python::Exits stops = python::leaving(s.body).exits;
    stops.remove(Exit::Continue);
    return within_loop(s, ForKind::Serial, 1, [&] {
        if (++depth_ > python::kMaxStatements) {
            wrong(s, "more than " + std::to_string(python::kMaxStatements) +
                         " loops and bindings are inside each other");
        }
        enter_guards(s.at, 2);
        Stmt body = bind_branch(cond, true, [&] { return bind_body(s.body); });
        WhileLoop loop{cond, body, {}, {}, {}};
        for (const Exit exit : {Exit::Break, Exit::Return}) {
            if (stops.has(exit)) loop.flags.insert(flag_of(exit).buffer);
        }
        loop.memory = [&](Buffer buffer) -> Buffer {
            Buffer below = memory_below(buffer);
            return below == buffer && exprs_.is_view(buffer) ? nullptr : below;
        };
        loop.known = [&](Buffer buffer, const std::vector<Expr>& indices) {
            return known_before(buffer, indices);
        };
        const auto bound = bound_of(ctx_, loop);
        if (!bound) {
            no_meaning(s, "this `while` has no meaning here: no bound on its iterations is seen",
                       "a `for` has a known number of iterations; docs/tvmscript.md says which "
                       "forms of `while` have one");
        }
        std::vector<std::pair<Expr, Expr>> lets;
        const auto fixed = [&](Expr e, const std::string& name) {
            if (is_plain_term(e)) return e;
            lets.emplace_back(ctx_.var(names_.unique(name), e->type), e);
            return lets.back().first;
        };
        const Expr lo = fixed(bound->lo, "first");
        const Expr hi = fixed(bound->hi, "last");
        Expr step = ctx_.var(names_.unique("step"), hi->type);
        Stmt inner = unless_taken(stops, bound->exact ? body : ctx_.if_(cond, body));
        Stmt out = ctx_.for_(step, lo, hi, inner);
        if (bound->step != 1) {
            Node by;
            by.kind = NodeKind::Int;
            by.at = s.at;
            by.text = std::to_string(static_cast<std::int64_t>(bound->step));
            out = with_step(out, by);
        }
        for (std::size_t i = lets.size(); i-- > 0;) {
            out = ctx_.stmt(LetStmt{lets[i].first, lets[i].second, out});
        }
        if (!bound->anywhere) out = ctx_.if_(cond, out);
        bodies_ -= 2;
        --depth_;
        return out;
    });
}

}  // namespace proviso::ir
