// Guessed derivation steps: a rule, a site and arguments that may be right, nearly right or wrong.
// The kernel is to accept only the right ones, so wrong guesses are as useful as right ones.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fuzz/gen/choice.h"
#include "ir/site.h"

namespace proviso::fuzz {

struct StepGuess {
    std::string rule;
    ir::Site site;
    std::string args;  // JSON text, an object
    bool operator==(const StepGuess&) const = default;
};

// One guess for this program; nullopt when the rule drawn has no site in it.
std::optional<StepGuess> guess_step(ir::Context& ctx, const ir::Function& f, Choice& choice);

// The next step towards what a code generator accepts (blocks, undef, assumes removed); nullopt
// when nothing is left to do. These steps owe no proof.
std::optional<StepGuess> next_lowering(const ir::Function& f);

// Expressions that are equal to `e`, or nearly: identities of arithmetic, some of which are wrong
// on floats, on other roundings of division, or on evaluation that may fault.
std::vector<ir::Expr> near_equals(ir::Context& ctx, ir::Expr e);

}  // namespace proviso::fuzz
