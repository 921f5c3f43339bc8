// What every program satisfies before anybody reasons about it: names are unique and printable,
// variables and buffers are in scope with their type, no operator of obligations stands in a
// program, and nothing is decided by a value that is indeterminate on every run.
#pragma once

#include <string>
#include <vector>

#include "ir/function.h"
#include "ir/result.h"

namespace proviso::ir {

// Every fault found, in textual order; empty when the function is well-formed. A message starts
// with the site of the statement that it is about ("body/0/then: …").
std::vector<Diagnostic> well_formed(const Function& f);

// Indeterminate whenever it is evaluated without a fault: T.undef() itself, and strict operators of
// such. Arms of a choice count only when both are; a let freezes.
bool is_always_indeterminate(Expr e);

// `A[i] == T.undef()`: in an assumption, permission to read the cell, never an equation.
bool is_read_permission(Expr e);

// May stand in T.assume: apart from disjuncts and conjuncts that are permissions, it is not always
// indeterminate.
bool is_usable_assumption(Expr e);

// A buffer has at most this many bytes (docs/semantics.md).
inline constexpr std::int64_t kMaxBufferBytes = std::int64_t{1} << 47;

// Visible characters, no quotes. Whatever its scope, a buffer is memory of its own, with the cells
// and the lifetime that semantics.md says; the reader, the prover and the interpreter never look at
// it. Back ends for GPUs place buffers by it, and know "shared" (shared.dyn is the same), which the
// threads of a block have in common, and "local", which a thread has for itself.
bool is_buffer_scope(const std::string& scope);

// "blockIdx.x" to "blockIdx.z", "threadIdx.x" to "threadIdx.z".
const std::vector<std::string>& thread_tags();
bool is_thread_tag(const std::string& tag);

// Letters, digits and underscores, not starting with a digit, no keyword of Python, not `T`, `I` or
// `R`: may name a binder or function in text.
bool is_printable_name(const std::string& name);

}  // namespace proviso::ir
