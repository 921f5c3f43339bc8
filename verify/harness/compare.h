// Runs of a source program and of a program derived from it, compared by refinement under the
// contract: inputs are given as the source's caller knows them, packed into the derived program's
// layouts with the padding that the contract promises (or with whatever it leaves open), both run
// in the reference interpreter, and outputs are unpacked and compared cell by cell.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ir/interp/interpreter.h"
#include "verify/harness/contract.h"

namespace proviso::verify {

// What cells get that the contract leaves open.
enum class OpenCells : std::uint8_t {
    Indet,    // undefined padding of an input is indeterminate: a use of it is seen as a fault
    Garbage,  // NaN, infinities, -0.0, extreme integers, noise; of two zeros that will do, either
};

struct CompareOptions {
    OpenCells open = OpenCells::Indet;
    std::uint64_t seed = 0;  // of garbage and of frozen values
    std::uint64_t ulps = 0;  // finite floats may differ by so many units in the last place
    ir::InterpOptions interp = {};
};

// Inputs for `derived` from inputs as the source's caller knows them: tensors packed through every
// layout relation; cells of padding `none` are closed to the program; padding that the function
// writes itself is garbage at entry.
Result<ir::Inputs> physical_inputs(ir::Context& ctx, const ir::Function& derived,
                                   const ir::Inputs& logical, const CompareOptions& options = {});

// The tensors of a run as the source's caller knows them. `violations`: padding cells that do not
// hold the promised value at exit, in words: "padding of B[3, 3]: 7.0 instead of 0.0".
struct LogicalOutputs {
    ir::Tensors tensors;
    std::vector<std::string> violations;
};
Result<LogicalOutputs> logical_outputs(ir::Context& ctx, const ir::Function& derived,
                                       const ir::Inputs& logical, const ir::Tensors& physical);

enum class Agreement : std::uint8_t {
    Refines,       // the derived program did what the source did
    SourceFaults,  // the source has no meaning on these inputs: they say nothing
    Differs,       // a cell, a message, or padding at exit differs
    NewFault,      // the derived program faults
    Inconclusive,  // a step limit, or the source itself chose a value that a let froze
};
const char* agreement_name(Agreement a);  // "refines", "source faults", …

struct Comparison {
    Agreement agreement = Agreement::Inconclusive;
    std::string what;  // "B[3]: before 0.0, after -0.0"; the fault; why nothing can be said
    ir::FaultKind fault = ir::FaultKind::None;  // that ended one of the runs
    bool rounded = false;  // refines, but some float differs, by no more than is allowed
    // A counterexample to "derived refines source".
    bool refutes() const {
        return agreement == Agreement::Differs || agreement == Agreement::NewFault;
    }
};

// Two functions prepared once, for many inputs. `source` may have layout relations itself; the
// derived program's relations begin with those.
class Comparer {
  public:
    static Result<Comparer> make(ir::Context& ctx, const ir::Function& source,
                                 const ir::Function& derived);
    ~Comparer();
    Comparer(Comparer&&) noexcept;
    Comparer& operator=(Comparer&&) noexcept;

    // Fails when the inputs do not fit; hint kNoRelation: `derived` has none, `source` runs
    // through; hint kTooManyCells: a parameter is over the limit.
    Result<Comparison> compare(const ir::Inputs& logical, const CompareOptions& options = {});

  private:
    struct Impl;
    explicit Comparer(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

Result<Comparison> compare_runs(ir::Context& ctx, const ir::Function& source,
                                const ir::Function& derived, const ir::Inputs& logical,
                                const CompareOptions& options = {});

// Values of scalar parameters, and of sizes that only occur as an extent, read off the tensors.
// Tensors have the shapes that the oldest layout relation (or the parameter itself) names.
Sizes sizes_of(ir::Context& ctx, const ir::Function& f, const ir::Inputs& logical);

// "n = 3, A = [0.0, nan]": inputs for people, tensors cut after `cells` cells.
std::string describe(const ir::Inputs& inputs, std::size_t cells = 32);

// "A = 0.0 but for [3, 13] = nan, B = [1, 2]": for people as well. Of a tensor of more than `cells`
// cells, those that differ from its commonest value, where they are so few.
std::string describe_by_exceptions(const ir::Inputs& inputs, std::size_t cells = 32);

}  // namespace proviso::verify
