// Iterator domains that the iterations of the loops around a block fit in: what a block without its
// predicate has to claim.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "rewrite/passes/proposer.h"

namespace proviso::rewrite {

// {ITERATOR: HI or [LO, HI]} for the iterators whose domain may have to grow; bounds may be
// symbolic. A guess: the rules that take it owe the proof.
nlohmann::json wider_domains(Proposer& p, const ir::Site& site, const ir::Block& block);

}  // namespace proviso::rewrite
