// reschedule: a statement whose parts run at other iterations, or in another order, is right where
// the parts correspond and conflicting accesses keep their order. One theorem for all rules that
// move work in time (docs/refinement.md); what a rule proposes is untrusted and checked here.
#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "rewrite/kernel/rule.h"

namespace proviso::rewrite {

// A statement that stands in the new text as it stood in the old one, up to the names that it
// binds, with other values for the variables around it: those of loops, lets and blocks. (A block's
// predicate may differ: it is one of the conditions around.)
struct Part {
    ir::Site now;             // in the new text; its root is the site of the step
    ir::Site origin;          // in the old text; likewise
    ir::Substitution from;    // variables around `origin` -> over those around `now`
    ir::Substitution to;      // variables around `now` -> over those around `origin`
    ir::Expr when = nullptr;  // over those around `origin`: the instances that go here; null: all
    // Over those around `now`: the instances that come from there; null: all. Where several parts
    // have one place now, as the arms of a branch that do the same, each has some of its instances.
    ir::Expr where = nullptr;
};

struct Rescheduling {
    ir::Stmt after = nullptr;  // the new text
    // So many statements of a list, of which the one at the site is the first, are the old text; a
    // part's origin begins with its place among them ("0/body").
    std::size_t count = 1;
    std::vector<Part> parts;
    // Statements of the old text, as origins, some of whose instances have no place in the new one:
    // those that go nowhere have no effect.
    std::vector<ir::Site> dropped;
    // Of one such statement: why what its instances store is not seen where they are left out.
    // JSON: {"stores": {SITE: HOW}, "claims": what memory is known to hold, each at a "point" in
    // it}, with sites in the function; stores that are not named are reached by no such instance.
    // HOW:
    //   {"mode": "indet"}                        it stores T.undef()
    //   {"mode": "same"}                         the cell holds the value already
    //   {"mode": "dead", "writers": [WITNESS]}   the cell is overwritten later, on every run, and
    //                                            nothing sees it before, but instances of the
    //                                            statement that are left out as well
    std::string unseen;
    // Why what runs at places of parts, but comes from nowhere (no `where` holds), goes unnoticed:
    // the reasons of extra_instances (extra.h), as JSON, with sites in the new function. Empty:
    // everything comes from somewhere. All places with a `where` have the same one; it reads
    // nothing that the new text stores to.
    std::string extra;
    // Pairs of parts (by number, either order) of which any two instances may change places, so
    // long as they touch no common cell that one of them writes. All other instances keep their
    // order.
    std::set<std::pair<std::size_t, std::size_t>> apart;
    // How the obligations of such pairs read, with "%" for the buffer; empty: a general sentence.
    std::string reason;
    // Sums of floats in any order, by the licence of that name, which the function must grant.
    bool reassociate = false;
};

// The step that puts `proposed.after` in the place of the statement at `site`. Owes:
//   1. what stands around the parts now is computed without a fault, definite and in range, and
//      iterators of blocks are in their domains; lets around parts before were definite;
//   2. every instance of a part in the old text runs in the new one, exactly once: where `origin`
//      runs and `when` holds, `now` runs at `to`, and `from` takes that back; no two `when` of
//      those with one origin hold, and one does, or (`dropped`) the instance stores to no memory
//      that outlives it, or (`unseen`) nothing that is seen, checks nothing and calls nothing;
//   3. nothing else runs: where `now` runs and `where` holds, `origin` runs at `from`, and `to`
//      takes that back; no two `where` of those with one place hold, and one does, or (`extra`)
//      nobody notices the instance;
//   4. instances keep their order, or their conflicting accesses do: where the one of `now` may be
//      before the other, so may their origins. (Concurrent iterations may be before each other, so
//      this covers races.) Not so for two stores that accumulate in a cell by one operator
//      (accumulation.h): they may change places where the operator is free of order for the type,
//      and additions of floats with the licence. Whatever else touches the cell keeps its place
//      among them, so that it sees the same terms combined.
// That a part is its origin under `from`, that every statement of both texts is in a part, and that
// what stands around the parts reads nothing that a part has stored to before, is checked here.
Result<Proposal> reschedule(ir::Context& ctx, const ir::Function& before, const ir::Site& site,
                            const Rescheduling& proposed);

}  // namespace proviso::rewrite
