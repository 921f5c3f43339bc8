// Obligations as lines of JSON, for the corpus in tests/data/obligations and for `prove --batch`:
//   {"vars": {"i": "int32", "A": "float32[4, 8]"}, "given": ["0 <= i"], "goal": "i // 8 == 0"}
// Facts and goal are in TVMScript syntax; names that are not declared are int32 variables.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "analysis/obligation.h"
#include "analysis/prover/prover.h"
#include "ir/result.h"

namespace proviso::analysis {

// The fields "vars", "given", "goal" and, where there are any, "unbounded". Extents of buffers that
// are no constants are written as 1: they are no part of the claim. Null when reading it back would
// not give the same obligation, or the text would be long beyond use.
nlohmann::json obligation_json(ir::Context& ctx, const Obligation& obligation);
Result<Obligation> read_obligation(ir::Context& ctx, const nlohmann::json& line);

// One line of the corpus.
struct CorpusEntry {
    std::string id;
    std::string origin;                   // "lowering of conv1d", "generated: digits", ...
    Verdict expected = Verdict::Unknown;  // Z3 and cvc5 agree on it
    Obligation obligation;
};
// Every line of a file of the corpus, in order. Lines that are empty are skipped.
Result<std::vector<CorpusEntry>> read_corpus(ir::Context& ctx, const std::string& path);

}  // namespace proviso::analysis
