// The block level of a kernel: what the threads of a block do as a whole, phase by phase, and the
// ways on which one phase comes after another. Between two phases on a way, threads may have to
// wait for one another.
//
//   for b in T.thread_binding(4, thread="blockIdx.x"):
//       for k in range(8):                                        # place 0: after the loop
//           for t in T.thread_binding(8, thread="threadIdx.x"): …   # phase 0, place 1: after it
//           for u in T.thread_binding(8, thread="threadIdx.x"): …   # phase 1, place 2
//
// A kernel is an outermost bound loop: a nest of loops bound to blocks, and everything in it. A
// phase is a nest of loops bound to threads, or a statement with no bound loop in it, which one
// thread runs. The block level is made of lists, serial loops, branches, lets and allocations
// around phases; their bounds, conditions and values read nothing that the kernel writes, so all
// threads of a block go the same way.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "ir/site.h"

namespace proviso::rewrite {

bool is_bound(const ir::For& loop);
// Bound to blocks (else to threads).
bool is_block_loop(const ir::For& loop);
// 0 to 2 for "threadIdx.x" to "threadIdx.z", and the same for blocks.
std::size_t axis_of(const ir::For& loop);
// True when a bound loop is in `s` (or is it).
bool contains_bound_loop(ir::Stmt s);
// The outermost bound loops, in textual order.
std::vector<ir::Site> kernel_sites(const ir::Function& f);

class BlockLevel {
  public:
    // Of the kernel at `site`. Fails where control around phases reads what the kernel writes.
    static Result<BlockLevel> of(const ir::Function& f, const ir::Site& site);

    // In textual order.
    const std::vector<ir::Site>& phases() const { return phases_; }
    // Where a barrier may stand, which all threads of a block reach: after a phase, and after a
    // loop or branch around phases. Named by what it stands after.
    const std::vector<ir::Site>& places() const { return places_; }

    enum class When : std::uint8_t {
        Same,  // in one iteration of every loop around both: the second is further down
        Next,  // the second in the next iteration of the loop `around`
        Later  // the second two iterations of it later, or more
    };
    // A phase after which another one (or itself) may run, at one iteration of the loops outside of
    // `around`.
    struct Way {
        std::size_t first = 0;
        std::size_t second = 0;
        When when = When::Same;
        ir::Site around;               // Same: the list that parts them; else the loop
        std::set<std::size_t> passes;  // places that are passed in any case
    };
    const std::vector<Way>& ways() const { return ways_; }

    // A barrier of `barriers` lies on the way.
    bool waits(const Way& way, const std::set<ir::Site>& barriers) const;

  private:
    enum class Kind : std::uint8_t { Phase, List, Loop, Branch, Around };
    struct Node {
        Kind kind;
        ir::Stmt stmt = nullptr;
        ir::Site site;
        std::optional<std::size_t> parent;
        std::vector<std::size_t> children;
        std::optional<std::size_t> place;
    };

    std::size_t add(ir::Stmt s, const ir::Site& site, std::optional<std::size_t> parent);
    void uniform(ir::Expr e);
    std::vector<std::size_t> up(std::size_t node) const;
    std::set<std::size_t> must(std::size_t node) const;
    std::set<std::size_t> leaving(std::size_t node, std::size_t top) const;
    std::set<std::size_t> entering(std::size_t node, std::size_t top) const;
    void find_ways();
    void ways_between(std::size_t i, std::size_t j);

    std::vector<Node> nodes_;
    std::vector<std::size_t> phase_nodes_;
    std::vector<ir::Site> phases_;
    std::vector<ir::Site> places_;
    std::vector<Way> ways_;
    std::vector<ir::Buffer> written_;
    std::optional<Diagnostic> failure_;
};

// The function attribute that says where barriers stand: a list of places, as text. Without it they
// stand after every phase. The rule `sync` writes it.
inline constexpr const char* kBarriersAttr = "proviso.barriers";

}  // namespace proviso::rewrite
