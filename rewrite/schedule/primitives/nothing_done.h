// Why a primitive that was accepted changed nothing, in words. Reasons for people: nothing here is
// trusted or changes the program.
#pragma once

#include <string>

#include "rewrite/passes/proposer.h"

namespace proviso::rewrite {

// "a choice stays, because its condition is not always true and not always false", after a call of
// `primitive` that took no step. `block`: what the call was limited to; empty: the whole function.
std::string why_nothing(Proposer& p, const std::string& primitive, const std::string& block);

}  // namespace proviso::rewrite
