// What the bits of a question cost, before a solver sees it. Solvers that make circuits of
// bit-vectors and floats (Z3 here) do so before they search: a product of two numbers of 64 bits is
// 4,096 adders of one bit, a quotient several times as many, and no limit of theirs covers that. So
// circuits are measured on the text, which gives the same number on every machine.
#pragma once

#include <cstdint>
#include <string>

namespace proviso::analysis::smt {

// Cells of one bit (an adder with its carry, with its clauses) of the circuits of `text`, which is
// SMT-LIB 2 as this project writes it; saturated at 2^40. What is defined by a name counts once,
// what is defined with parameters counts wherever it is applied. An estimate, from measured sizes:
// operators that are not known count nothing.
std::uint64_t bit_cells(const std::string& text);

// Z3 4.8 takes about 2 KiB for a cell.
inline constexpr std::uint64_t kCellsInMib = 512;
// MiB; for Z3 by that estimate, for cvc5 as a limit of its process.
inline constexpr int kSolverMemoryMib = 1024;

// Why an answer is UNKNOWN where a question has too many: "too large for z3: about 2300 MiB, of at
// most 1024"; empty where it has not.
std::string too_large(const std::string& text, int memory_mib);
// Whether that is (a part of) what `why` says.
bool was_too_large(const std::string& why);
// What commands say after that.
inline constexpr const char* kMoreMemory = "--solver-memory N allows it more";

}  // namespace proviso::analysis::smt
