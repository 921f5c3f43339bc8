// A step of a derivation as data: anybody may write one, to a log say, and it proves nothing.
#pragma once

#include <string>
#include <vector>

#include "analysis/obligation.h"
#include "ir/function.h"
#include "ir/site.h"

namespace proviso::rewrite {

struct ProvedObligation {
    analysis::Obligation obligation;
    std::string id;  // content hash of its SMT-LIB text
    std::string by;  // which decider or solver
};

// Everything that replays a step.
struct Step {
    std::string rule;
    ir::Site site;
    std::string args;  // canonical JSON
    ir::Function before;
    ir::Function after;
    std::vector<ProvedObligation> obligations;
    std::vector<std::string> licences;
};

}  // namespace proviso::rewrite
