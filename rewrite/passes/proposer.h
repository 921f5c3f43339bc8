// What passes share: a derivation, a prover and a simplifier, and the two ways of proposing a step.
// Nothing here is trusted: a pass may guess as it likes, only Derivation accepts.
#pragma once

#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "analysis/memory/claims.h"
#include "analysis/prover/prover.h"
#include "rewrite/kernel/derivation.h"
#include "rewrite/passes/program_index.h"
#include "rewrite/simplify/simplifier.h"

namespace proviso::rewrite {

struct InvariantsFound;  // rewrite/passes/invariant_search.h

class Proposer {
  public:
    Proposer(Derivation& derivation, analysis::Prover& prover)
        : derivation_(derivation),
          prover_(prover),
          simplifier_(prover, RuleBook::standard(), {SimplifyOptions{}.step_limit, false}) {}

    ir::Context& ctx() const { return derivation_.context(); }
    Derivation& derivation() const { return derivation_; }
    analysis::Prover& prover() const { return prover_; }
    const ir::Function& current() const { return derivation_.current(); }
    // Of the current program.
    const ProgramIndex& index() { return index_.of(current()); }
    // Of the current program; made once for all that is asked of it. Until the program changes.
    const analysis::MemoryModel& memory();
    // Likewise: what searches for invariants have found.
    InvariantsFound& invariants_found();

    // Applies a step; a refusal is kept in the derivation's record.
    std::optional<Rejection> apply(const std::string& rule, const ir::Site& site,
                                   const nlohmann::json& args);
    // Applies a step if it is accepted; a refusal leaves no trace. For search.
    bool try_apply(const std::string& rule, const ir::Site& site, const nlohmann::json& args,
                   std::optional<Rejection>* why = nullptr);

    // The program in which a step was refused, since refusals were last forgotten; null: another
    // one. (A primitive takes steps back before it is refused.)
    const ir::Function* program_of(const Rejection& no) const;
    void forget_refusals() { refused_in_.clear(); }

    // A block that stands for a function with a derivation of its own: what is in it is changed
    // only by `outline`, as what that derivation has made of it. (Lowering, which makes one
    // function of all, takes it up again.)
    void leave_to_its_function(const std::string& block) { functions_.push_back(block); }
    void take_up_functions() { functions_.clear(); }

    // `e`, simplified under the facts at `site`.
    ir::Expr simplified(ir::Expr e, const ir::Site& site);
    ir::Expr simplified(ir::Expr e, const std::vector<ir::Expr>& facts);

  private:
    // Why the step is not proposed: it is about what another derivation works on.
    std::optional<Rejection> not_ours(const std::string& rule, const ir::Site& site,
                                      const nlohmann::json& args);

    void remember(const Rejection& no);

    Derivation& derivation_;
    analysis::Prover& prover_;
    Simplifier simplifier_;
    ProgramIndex index_;
    std::shared_ptr<const analysis::MemoryModel> memory_;  // null: none was asked for
    std::shared_ptr<InvariantsFound> found_;               // of that program
    std::vector<std::string> functions_;
    // Programs of refused steps, by hashes of these.
    std::unordered_map<std::size_t, std::shared_ptr<const ir::Function>> refused_in_;
    std::shared_ptr<const ir::Function> latest_;  // of the last one
};

// Of several refusals, the one that a user learns most from: one with values, then one that was not
// decided, then arguments that did not fit.
void keep_more_telling(std::optional<Rejection>& best, std::optional<Rejection> other);

// A scope for passes: a statement and all below it. Sites shift while a pass works, so the scope is
// named by block: the outermost statement (in no Seq below the root) that contains the block, or
// everything. Within a loop it is everything in its body, or of that the outermost statement that
// contains the block.
class PassScope {
  public:
    PassScope(const ir::Function& f, const std::string& block);
    bool contains(const ir::Site& site) const { return stage_ && stage_->contains(site); }

  private:
    std::optional<ir::Site> stage_;  // null: the block is gone
};
// A scope within a loop, as the passes take it for `block`; which may be empty.
std::string scope_in_loop(const std::string& loop, const std::string& block);
// A scope in words: "the stage of row_sum", "loop i".
std::string scope_in_words(const std::string& block);
bool in_scope(const ir::Function& f, const ir::Site& site, const std::string& block);

// Sites of blocks by name; loops by variable name. Null when absent.
std::optional<ir::Site> find_block(const ir::Function& f, const std::string& name);
std::optional<ir::Site> find_loop(const ir::Function& f, const std::string& var);
// The outermost statement around `site` that is not a Seq, Allocate or let: a stage of the
// function.
ir::Site stage_of(const ir::Function& f, const ir::Site& site);
// Likewise below the statement `top`.
ir::Site stage_below(const ir::Function& f, const ir::Site& top, const ir::Site& site);

}  // namespace proviso::rewrite
