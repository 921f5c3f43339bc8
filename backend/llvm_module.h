// What every module of LLVM IR goes through, whichever processor it is for.
#pragma once

#include <string>

#include "ir/result.h"

namespace llvm {
class LLVMContext;
class Module;
class TargetMachine;
}  // namespace llvm

namespace proviso::backend {

// Remarks and warnings of LLVM ("loop not unrolled") are no news for users, and its default is to
// print them; an error is a fault of this program, and ends it.
void quieten(llvm::LLVMContext& context);

// Ends the program if the module is malformed: no input may lead there.
void verify(const llvm::Module& module);

enum class Passes {
    Optimise,      // -O2
    VectorsFirst,  // the same, after loops became vectors: for CPUs
    InlineOnly,    // only what must be inlined
};

void run_passes(llvm::Module& module, llvm::TargetMachine& target, Passes which);

enum class Output { Assembly, Object };

// The module's code; code generation changes the module. Error: the target emits no such output.
Result<std::string> generate_code(llvm::Module& module, llvm::TargetMachine& target, Output output);

}  // namespace proviso::backend
