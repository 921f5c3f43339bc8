// A failure that GPU fuzzing found, asked again: its steps bind loops of its source, which is then
// lowered, has its barriers placed, and goes through the one tier that raised the alarm.
#pragma once

#include "fuzz/campaign/failure.h"
#include "fuzz/oracle/gpu.h"

namespace proviso::fuzz {

// What is not proved soon is refused: certificates are searched elsewhere.
analysis::ProverOptions gpu_prover();

// A new folder for temporary files, which goes with its owner. Throws std::system_error where the
// system gives none.
class GpuFolder {
  public:
    GpuFolder();
    ~GpuFolder();
    GpuFolder(const GpuFolder&) = delete;
    GpuFolder& operator=(const GpuFolder&) = delete;
    const std::string& path() const { return path_; }

  private:
    std::string path_;
};

struct GpuAsk {
    std::string folder;   // for compiled kernels, and what Oclgrind runs
    std::string proviso;  // the program; empty: Oclgrind is not asked
    backend::gpu::CudaLibraries cuda = {};
};

// Runs `ask.proviso` on the failure's files with Oclgrind around it. `uninitialised`: reads of what
// nobody wrote are looked for, too.
Oclgrind oclgrind_on_files(ir::Context& ctx, analysis::Prover& prover, const GpuAsk& ask,
                           bool uninitialised);

// On inputs that are made up.
std::optional<Finding> ask_gpu_again(ir::Context& ctx, const Failure& failure, int runs,
                                     analysis::Prover& prover, const GpuAsk& ask);
// On the failure's own inputs. Fails when there are no kernels: something of them is not proved, or
// has no form for a GPU.
Result<std::optional<Finding>> ask_gpu_on_inputs(ir::Context& ctx, const Failure& failure,
                                                 analysis::Prover& prover, const GpuAsk& ask);

// As `shrink` (failure.h). A read of what nobody wrote is left as it was found: programs with less
// in them have others.
Failure shrink_gpu(ir::Context& ctx, Failure failure, int budget, analysis::Prover& prover,
                   const GpuAsk& ask);

}  // namespace proviso::fuzz
