// Translation validation: one step checked without its rule. Both programs are executed on symbols
// at concrete sizes, and every cell that the caller sees is compared. What holds so holds for all
// cell values, at these sizes only: BOUNDED, never PROVED. Sizes that are not given are 8, or as
// much smaller as the limits ask for, or others where the program before would always stop.
//
// An assert that may fail ends a run early, with its message, and the cells are compared as they
// are then; opaque calls are events, compared in order with their arguments (verify/tv/events.h).
//
// Programs that compute the same terms are told by the numbers of those first, in a fraction of the
// time and at larger sizes (verify/tv/numbering/).
//
// Before and after may differ in their layout relations: both start from the cells that the
// source's caller knows, packed as each one's contract says, and are unpacked before they are
// compared.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "analysis/prover/prover.h"
#include "verify/harness/contract.h"

namespace proviso::verify {

enum class TvVerdict : std::uint8_t { Bounded, Refuted, Unknown };
const char* tv_verdict_name(TvVerdict v);  // "BOUNDED", "REFUTED", "UNKNOWN"

struct TvOptions {
    Sizes sizes = {};                        // of size variables and scalar parameters, where given
    std::size_t cell_limit = 1 << 18;        // cells of one parameter
    std::size_t allocation_limit = 1 << 18;  // cells of one buffer that is allocated inside
    // Statements and expression nodes executed; a hundred times as many on numbers of terms.
    std::uint64_t step_limit = 6'000'000;
    std::size_t numbered_terms = 16'000'000;  // terms with numbers, of two runs together
    std::uint64_t rlimit = 500'000;           // Z3 resource units a claim, where the audit asks
    std::size_t query_limit = 256;            // claims given to the prover
    std::size_t fact_limit = 400;             // facts given with one claim; more are left out
    std::size_t term_limit = 20'000;          // nodes of one claim; more is UNKNOWN
};

struct TvResult {
    TvVerdict verdict = TvVerdict::Unknown;
    std::string sizes;  // "n = 8"; empty: all extents are constant
    // Unknown: the program before has no run without a fault at these sizes, so nobody can tell the
    // two apart there.
    bool faults_always = false;
    // Bounded: the program before stops on every run at these sizes, and the one after does so too.
    bool stops_always = false;
    // Refuted: "B[3]: before A[3] + 0.0, after A[3]"; Unknown: the reason
    std::string what;
    std::vector<analysis::ModelValue> model;  // Refuted: values of cells and scalars
    std::size_t cells = 0;                    // compared
    std::size_t queries = 0;                  // claims that needed the prover
};

// Variables whose values have to be known to execute both programs: scalar parameters of integer
// type and size variables that extents and loop bounds mention, in order of first occurrence.
std::vector<ir::Expr> sizes_needed(const ir::Function& before, const ir::Function& after);

TvResult validate(ir::Context& ctx, const ir::Function& before, const ir::Function& after,
                  analysis::Prover& prover, const TvOptions& options = {});

// The steps of a derivation, one after the other: what one leads to, the next starts from, and need
// not be executed again. The answers are those of `validate`.
class Validation {
  public:
    Validation(ir::Context& ctx, analysis::Prover& prover, const TvOptions& options = {});
    ~Validation();
    Validation(const Validation&) = delete;
    Validation& operator=(const Validation&) = delete;

    TvResult step(const ir::Function& before, const ir::Function& after);

    // Symbolic executions so far: for n steps in a row, at most n + 1 at each choice of sizes.
    std::size_t executed() const;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace proviso::verify
