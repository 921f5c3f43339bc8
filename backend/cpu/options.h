// How the CPU back end compiles a function. The same function with the same options gives the same
// bytes on any machine.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "backend/cpu/grouped_entry.h"
#include "ir/expr.h"

namespace llvm {
class LLVMContext;
}  // namespace llvm

namespace proviso::backend {

enum class OptLevel : std::uint8_t {
    O0,  // straight translation, no passes: quick to compile, for differential tests
    O2,  // LLVM's pipeline, strict floats
};

// What a fresh allocation holds. `None` leaves whatever is there; the others are for fuzzing: a
// program that reads a cell before it writes it shows a value that nobody can take for a result.
//              floats   signed ints   unsigned ints   bool
enum class Fill : std::uint8_t {
    None,
    Zero,      //  +0.0      0             0               false
    AllOnes,   //  NaN       -1            max             true
    Largest,   //  +inf      max           max             true
    Smallest,  //  -0.0      min           0               false
};

// Where allocations of code that runs in this process come from.
enum class Heap : std::uint8_t {
    Usual,
    Guarded,  // backend/runtime/guarded_memory.h: code that leaves its allocation ends there
};

// A C function that an opaque call may name. Its parameters are the call's arguments: bool, intN_t,
// uintN_t, float, double. `address` is for running in this process only; emission leaves the name
// to the linker.
struct ExternFunction {
    const void* address = nullptr;
};

// The CPU that emitted code is for, unless the options name one: fixed, so that output does not
// depend on the machine. AVX2 level; floats stay strict, so results do not depend on it.
inline constexpr const char* kDefaultCpu = "x86-64-v3";

// Function name -> the symbol that it is exported under; a function that is not named keeps its
// own.
using Symbols = std::map<std::string, std::string>;

// Function name -> the parameters that are its weights.
using Prepared = std::map<std::string, std::vector<std::string>>;

struct CpuOptions {
    OptLevel opt = OptLevel::O2;
    // native, a level of x86-64 or LLVM's name for a CPU (machine.h). Empty: kDefaultCpu for
    // emission; this machine's for running in this process.
    std::string cpu;
    Fill fill = Fill::None;
    Heap heap = Heap::Usual;
    // Code that checks each access and each division, and leaves with a code of its own where one
    // is wrong (codegen.h). Nothing is taken as never overflowing, and parallel loops run in order.
    bool guarded = false;
    // Code that ends its process (SIGFPE) at a division without a quotient, on every machine and
    // whatever LLVM may assume of one. For running in this process; `guarded` says more.
    bool ends_at_divisions = false;
    // Make use of the licence `contract`, where the function grants it (licence.h). Code for a GPU
    // never does.
    bool contract = true;
    // Ring operations (Add, Sub, Mul, Neg) of exact integer type whose value is proved to be in its
    // type's range at *every* evaluation in the function. They may be computed as never
    // overflowing.
    std::set<ir::Expr> no_signed_wrap;
    std::map<std::string, ExternFunction> externs;
    // Of speed_of (speed/speed.h): line numbers for the loops of the function, in their order, and
    // what is to be told of passes. Without them code has no line numbers.
    std::vector<unsigned> loop_lines;
    std::function<void(llvm::LLVMContext&)> remarks;
    Symbols symbols;
    // Of emission: functions that come in two parts as well, and their weights.
    Prepared prepared;
    // What that comes to (backend.cpp makes it).
    std::vector<GroupedEntry> entries;
};

}  // namespace proviso::backend
