// Counterexamples: what to ask a solver for, and the values it gives as expressions.
#pragma once

#include <string>
#include <vector>

#include "analysis/prover/prover.h"
#include "analysis/smt/encoder.h"
#include "analysis/smt/solvers.h"

namespace proviso::analysis {

// Every variable, then every cell: its indices, its value, whether it is definite where that is
// spoken of.
smt::ModelQuery model_query(const smt::EncodedObligation& encoded);

// Every variable of the text.
smt::ModelQuery variables_query(const SmtText& text);

// The reply of the solver `by` to that, with values as they are in `why`.
Answer plain_answer(const SmtText& text, const char* by, const smt::Reply& reply);

// Values of the text's variables, "x = 5, y = 0", of a solver that has refuted it and is asked
// again.
std::string values_in_words(const SmtText& text, smt::Program solver, std::uint64_t units,
                            int wall_limit_s, int memory_mib);

// The answers to model_query(encoded). Values that cannot be read are left out; cells named twice
// come once.
std::vector<ModelValue> read_model(ir::Context& ctx, const smt::EncodedObligation& encoded,
                                   const std::vector<std::string>& values);

// Answers to model_query(asked) out of those to model_query(other), another form of the same
// obligation; none if `asked` speaks of something that `other` does not.
std::vector<std::string> answers_of_other_form(const smt::EncodedObligation& asked,
                                               const smt::EncodedObligation& other,
                                               const std::vector<std::string>& values);

}  // namespace proviso::analysis
