// Steps one after the other, where a rule is made of several: what each of them owes is owed.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "rewrite/kernel/rule.h"

namespace proviso::rewrite {

// A step of any program. `about` comes first in what is said of it.
struct Move {
    std::string about;
    std::function<Result<Proposal>(const ir::Function&)> step;
};

// The rule of that name, taken as the kernel takes it.
Move move_by(ir::Context& ctx, const std::string& about, const std::string& rule,
             const ir::Site& site, const nlohmann::json& args);

// Takes one more step: `out.after` is the program before and after it.
Status take(const Move& move, Proposal& out);

// All of them, from `before` on.
Result<Proposal> in_sequence(const ir::Function& before, const std::vector<Move>& moves);

}  // namespace proviso::rewrite
