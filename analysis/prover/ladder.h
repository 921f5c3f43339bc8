// The ladder of solvers: in which forms, in which order and within which budgets one is asked. It
// is data that proposes questions; what an answer shows is for the one who asks to know. The prover
// and an audit climb the same one.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include "analysis/smt/encoder.h"
#include "analysis/smt/programs.h"

namespace proviso::analysis {

// The forms worth trying, the canonical one first.
std::vector<smt::Form> forms_worth_trying(const Obligation& obligation);

struct Rung {
    smt::Form form;
    std::uint64_t units;  // of the solver's resources
};

// Of a solver that has `units`. `texts`: of the forms worth trying, of which others than the
// canonical one may have no encoding, or the same text.
std::vector<Rung> ladder(smt::Program solver,
                         const std::map<smt::Form, smt::EncodedObligation>& texts,
                         std::uint64_t units);

// Asks rung by rung until there is an answer; otherwise gives the last one of the canonical form. A
// form is asked again only where it has used up its budget.
smt::Reply climb(const std::vector<Rung>& rungs, const std::function<smt::Reply(const Rung&)>& ask);

}  // namespace proviso::analysis

namespace proviso::analysis::smt {

// Integers made into bit-vectors: both solvers then use time far beyond their units, so such a text
// gets less of them, as nonlinear arithmetic does.
bool mixes_bit_vectors(const std::string& text);

}  // namespace proviso::analysis::smt
