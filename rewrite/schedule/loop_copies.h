// Loops that a call has made several of: a handle from before the call would mean one of them only,
// and nobody who wrote it says which.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "analysis/prover/prover.h"
#include "rewrite/kernel/derivation.h"

namespace proviso::rewrite {

// What the steps of a call have done to loops.
class LoopCopies {
  public:
    // The steps from `first` on.
    LoopCopies(const std::vector<Step>& steps, std::size_t first);

    // What these loops have become. Where a step moves the initialisation of a reduction, and
    // nothing else, to a loop of its own, a loop is still the one of the rest: i of
    // `for i: init; for i_1: update` is i_1. Copies that are merged are one loop again; one that a
    // step has removed still counts. Those of a reduction that is computed in parts are those of
    // the parts.
    std::vector<std::string> of(std::vector<std::string> loops) const;
    // Loops that have become others.
    std::set<std::string> changed() const;

  private:
    struct Became {
        std::map<std::string, std::vector<std::string>> loops;
        bool merged = false;  // one loop has taken another in
    };
    static Became became(const Step& step, const std::set<std::string>& inits);

    std::vector<Became> steps_;
};

}  // namespace proviso::rewrite
