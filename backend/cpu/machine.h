// The CPU that code is for: by name, by level of the x86-64 psABI, or the one of this machine.
#pragma once

#include <string>
#include <vector>

#include "backend/cpu/options.h"
#include "ir/result.h"

namespace llvm {
class Module;
class Target;
}  // namespace llvm

namespace proviso::backend {

struct Machine {
    std::string cpu;       // LLVM's name
    std::string features;  // beyond those of `cpu`, as LLVM writes them: +avx2,-sse4a
    // The highest level of x86-64 (1 to 4: psABI, 3.1.1) all of whose features the CPU has; 0 where
    // it is of another architecture.
    int level = 0;
};

// How a CPU may be asked for: native (this machine's), x86-64, x86-64-v2, -v3, -v4 or only v2, v3,
// v4, and each of LLVM's names. Fails on another name, with the nearest one as hint.
Result<Machine> machine_of(const llvm::Target& target, const std::string& triple,
                           const std::string& name);

// This machine's, for code that runs in this process.
Machine host_machine(const llvm::Target& target, const std::string& triple);

// x86-64, x86-64-v2, ...
std::string level_name(int level);

// Puts a level into the properties of the object (.note.gnu.property, psABI 4.2), so that the
// loader of the C library refuses what is linked from it on an older machine. Nothing where every
// machine of the architecture has the level.
void note_level(llvm::Module& module, int level);

}  // namespace proviso::backend
