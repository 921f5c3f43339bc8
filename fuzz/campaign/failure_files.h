// A failure as a folder:
//   program.py    the source program, TVMScript
//   steps.jsonl   one step a line: rule, site, arguments
//   schedule.py   the schedule that they were made from, where there is one; for people
//   inputs.json   oracle, signature, how it was run, and the inputs with their exact bits
//   report.md     for people: what went wrong, the programs before and after, how to see it again
#pragma once

#include <map>
#include <string>

#include "fuzz/campaign/failure.h"

namespace proviso::fuzz {

// The files, by name.
std::map<std::string, std::string> failure_texts(ir::Context& ctx, const Failure& failure,
                                                 analysis::Prover& prover);

// `folder` is made. Fails when it cannot be written.
Status write_failure(ir::Context& ctx, const std::string& folder, const Failure& failure,
                     analysis::Prover& prover);

// From the folder, or from the path of a file in it.
Result<Failure> read_failure(ir::Context& ctx, const std::string& path);

}  // namespace proviso::fuzz
