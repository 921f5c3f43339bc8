// What the claims about memory share: checking a witness, and ruling out stores in between.
#pragma once

#include <string>
#include <vector>

#include "analysis/memory/claims.h"

namespace proviso::analysis {

Obligation claim(Purpose purpose, std::vector<ir::Expr> facts, ir::Expr goal);

// "more cannot be": facts together with `more` are contradictory.
Obligation impossible(ir::Context& ctx, Purpose purpose, std::vector<ir::Expr> facts,
                      const std::vector<ir::Expr>& more);

// Two cells whose indices are different constants in some dimension.
bool plainly_apart(const std::vector<ir::Expr>& a, const std::vector<ir::Expr>& b);

// The witness gives every loop of `a` a value of its type, and the cell is that of the whole run.
// Names bound to data in `speaks_of` (over the access's variables) are those in scope at `point`:
// what must hold for that is appended to `goals`.
Status check_witness(ir::Context& ctx, const Access& a, const ir::Substitution& at,
                     const ir::Site& point, std::vector<ir::Expr> speaks_of,
                     std::vector<ir::Expr>& goals);

// The store that the witness names, checked.
Result<Access> store_access(const MemoryModel& memory, const Witness& w, const ir::Site& point,
                            std::vector<ir::Expr>& goals);

// Stores to `buffer` that may write `cell` after `from` and before `to`, ruled out one by one;
// those that are plainly to another cell, without an obligation.
void no_store_between(const MemoryModel& memory, const std::vector<ir::Expr>& facts,
                      ir::Buffer buffer, const std::vector<ir::Expr>& cell, const Instance& from,
                      const Instance& to, const std::string& what, std::vector<Obligation>& out);

// A guard on data that an instance stands under and the point of a claim does not: its condition,
// at the instance's iteration, as memory is at the point. That is what was (will be) evaluated as
// long as no cell that it reads is stored to between there and the point.
struct GuardOnData {
    ir::Expr condition = nullptr;
    Access moment;  // just before the guard is evaluated
};
// must_given(a, point), where guards on data around `a` alone hold when their conditions do as
// memory is at the point; those are appended to `guards`, and owe that they are unchanged.
ir::Expr happens(const MemoryModel& memory, const Instance& a, const ir::Site& point,
                 std::vector<GuardOnData>& guards);
// What the guards read is the same where they are evaluated (at the iteration `at`) and at the
// point, which comes after, or (`later`) before. Owed where `facts` and `when` hold.
void guards_unchanged(const MemoryModel& memory, const std::vector<GuardOnData>& guards,
                      const ir::Substitution& at, const ir::Site& point, bool later,
                      std::vector<ir::Expr> facts, ir::Expr when, std::vector<Obligation>& out);

// What must hold for the witness, a store, to have run before the point and to have written the
// cell, as memory is at the point; `owed`, where it does hold, makes that sufficient.
struct WrittenBefore {
    ir::Expr goal = nullptr;
    std::vector<Obligation> owed;
};
Result<WrittenBefore> has_written(const MemoryModel& memory, const ClaimPoint& point,
                                  ir::Buffer buffer, const std::vector<ir::Expr>& indices,
                                  const Witness& writer);

// An assume at the witness's iteration: where it stands, its condition there, and what must hold
// for it to have run before the point (with `guards`, which must be unchanged).
struct AssumedBefore {
    Access position;
    ir::Expr cond = nullptr;
    std::vector<ir::Expr> goals;
    std::vector<GuardOnData> guards;
};
Result<AssumedBefore> assumed_before(const MemoryModel& memory, const ir::Site& point,
                                     const Witness& assume);

// Each iteration of the loops around an allocation has a buffer of its own: the witness speaks of
// the one that is in scope at the claim.
void same_allocation(const MemoryModel& memory, ir::Buffer buffer, const Witness& witness,
                     std::vector<ir::Expr>& goals);

}  // namespace proviso::analysis
