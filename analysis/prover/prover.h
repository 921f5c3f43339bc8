// The prover: cheap deciders, then certificates, then Z3, then cvc5 as a child process.
// PROVED only with a reason; REFUTED with a model; everything else is UNKNOWN with a reason, and
// never a pass.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/prover/answer.h"

namespace proviso::analysis {

namespace smt {
struct Z3;
extern const Z3 kLinkedZ3;
}  // namespace smt

struct ProverOptions {
    bool use_cheap = true;
    bool use_certificates = true;  // asked before the solvers, unless `cross_check`
    bool use_z3 = true;
    const smt::Z3* z3 = &smt::kLinkedZ3;  // or smt::kZ3Program: smt/solvers.h
    bool use_cvc5 = true;                 // asked only where Z3 has no answer, unless `cross_check`
    bool cross_check = false;    // ask both solvers; disagreement is UNKNOWN("solvers disagree")
    bool check_vacuity = false;  // ask whether the facts are satisfiable
    std::uint64_t certify_budget = 300'000;  // work units of the search for a certificate
    std::uint64_t rlimit = 2'000'000;        // Z3 resource units a query (deterministic)
    std::uint64_t cvc5_rlimit = 400'000;
    std::uint64_t effort = 1;  // times the units, and times what all questions together may take
    int wall_limit_s = 60;  // a solver that exceeds its budget is stopped then: UNKNOWN, not kept
    int memory_mib = 1024;  // a larger question, by an estimate, is not given to Z3: smt/bit_work.h
    std::string cache_dir = {};  // solvers' verdicts, see proof_cache.h; empty: memory only
    // Called with each obligation that is asked and not remembered, for a corpus of them.
    std::function<void(const Obligation&)> on_question = {};
    // Told of each obligation that the cheap deciders left, its answer and the nanoseconds of it.
    std::function<void(const Obligation&, const Answer&, std::uint64_t)> not_cheap = {};
};

struct ProverStats {
    std::uint64_t asked = 0;
    std::uint64_t cheap = 0;      // closed before a solver
    std::uint64_t certified = 0;  // closed by a certificate
    std::uint64_t cached = 0;
    std::uint64_t z3 = 0;
    std::uint64_t cvc5 = 0;
    std::vector<std::uint64_t> cheap_ns;      // one entry an obligation closed by a cheap decider
    std::vector<std::uint64_t> certified_ns;  // one entry an obligation closed by a certificate
    std::vector<std::uint64_t> solver_ns;     // one entry an obligation given to a solver
};

class Prover : public ObligationProver {
  public:
    Prover(ir::Context& ctx, ProverOptions options);
    ~Prover() override;
    Prover(const Prover&) = delete;
    Prover& operator=(const Prover&) = delete;

    Answer prove(const Obligation& obligation) override;
    // Facts and goal given directly.
    Answer prove(const std::vector<ir::Expr>& facts, ir::Expr goal);
    // Cheap deciders only: for search, where a miss costs little.
    bool proves_cheaply(const std::vector<ir::Expr>& facts, ir::Expr goal);

    const ProverStats& stats() const;
    const ProverOptions& options() const;
    ir::Context& context() override;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

// A certificate of the text that the checker accepts, or why there is none. Two searches with the
// same budget give the same bytes.
struct CheckedCertificate {
    std::string certificate;  // empty: none
    std::string why;
    std::size_t steps = 0;
};
CheckedCertificate find_certificate(const SmtText& text, std::uint64_t budget = 3'000'000);

// One named solver on the canonical text, in a fresh context (Z3) or a new process (cvc5). For
// audits and rule proofs. Proved / Refuted (model values as raw text in `why`) / Unknown.
Answer ask_z3(const SmtText& text, std::uint64_t rlimit);
Answer ask_cvc5(const SmtText& text, std::uint64_t rlimit, int wall_limit_s);
// "4.8.12"; "1.0.3" or "" when there is no cvc5 program on the PATH.
std::string z3_version();
std::string cvc5_version();

}  // namespace proviso::analysis
