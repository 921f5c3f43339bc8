// Loops as they were before they were bound to threads. No step moves work into a bound loop; but
// the steps since the first of them was bound are made again without those that bind.
//
//   bind(i)                                split(j)
//   split(j)                         →     compute_at(b, i)
//   compute_at(b, i): not possible         bind(i)
//
// Nothing is believed: each step is proved again, and so is each that binds.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rewrite/passes/proposer.h"

namespace proviso::rewrite {

// The loops in a statement that are bound to threads, outermost first.
std::vector<std::string> bound_loops(ir::Stmt s);

class Unbound {
  public:
    // A loop, and the axis that it was bound to.
    struct Loop {
        std::string name;
        std::string axis;
    };

    // Makes these loops serial. Null, and nothing has changed: the source has bound one of them, or
    // a step since then is about loops that are bound.
    static std::optional<Unbound> make(Proposer& p, const std::vector<std::string>& loops);

    // In the order in which they were bound.
    const std::vector<Loop>& loops() const { return loops_; }
    // The derivation as it was. Refusals that were recorded since stay recorded.
    void take_back(Proposer& p) const;

  private:
    // The text of a step in which these loops stand.
    std::string as_serial(std::string text) const;

    explicit Unbound(Derivation was) : was_(std::move(was)) {}

    Derivation was_;
    std::vector<Loop> loops_;
};

}  // namespace proviso::rewrite
