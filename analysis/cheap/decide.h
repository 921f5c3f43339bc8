// The cheap deciders: claims closed without a solver, in microseconds. They prove or say nothing.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/obligation.h"

namespace proviso::analysis::cheap {

enum class Method : std::uint8_t;

struct Decision {
    std::string method;    // "syntax", "interval", "congruence", "known-bits", …: see method_name
    bool vacuous = false;  // the facts contradict each other: they prove anything
};

// Answers questions one after another. What a list of facts says is read once and kept for the
// goals that follow; an answer does not depend on the questions asked before.
class Decider {
  public:
    explicit Decider(ir::Context& ctx);
    ~Decider();
    Decider(const Decider&) = delete;
    Decider& operator=(const Decider&) = delete;

    // How `facts ⊢ goal` is proved, if it is. Reads formulas as obligation.h says; of a fact that
    // it cannot read it makes no use.
    std::optional<Decision> decide(std::span<const ir::Expr> facts, ir::Expr goal,
                                   std::span<const ir::Expr> unbounded = {});
    std::optional<Decision> decide(const Obligation& obligation) {
        return decide(obligation.facts, obligation.goal, obligation.unbounded);
    }
    // Whether the facts are seen to contradict each other.
    bool contradictory(std::span<const ir::Expr> facts, std::span<const ir::Expr> unbounded = {});

  private:
    struct Base;
    // All of the parts, each by itself.
    std::optional<Decision> decide_all(Base& base, const std::vector<ir::Expr>& parts);
    // The facts and the opposite of the goal contradict each other; `strongest` is raised to the
    // method that showed it.
    bool refutes_opposite(Base& base, ir::Expr goal, Method& strongest);
    Base& base_of(std::span<const ir::Expr> facts, std::span<const ir::Expr> unbounded);

    ir::Context& ctx_;
    std::map<std::vector<std::uint32_t>, std::unique_ptr<Base>> bases_;
};

// One question by itself.
std::optional<std::string> decide(ir::Context& ctx, const Obligation& obligation);

}  // namespace proviso::analysis::cheap
