// Passes: compositions of kernel steps. Each proposes; none may change a program by itself. `block`
// limits a pass to the stage (outermost statement) that contains the block of that name; empty: the
// whole function.
#pragma once

#include <string>
#include <vector>

#include "analysis/memory/claims.h"
#include "rewrite/passes/proposer.h"

namespace proviso::rewrite {

struct PassResult {
    std::size_t steps = 0;  // accepted
    std::vector<Rejection>
        refused;  // what could not be justified, one an attempt that a user would miss
    std::vector<Rejection> stays;     // likewise, where a user may well have meant it to stay
    std::vector<Rejection> not_flat;  // buffers that keep their dimensions
    std::optional<Diagnostic> wrong;  // the program is; nothing was done
    std::string limit;                // a limit that ended it: "stopped at 32 conditions"
};

// Simplifies every expression under the facts at its site, then removes control flow that is
// decided by it.
PassResult simplify(Proposer& p, const std::string& block = "");

// Merges adjacent branches whose conditions are the same or opposite (part of `simplify`); gives
// the number of steps.
std::size_t merge_guards(Proposer& p, const std::string& block = "");

// Makes branches whose arms do the same the one arm, however it is spelled (part of `simplify`);
// gives the number of steps.
std::size_t merge_equal_branches(Proposer& p, const std::string& block = "");

// One change of the expression at the site that the function's licences allow; false when there is
// none.
bool choose_by_licences(Proposer& p, const ir::Site& site);

// Simplifies the conditions of assumes only; gives the number of steps.
std::size_t simplify_assumptions(Proposer& p);

// Removes stores that nobody can tell were there, and statements left without effect.
PassResult remove_no_op(Proposer& p, const std::string& block = "");

// One attempt at one site; `why` keeps the most telling refusal. A store removed (remove_no_op); a
// guard, a T.if_then_else by one of its arms, and a branch between two stores to one cell by one of
// them (remove_branching_through_overcompute).
bool drop_store(Proposer& p, const analysis::MemoryModel& memory, const ir::Site& site,
                std::optional<Rejection>& why);
// A whole statement, which may read what it stores, removed where nobody else reads that.
bool drop_nest(Proposer& p, const ir::Site& site, std::optional<Rejection>& why);
bool drop_guard(Proposer& p, const ir::Site& site, std::optional<Rejection>& why);
bool drop_choice(Proposer& p, const ir::Site& site, std::optional<Rejection>& why);
bool drop_alternative(Proposer& p, const ir::Site& site, std::optional<Rejection>& why);

// Removes guards where the extra work goes unnoticed (RFC 0077, RemoveBranchingThroughOvercompute).
// `refused` has an entry for every guard that stays, `stays` one for every branch between two
// stores.
PassResult remove_branching_through_overcompute(Proposer& p, const std::string& block = "");

// Puts guards around work that nobody notices (RFC 0077, RemoveOvercomputeThroughBranching).
// `refused` has the attempts that could not be justified.
PassResult remove_overcompute_through_branching(Proposer& p, const std::string& block = "");

// Smaller bounds for loops some of whose iterations do nothing (RFC 0077, ReduceLoopExtents); then
// simplifies, and replaces loops of one iteration.
PassResult reduce_loop_extents(Proposer& p, const std::string& block = "");
// The loops only that hold nothing but the block.
PassResult reduce_own_extents(Proposer& p, const std::string& block);

// Loops partitioned where their guards change, and simplified. The functions for one loop give the
// parts, in order, and do not simplify.
PassResult loop_partition(Proposer& p, const std::string& block = "");
std::vector<std::string> partition_by_guards(Proposer& p, const std::string& loop);
std::vector<std::string> partition_at(Proposer& p, const std::string& loop,
                                      const std::vector<ir::Expr>& points);

// Conditions and lets out of the outermost loop that they do not depend on (RFC 0077,
// HoistExpression, with its two sets of options).
struct HoistOptions {
    bool if_statements = true;    // kIfElseStmt: conditions of branches and predicates of blocks
    bool if_expressions = true;   // kIfElseExpr: conditions of T.if_then_else
    bool booleans = true;         // kBooleanExpression: the parts of conditions, too
    bool let_required = true;     // kRequiredByCondition: lets that a condition needs
    bool let_statements = true;   // kLetStmt
    bool let_expressions = true;  // kLetExpr
};
PassResult hoist_expressions(Proposer& p, const HoistOptions& options,
                             const std::string& block = "");

// Assumptions: an error for the first one that can never hold where it stands, by what is known
// there and by what was stored last.
std::optional<Diagnostic> impossible_assumption(Proposer& p);
// Drops every assumption; with `check`, those that know something become checks at run time.
std::size_t lower_assumptions(Proposer& p, bool check, const std::string& block = "");

// What the back ends need: no blocks, no assumes, no undef, no statement without effect, divisions
// in the machine's form where that is proved. `wrong`: an assumption can never hold.
struct LoweringOptions {
    bool flatten = false;  // every buffer as one row-major dimension, parameters included
    // Nothing but what the back ends ask for: each access and each division of the program stays,
    // where it stands. Not with `flatten`; impossible assumptions are not looked for.
    bool as_written = false;
    bool check_assumptions = false;  // with `as_written`: they become asserts
};
PassResult lower(Proposer& p, const LoweringOptions& options = {});

// The fewest barriers that the threads of a block need between the phases of each kernel, each
// counted as often as a thread passes it (a loop of unknown extent as 16 iterations). Comes last:
// the places are sites. No step where barriers after every phase are the fewest.
PassResult place_barriers(Proposer& p);

}  // namespace proviso::rewrite
