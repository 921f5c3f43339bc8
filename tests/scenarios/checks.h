// What is asked of every scenario, beside what its file expects.
#pragma once

#include <memory>
#include <string>

#include "rewrite/schedule/reader/reader.h"
#include "tests/scenarios/scenario_file.h"
#include "verify/harness/replay.h"

namespace proviso::scenarios {

// A program that a derivation starts from, with what belongs to it. Not movable: its parts point to
// one another.
class Session {
  public:
    // Null, with a failure of the test, where the program is not read.
    static std::unique_ptr<Session> start(const Scenario& s);

    ir::Context& ctx() { return *ctx_; }
    const ir::Function& source() const { return derivation_.source(); }
    rewrite::Derivation& derivation() { return derivation_; }
    rewrite::Proposer& proposer() { return proposer_; }
    analysis::Prover& prover() { return prover_; }

  private:
    Session(std::unique_ptr<ir::Context> ctx, rewrite::Derivation derivation);

    std::unique_ptr<ir::Context> ctx_;
    analysis::Prover prover_;
    rewrite::Derivation derivation_;
    rewrite::Proposer proposer_;
};

// Of a lowered derivation: on several inputs (and sizes) it does what the source does, in the
// interpreter and, bit for bit, in machine code.
void expect_runs_agree(Session& session, const Scenario& s);
// Its log is written and audited: every obligation by a certificate or by both solvers, every step
// by translation validation.
void expect_audited(Session& session, const Scenario& s);

// The inputs that show that `after` does not refine `before`, as text; empty when none is found.
std::string counterexample(ir::Context& ctx, const ir::Function& before, const ir::Function& after,
                           const std::vector<analysis::ModelValue>& hints = {});

// A function's text without the attribute that says how callers see its buffers.
std::string text_without_layouts(ir::Function f);

}  // namespace proviso::scenarios
