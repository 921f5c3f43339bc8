// Programs in which an operator could hide a fault behind an indeterminate operand: a definite one
// in its place may be a fault. Each goes with the planted fault that lets it pass (as semantics 1
// did).
#pragma once

#include <vector>

namespace proviso::fuzz {

struct UndefinedProgram {
    const char* plant;    // "semantics:indet-shift"
    const char* program;  // TVMScript
};

const std::vector<UndefinedProgram>& undefined_programs();

}  // namespace proviso::fuzz
