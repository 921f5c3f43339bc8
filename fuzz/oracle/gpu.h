// The oracle of GPU code: a program whose loops are bound to blocks and threads, and whose launches
// are proved, has no data race when the interpreter runs it, and gives the same bits wherever it
// runs: as its serial twin on the CPU, as the text of its kernels and as the LLVM IR that PTX is
// made of on this machine with threads in several orders, on a CUDA and on an OpenCL device; NVRTC
// compiles it; Oclgrind has nothing to complain about.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>

#include "backend/gpu/drivers/cuda.h"
#include "fuzz/gen/program.h"
#include "fuzz/oracle/cpu.h"
#include "fuzz/oracle/finding.h"
#include "rewrite/passes/proposer.h"

namespace proviso::fuzz {

// Which of the ways to run, for one program. The interpreter is always asked. What a machine does
// not have is passed over.
struct GpuTiers {
    bool cpu = true;
    bool gpu_host = true;
    bool nvptx = false;  // by way of LLVM, on this machine
    bool nvrtc = false;  // compiles only
    bool cuda = false;   // only where there is a device: nobody looks again
    bool opencl = false;
    bool oclgrind = false;
};

struct GpuTierCounts {
    std::uint64_t programs = 0;
    std::uint64_t runs = 0;
    std::uint64_t findings = 0;
};

struct GpuCounts {
    std::uint64_t bound = 0;         // loops that the kernel let be bound
    std::uint64_t not_bound = 0;     // loops that it did not
    std::uint64_t compiled = 0;      // programs with kernels
    std::uint64_t racy = 0;          // programs refused for a race
    std::uint64_t races_seen = 0;    // of those, with a race that the interpreter saw in a few runs
    std::uint64_t undecided = 0;     // programs of which something was not decided
    std::uint64_t no_form = 0;       // programs that have no form for a GPU, or too large a launch
    std::uint64_t faults = 0;        // runs that say nothing: the interpreter saw a fault
    std::uint64_t fewer = 0;         // programs in which `sync` left barriers out
    std::uint64_t wide = 0;          // programs with wide accesses
    std::uint64_t barriers = 0;      // in the text of all kernels
    std::uint64_t all_barriers = 0;  // with one after every phase
    std::map<std::string, GpuTierCounts> tiers;  // by name
    std::map<std::string, double> parts;  // processor seconds, children included, by what is done
};

// Adds the processor seconds that it lives, those of child processes included, to a part.
class GpuPart {
  public:
    GpuPart(GpuCounts& counts, const char* name);
    ~GpuPart();
    GpuPart(const GpuPart&) = delete;
    GpuPart& operator=(const GpuPart&) = delete;

  private:
    GpuCounts& counts_;
    const char* name_;
    double start_;
};

// A run on these inputs.
struct GivenRun {
    ir::Inputs inputs;
    RunSetup setup;
};

// The program run through OpenCL once more, with Oclgrind as its device: what Oclgrind complains
// about, empty when nothing is wrong.
using Oclgrind = std::function<Result<std::string>(const ir::Function& f, const GivenRun& run)>;

struct GpuSetup {
    GpuTiers tiers = {};
    int runs = 3;
    std::uint64_t seed = 0;
    std::string cache;                   // folder of compiled kernels
    Oclgrind under_oclgrind = {};        // null: Oclgrind is not asked
    std::optional<GivenRun> given = {};  // instead of runs on made-up inputs
    backend::gpu::CudaLibraries cuda = {};
};

// "gpu/gpu-host": the oracle of a finding that a tier made; and the tier of such a name, empty for
// others.
std::string gpu_oracle(const std::string& tier);
std::string tier_of(const std::string& oracle);

// From the outside inwards, loops are bound where the kernel lets them be.
void bind_loops(rewrite::Proposer& lowered, Choice& choice, GpuCounts& counts);

// `lowered`: a derivation that has been lowered, with loops bound; barriers are placed in it.
// The finding's oracle is gpu_oracle of the tier; its
// `signature`: "race accepted", "differs", "ending differs", "goes wrong" (a crash, a result that
// depends on the order of threads), "does not compile", "complaint".
std::optional<Finding> check_gpu(rewrite::Proposer& lowered,
                                 const std::map<std::string, CellRange>& ranges,
                                 const GpuSetup& setup, GpuCounts& counts);

}  // namespace proviso::fuzz
