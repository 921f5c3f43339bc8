// Accesses: every load and store of a function, with its iteration domain, its position in
// execution order and its index map, as formulas. Memory claims (claims.h), dependence and race
// conditions are built from three questions:
//
//   executes(a, i)         the access happens at iteration i of the loops around it
//   before(a, i, b, j)     it happens before access b at iteration j
//   index(a, i)            the cell that it touches
//
// Each has two readings, because guards may depend on data: `may` over-approximates, `must`
// under-approximates.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "ir/context.h"
#include "ir/inventory.h"
#include "ir/site.h"

namespace proviso::analysis {

// One construct on the way from the root to an access that matters for order.
struct OrderStep {
    enum class Kind : std::uint8_t { Position, Loop } kind;
    int position =
        0;  // Position: rank among the children of one statement (or of one expression evaluation)
    ir::Expr var = nullptr;   // Loop
    bool concurrent = false;  // Loop: parallel, vectorized or thread-bound
    // Of the construct: its site is the first so many steps of the access's own.
    std::size_t depth = 0;
};

struct Access {
    ir::Site site;       // of the Store statement, or of the load within its statement
    ir::Site statement;  // of the statement that it belongs to
    bool is_store = false;
    ir::Buffer buffer = nullptr;
    std::vector<ir::Expr>
        indices;  // over `loops` (lets and block iterators are substituted where that is possible)
    ir::Expr value = nullptr;     // Store: the stored value, over `loops`
    std::vector<ir::Expr> loops;  // loop variables, outermost first
    std::vector<ir::Expr>
        opaque;             // lets of data-dependent values around it: variables of their own
    ir::Substitution lets;  // lets and block iterators around it -> their values over `loops`
    // Of each index: it reads memory that the function writes, so that its value is that of the
    // moment when the access is made.
    std::vector<bool> shifting;
    ir::Expr may = nullptr;    // may happen: ranges and guards, data-dependent guards taken as true
    ir::Expr must = nullptr;   // does happen: the same, data-dependent guards taken as false
    ir::Expr plain = nullptr;  // the guards that do not depend on data, alone
    // What depends on data around it: guards that hold, and lets that have one value, in all of
    // outer(depth) for one iteration of `loops`.
    struct Surrounding {
        std::size_t depth = 0;
        std::vector<ir::Expr> loops;
        ir::Expr var = nullptr;        // of a let; null: a guard
        ir::Expr condition = nullptr;  // of a guard, over the variables of the access
    };
    std::vector<Surrounding> surrounding;
    std::vector<OrderStep> order;
    bool is_param = false;  // of a buffer that the caller sees

    // The first `depth` steps of `site`.
    ir::Site outer(std::size_t depth) const;
};

// How many steps two sites have in common, from the root.
std::size_t common_steps(const ir::Site& a, const ir::Site& b);

// All accesses of a function in textual order. Facts of parameters are not part of domains.
std::vector<Access> accesses(ir::Context& ctx, const ir::Function& f);

// The access made by the statement at `statement` (a Store), or null.
const Access* find_store(const std::vector<Access>& all, const ir::Site& statement);

// A point in execution: "just before the statement at this site runs" at the iteration given by the
// loop variables around it. Lets every question about order be asked of statements, too.
Access point_at(ir::Context& ctx, const ir::Function& f, const ir::Site& site);

// An access at a named iteration: its loop variables replaced.
struct Instance {
    const Access* access;
    ir::Substitution at;  // loop and opaque variables -> expressions
    // Of a shifting index at another moment than the claim's nothing is known: a variable, by
    // dimension.
    std::map<std::size_t, ir::Expr> unknown = {};
    std::vector<ir::Expr> index(ir::Context& ctx) const;
    ir::Expr may(ir::Context& ctx) const;
    ir::Expr must(ir::Context& ctx) const;
    ir::Expr value(ir::Context& ctx) const;
};
// The access at its own loop variables.
Instance itself(const Access& a);
// The access at fresh copies of its variables.
Instance renamed(ir::Context& ctx, const Access& a, ir::TakenNames& used);

// Formulas over the instances' variables. `may_be_before` is true unless the order excludes it
// (concurrent iterations are unordered); `must_be_before` is true only when the order guarantees
// it.
ir::Expr may_be_before(ir::Context& ctx, const Instance& a, const Instance& b);
ir::Expr must_be_before(ir::Context& ctx, const Instance& a, const Instance& b);
// `a` does happen, given that the statement at `point` is reached at its own iteration: guards that
// depend on data count when they are around both, at the same iteration. Of those around `a` alone
// `on_data` says when they hold; without it, never.
using OnData = std::function<ir::Expr(const Access::Surrounding&)>;
ir::Expr must_given(ir::Context& ctx, const Instance& a, const ir::Site& point,
                    const OnData& on_data = nullptr);

// Calls `conflict` for each access of `left` and each of `right` that may conflict: they are of one
// buffer, and one of them writes.
void for_each_conflict(const std::vector<const Access*>& left,
                       const std::vector<const Access*>& right,
                       const std::function<void(const Access&, const Access&)>& conflict);
// Both happen, and touch one cell.
std::vector<ir::Expr> meeting(ir::Context& ctx, const Instance& a, const Instance& b);

// Index tuples are equal.
ir::Expr same_cell(ir::Context& ctx, const std::vector<ir::Expr>& a,
                   const std::vector<ir::Expr>& b);

}  // namespace proviso::analysis
