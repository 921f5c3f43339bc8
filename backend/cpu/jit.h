// Compiled functions in this process.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "backend/cpu/options.h"
#include "backend/host_value.h"
#include "ir/function.h"
#include "ir/result.h"

namespace proviso::backend {

class CpuModule;
namespace unverified {
// Compiles for this process; see unverified.h.
Result<CpuModule> compile(const std::vector<ir::Function>& functions, const CpuOptions& options);
}  // namespace unverified

// How a run ended.
struct RunOutcome {
    std::int32_t code = 0;  // 0: ran through; k > 0: the k-th assert stopped it; else kOutOfMemory
    std::string message;    // of the assert; empty when code is 0
    bool operator==(const RunOutcome&) const = default;
};

// Loaded machine code of one or more functions. Safe to run from several threads.
class CpuModule {
  public:
    CpuModule(CpuModule&&) noexcept;
    CpuModule& operator=(CpuModule&&) noexcept;
    ~CpuModule();

    // Runs `function` on arguments in the order of its parameters (implied sizes are taken from the
    // buffers); buffers are changed in place.
    // Fails, without running, when an argument does not fit: wrong kind, type, rank, an extent
    // other than the function's shape says for these scalars, or too few bytes. What the shapes
    // cannot say is the caller's duty: bounds on sizes, assumptions, buffers that do not overlap.
    Result<RunOutcome> run(const std::string& function,
                           const std::vector<HostArgument>& args) const;

    // The same run to be made any number of times, for timing: arguments are checked here, and must
    // stay where they are. Gives the code that a run ends with. Not longer than the module lives.
    using Call = std::function<std::int32_t()>;
    Result<Call> bind(const std::string& function, const std::vector<HostArgument>& args) const;

  private:
    struct Impl;
    explicit CpuModule(std::unique_ptr<Impl> impl);
    friend Result<CpuModule> unverified::compile(const std::vector<ir::Function>& functions,
                                                 const CpuOptions& options);
    std::unique_ptr<Impl> impl_;
};

}  // namespace proviso::backend
