// Why a failure is what it is, as far as its files say.
#pragma once

#include "fuzz/campaign/failure.h"
#include "fuzz/folder/findings.h"

namespace proviso::fuzz {

// Runs the failure's steps again.
FoundCause cause_of(ir::Context& ctx, const Failure& failure, analysis::Prover& prover);

// Statements of the source, and steps.
std::uint64_t size_of(const Failure& failure);

}  // namespace proviso::fuzz
