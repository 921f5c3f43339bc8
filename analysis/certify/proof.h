// Facts, the steps that made them, and the tree of a proof. Only what a proof uses is printed.
#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "analysis/certify/algebra.h"
#include "analysis/certify/simplex.h"

namespace proviso::analysis::certificate {

using StepId = std::uint32_t;
using NodeId = std::uint32_t;

// Integer multipliers of facts.
using Multipliers = std::vector<std::pair<FactId, Int128>>;

// A step's text is its head, then the numbers of the facts it refers to, then its tail:
// "(mul" 3 4 ")", "(cut (" (3 1) (4 2) "))", "(div (mod x 8)" ")".
struct Step {
    std::string head;
    std::string tail;
    std::vector<FactId> premises;
    std::vector<Int128> multipliers;  // as many as premises, or none
    std::vector<FactId> results;
};

struct Node {
    std::vector<StepId> steps;
    std::string head;  // of the leaf
    std::string tail;
    std::vector<FactId> premises;
    std::vector<Int128> multipliers;
    std::vector<NodeId> branches;
    std::vector<FactId> branch_facts;
    std::vector<FactId> needs;  // facts from outside, ascending
};

class Proof {
  public:
    FactId add_fact(FormulaId f) {
        facts_.push_back(f);
        return static_cast<FactId>(facts_.size() - 1);
    }
    void set_formula(FactId fact, FormulaId f) { facts_[fact] = f; }
    FormulaId formula(FactId f) const { return facts_[f]; }

    StepId add_step(Step step);
    const Step& step(StepId s) const { return steps_[s]; }

    // Closes a branch in which `made` were taken, in order: keeps those that the leaf needs.
    NodeId close(Node leaf, const std::vector<StepId>& made);
    // A branch that does not need the fact that it began with closes the scope around it.
    NodeId lift(NodeId branch, const std::vector<StepId>& made);
    const Node& node(NodeId n) const { return nodes_[n]; }
    bool needs(NodeId n, FactId f) const;

    // The certificate; `assertions` is the number of facts that the text gives.
    std::string text(NodeId root, std::size_t assertions) const;

  private:
    // Of `made`, in order, those that lead to `needed`; what they need from outside is left there.
    std::vector<StepId> used(const std::vector<StepId>& made, std::set<FactId>& needed) const;
    void write(NodeId n, std::vector<std::uint32_t>& numbers, std::uint32_t next,
               std::string& out) const;

    std::vector<FormulaId> facts_;
    std::vector<Step> steps_;
    std::vector<Node> nodes_;
};

}  // namespace proviso::analysis::certificate
