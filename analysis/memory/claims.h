// Claims about memory, each with a witness and each a list of quantifier-free obligations.
//
// A proposer guesses which statement wrote a cell and at which iteration (by inverting index maps);
// these functions only say what must be proved for the guess to be right, and what is then known.
// Witness expressions are written over the variables in scope where the claim is made.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/memory/access.h"
#include "analysis/obligation.h"
#include "ir/result.h"

namespace proviso::analysis {

// Statement `statement` (a Store or an Assume) at iteration `at`: loop variable -> expression, for
// every loop around it.
struct Witness {
    ir::Site statement;
    ir::Substitution at;
};

// What must be proved, and what may then be used at the point of the claim.
struct Established {
    std::vector<Obligation> obligations;
    std::vector<ir::Expr> facts;
};

// A function prepared for claims: its accesses, computed once. (Those of the functions asked about
// last are kept in the context.)
class MemoryModel {
  public:
    MemoryModel(ir::Context& ctx, const ir::Function& f);

    const std::vector<Access>& all() const { return of_->accesses; }
    // Those in the statement at `site`, to memory that outlives it.
    std::vector<const Access*> inside(const ir::Site& site) const;
    ir::Context& ctx() const { return ctx_; }
    const ir::Function& function() const { return of_->function; }
    // The names that are taken; renamed instances draw from them.
    ir::TakenNames taken_names() const { return {ctx_, function(), {}}; }
    // Loop variables around the allocation of an internal buffer: each iteration has a buffer of
    // its own.
    const std::vector<ir::Expr>& loops_around(ir::Buffer buffer) const;

  private:
    struct Of {
        ir::Function function;
        std::vector<Access> accesses;
        std::map<ir::Buffer, std::vector<ir::Expr>> allocation_loops;
    };
    static std::shared_ptr<const Of> made_for(ir::Context& ctx, const ir::Function& f);

    ir::Context& ctx_;
    std::shared_ptr<const Of> of_;
};

// Where a claim is made: just before the statement at `site` runs, knowing `facts`.
struct ClaimPoint {
    ir::Site site;
    std::vector<ir::Expr> facts;
};
// The point with facts_at(site) and `extra`.
ClaimPoint claim_point(const MemoryModel& memory, const ir::Site& site,
                       const std::vector<ir::Expr>& extra = {});

// known value by assume: the assume ran at the witness's iteration before this point, and nothing
// in between writes the cells that it speaks of. Gives its condition at that iteration, and that
// the cells it had to read are definite.
Result<Established> known_by_assume(const MemoryModel& memory, const ClaimPoint& point,
                                    const Witness& assume);

// binding: the let around this point bound its name to what memory still holds. Gives that the name
// is the value, where the value is definite.
Result<Established> known_by_binding(const MemoryModel& memory, const ClaimPoint& point,
                                     const ir::Site& let);

// What the statement evaluates whenever it runs, as conjuncts of what holds then: no fault, values
// that are stored or bound in their types' ranges, cells in bounds, an assert's condition. Over the
// names at the statement.
std::vector<ir::Expr> observed_by(ir::Context& ctx, ir::Stmt s);

// known by observation: the statement ran at the witness's iteration before this point; what it
// evaluated had no fault. Gives what that says of parameters, and of memory that nothing has
// written in between: buffers that the function stores to are spoken of only if they are named in
// `unchanged`, and then what was read of them must not be stored to in between.
Result<Established> known_by_observation(const MemoryModel& memory, const ClaimPoint& point,
                                         const Witness& statement,
                                         const std::vector<ir::Buffer>& unchanged);

// A store has executed, before this point, to the cell `buffer[indices]`: one of `writers` (each
// covers its part of the cells or iterations).
Result<Established> written_before(const MemoryModel& memory, const ClaimPoint& point,
                                   ir::Buffer buffer, const std::vector<ir::Expr>& indices,
                                   const std::vector<Witness>& writers);

// last write: the cell read here was last written by the witness. Gives its value, when that can be
// written down here (what it loads is proved to be as it was, and it is not undef).
Result<Established> last_write(const MemoryModel& memory, const ClaimPoint& point,
                               ir::Buffer buffer, const std::vector<ir::Expr>& indices,
                               const Witness& writer);

// store invariant: every definite value that the function stores to `buffer` has the property;
// loads that are preceded by a store in this function, or by an assumption that gives their cell
// the property, have it by induction over execution.
struct Invariant {
    ir::Buffer buffer = nullptr;
    ir::Expr var = nullptr;       // stands for the stored value
    std::vector<ir::Expr> index;  // stand for the indices of the cell, one a dimension
    ir::Expr property = nullptr;  // over var, index, scalar parameters and constants
    // For loads of the buffer inside stored values: which stores or assumptions came before; by
    // site of the store statement, in the order of the loads of that buffer in its value. Loads
    // without one get no property.
    std::map<ir::Site, std::vector<std::vector<Witness>>> coverage;
    // Every value stored is definite, too; then so is the cell.
    bool definite = false;
    // What other claims establish just before a store; their obligations are the caller's.
    std::map<ir::Site, std::vector<ir::Expr>> lemmas;
};
// False where no iteration of the store runs before the statement at `point` does, at any of its
// own: by their places in the program alone.
bool may_run_before(const MemoryModel& memory, const ir::Site& store, const ir::Site& point);

// The assumption, at the witness's iteration, gives the cell the property: what the cell held then
// is its first value. Later ones are stored.
Result<Obligation> assumed_property(const MemoryModel& memory, const ClaimPoint& point,
                                    const Invariant& invariant,
                                    const std::vector<ir::Expr>& indices, const Witness& assume);

// Where the property of a cell starts: one of the witnesses, a store to it or an assumption that
// gives it the property, was before the point (each for its part of the cells).
Result<Established> starts_of(const MemoryModel& memory, const ClaimPoint& point,
                              const Invariant& invariant, const std::vector<ir::Expr>& indices,
                              const std::vector<Witness>& witnesses);

// Gives the property of `buffer[indices]` at this point, if it is definite (or that it is, where
// the invariant says so); `writers` show that the cell was written before, or assumed to have it.
Result<Established> store_invariant(const MemoryModel& memory, const ClaimPoint& point,
                                    const Invariant& invariant,
                                    const std::vector<ir::Expr>& indices,
                                    const std::vector<Witness>& writers);

// dead: what the Store at `store` writes, under `facts`, is never seen: on every run one of
// `writers` overwrites the cell later (each covers its part of the iterations), or (no writer,
// internal buffers only) the buffer leaves scope; no load in between except those that `exempt`
// accepts. `exempt(instance)`: a condition under which a load does not count (over-computed
// instances).
using Exempt = std::function<ir::Expr(const Instance&)>;
Result<Established> dead_store(const MemoryModel& memory, const ir::Site& store,
                               const std::vector<ir::Expr>& facts,
                               const std::vector<Witness>& writers, const Exempt& exempt);

// For two accesses of one concurrent loop: different iterations never touch one cell, one of them
// writing. Claims for the accesses at the given sites against all others.
std::vector<Obligation> race_freedom(const MemoryModel& memory,
                                     const std::vector<const Access*>& newcomers,
                                     const std::function<ir::Expr(const Instance&)>& condition);

}  // namespace proviso::analysis
