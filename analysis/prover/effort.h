// What is said of an answer that is UNKNOWN because one command has asked the solvers too much.
#pragma once

namespace proviso::analysis {

inline constexpr const char* kManyOpenQuestions =
    "limit: too many questions before this one were left open by the solvers";
// What commands say after that, and where one question used up its budget.
inline constexpr const char* kMoreEffort = "--solver-effort N allows them more";

}  // namespace proviso::analysis
