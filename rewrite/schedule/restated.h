// Statements put around work, or taken from it, as a step of the rule `restate`: the new text and
// what its parts were. Only a proposal; the theorem of rescheduling checks it.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <set>
#include <utility>
#include <vector>

#include "rewrite/passes/proposer.h"
#include "rewrite/rules/reschedule/reschedule.h"

namespace proviso::rewrite {

struct Restated {
    ir::Stmt after = nullptr;
    std::vector<Part> parts;  // a variable that both texts bind around a part keeps its value
    std::set<std::pair<std::size_t, std::size_t>> apart;
    std::size_t count = 1;          // of statements of a list that are the old text
    std::vector<ir::Site> dropped;  // this and what follows as in Rescheduling
    std::string unseen;
    std::string extra;
    bool reassociate = false;
};

// The statement in these loops, outermost first.
ir::Stmt in_loops(ir::Context& ctx, const std::vector<ir::For>& loops, ir::Stmt body);

// Adds `body` as parts of itself: one for each element where it is a list.
void add_parts(Restated& r, ir::Stmt body, const Part& whole);

// The variables that are bound between `text` and the place below it.
std::vector<ir::Expr> bound_around(ir::Stmt text, const ir::Site& site);

// The arguments of the step that puts `r` in the place of `before`, the old text.
nlohmann::json restate_arguments(ir::Stmt before, const Restated& r);

// The step at `site`; gives the refusal.
std::optional<Rejection> restate(Proposer& p, const ir::Site& site, const Restated& r);

// The statement at `from` of the list at `site` stands at `to`, before or after those between, as
// far as no common cell forbids it; else the refusal, and nothing has changed.
std::optional<Rejection> move_within(Proposer& p, const ir::Site& site, std::size_t from,
                                     std::size_t to);

// The statements `first` to `last` of the list at `site` under a loop of one iteration, which gives
// them one site; and that loop removed again. False: not possible, and nothing has changed.
bool put_together(Proposer& p, const ir::Site& site, std::size_t first, std::size_t last,
                  const std::string& loop);
bool take_apart(Proposer& p, const std::string& loop);

}  // namespace proviso::rewrite
