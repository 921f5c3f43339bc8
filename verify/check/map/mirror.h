// What one buffer holds, in another one as well: behind each store to it stands one that keeps the
// value there. Then what reads the one can read the other, and the first one goes.
//
//   t[i] = v; …; B[j] = t[j]      →      t[i] = v; w[i] = t[i]; …; B[j] = w[j]      →      w[i] = v
//
// The steps are guesses that the kernel takes or refuses: that the other buffer holds nothing that
// is still wanted is what `drop-guard` owes, and that it still holds the value where it is read is
// what `replace` owes.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "rewrite/passes/proposer.h"
#include "verify/check/map/instances.h"
#include "verify/check/map/leaves.h"

namespace proviso::verify {

class Mirror {
  public:
    // A store to the buffer, and where it is kept.
    struct Kept {
        Leaf leaf;
        ir::Expr cell = nullptr;   // of the other buffer, over the variables around the leaf
        ir::Substitution of_dead;  // variables around the dead store, over these
        ir::Site store, copy;      // in the function
        std::string unit;          // the loop of one iteration around both
    };

    // Of a buffer that is allocated; `text` is null where it is not.
    Mirror(rewrite::Proposer& p, ir::Buffer buffer);

    ir::Stmt text() const { return text_; }  // in which it is allocated
    const std::vector<Leaf>& leaves() const { return leaves_; }
    const std::vector<Kept>& kept() const { return kept_; }
    InstanceSolver& solver() { return solver_; }
    const std::string& why() const { return why_; }  // of the last thing that failed

    // In the order of the text.
    void keep(const Leaf& store, ir::Expr cell, ir::Substitution of_dead);
    // The stores behind; each begins as one that never runs, of this leaf, which stores to the
    // other buffer.
    bool put(const Leaf& dead);
    // The load at the site in the leaf `here`, by the cell of the other buffer.
    bool read(const Leaf& here, const ir::Site& load, ir::Expr cell);
    // The site of the first load of the buffer there, an expression.
    std::optional<ir::Site> load_in(const ir::Site& at) const;
    // Each store behind stores the value itself.
    bool store_values();
    // Nothing reads the buffer any more.
    bool drop();

    // All of that: cell x of the buffer is cell `cell_of(x)` of the other one from now on. With
    // `drops_dead`, a dead store that only gives the others their form goes as well.
    using CellOf = std::function<std::vector<ir::Expr>(std::vector<ir::Expr>)>;
    bool move(ir::Buffer to, const Leaf& dead, const CellOf& cell_of, bool drops_dead = false);

    ir::Site below(const ir::Site& at) const;
    // Of a leaf that is kept, where it stands now; of another one, where it stood.
    ir::Site site_of(const Leaf& leaf) const;

  private:
    bool fails(const std::string& what, const std::optional<rewrite::Rejection>& no);
    nlohmann::json last_write(ir::Expr cell, const Kept& k, const ir::Substitution& at,
                              ir::Expr when);
    std::optional<nlohmann::json> claims(const Leaf& here, ir::Expr load, ir::Expr cell);

    rewrite::Proposer& p_;
    ir::Context& ctx_;
    ir::Buffer buffer_;
    InstanceSolver solver_;
    ir::Site root_;
    ir::Stmt text_ = nullptr;
    std::vector<Leaf> leaves_;
    std::vector<Kept> kept_;
    std::string why_;
};

}  // namespace proviso::verify
