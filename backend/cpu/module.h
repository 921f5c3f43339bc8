// Lowered functions to a finished LLVM module: checked, generated, verified, optimised. The one
// path that running and emission share.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "backend/cpu/options.h"
#include "ir/function.h"
#include "ir/result.h"

namespace llvm {
class LLVMContext;
class Module;
class TargetMachine;
}  // namespace llvm

namespace proviso::backend {

enum class Purpose {
    Emit,  // stands alone: brings a serial fallback for parallel loops; CPU as the options say
    Run,   // for this process: parallel loops use its thread pool; level never beyond the
           // machine's; very long functions are not optimised
};

class BuiltModule {
  public:
    BuiltModule(std::unique_ptr<llvm::LLVMContext> context, std::unique_ptr<llvm::Module> module,
                std::unique_ptr<llvm::TargetMachine> target);
    BuiltModule(BuiltModule&&) noexcept;
    BuiltModule& operator=(BuiltModule&&) noexcept;
    ~BuiltModule();

    // After optimisation, like its text.
    const llvm::Module& module() const { return *module_; }
    std::string ir_text() const;
    // Machine code of the module. These change the module: call one of them, once.
    Result<std::string> assembly();
    Result<std::string> object();

  private:
    std::unique_ptr<llvm::LLVMContext> context_;
    std::unique_ptr<llvm::Module> module_;
    std::unique_ptr<llvm::TargetMachine> target_;
};

// Fails on functions that check_lowered refuses, on two of one name, and on an unknown CPU name.
Result<BuiltModule> build_module(const std::vector<ir::Function>& functions,
                                 const CpuOptions& options, Purpose purpose);

}  // namespace proviso::backend
