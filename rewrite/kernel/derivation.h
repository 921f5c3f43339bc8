// Derivation: the only object that carries a program from source to lowered form, and `apply` is
// its only mutator. A step is accepted when every obligation of its proposal is PROVED; otherwise
// the program stays as it was.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "analysis/prover/answer.h"
#include "ir/known_program.h"
#include "rewrite/kernel/rule.h"
#include "rewrite/kernel/step.h"

namespace proviso::rewrite {

// A step that the kernel has accepted for a program: `Derivation::attempt` alone makes one. (A
// plain Step is data: anybody may write one, to a log say, and it proves nothing.)
class ProvedStep {
  public:
    const Step& step() const { return step_; }

  private:
    friend class Derivation;
    explicit ProvedStep(Step step) : step_(std::move(step)) {}
    Step step_;
};

// Why a step was refused. The program is unchanged.
struct Rejection {
    std::string rule;
    ir::Site site;
    std::string args;
    Diagnostic diagnostic;                       // always set: what went wrong, in words
    std::optional<analysis::Obligation> failed;  // the obligation that was not proved
    std::string failed_id;                       // content hash of it
    analysis::Answer answer;                     // REFUTED with a model, or UNKNOWN with a reason
    std::optional<ir::Function> after;           // what the program would have become
};

class Derivation {
  public:
    // The source must be well-formed. Relations of its parameters that it brings along are proved
    // (analysis/layout/layout_obligations.h), by a prover of its own.
    static Result<Derivation> start(ir::Context& ctx, const ir::Function& source);
    // The same, by this prover.
    static Result<Derivation> start(const ir::Function& source, analysis::ObligationProver& prover);

    // What `apply` would do, without doing it: for proposers that search.
    std::variant<ProvedStep, Rejection> attempt(const std::string& rule, const ir::Site& site,
                                                const nlohmann::json& args,
                                                analysis::ObligationProver& prover) const;
    // Applies one step, or leaves the derivation as it was and keeps the rejection.
    std::optional<Rejection> apply(const std::string& rule, const ir::Site& site,
                                   const nlohmann::json& args, analysis::ObligationProver& prover);

    // Takes a step that `attempt` returned for the current program.
    void accept(ProvedStep proved);

    ir::Context& context() const { return *ctx_; }
    const ir::Function& source() const { return source_; }
    const ir::Function& current() const { return steps_.empty() ? source_ : steps_.back().after; }
    const std::vector<Step>& steps() const { return steps_; }
    const std::vector<Rejection>& rejections() const { return rejections_; }
    // Keeps a rejection that a proposer met on its search, for the log.
    void record(Rejection rejection) { rejections_.push_back(std::move(rejection)); }
    // Drops the steps after the first `count`: a primitive that fails half-way leaves nothing
    // behind.
    void roll_back(std::size_t count);

  private:
    Derivation(ir::Context& ctx, const ir::Function& source)
        : ctx_(&ctx), source_(source), known_(source) {}

    ir::Context* ctx_;
    ir::Function source_;
    std::vector<Step> steps_;
    std::vector<Rejection> rejections_;
    ir::KnownProgram known_;  // about current()
};

}  // namespace proviso::rewrite
