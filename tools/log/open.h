// Proof logs as commands show them: read whole, or not at all.
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "ir/context.h"
#include "ir/result.h"
#include "verify/audit/bundle.h"
#include "verify/audit/rederive.h"

namespace proviso::tools {

// Of a hash, the least of its digits that name it; of those that fit, how many are listed.
inline constexpr std::size_t kLeastDigits = 4;
inline constexpr std::size_t kListed = 10;

// A log in which every line and object has its hash. An error names what is wrong.
Result<verify::Bundle> open_log(const std::string& path);

// The derivation of such a log, made again by the rules. An error: it does not hold together.
Result<verify::Rederived> derivation_of(ir::Context& ctx, verify::Bundle& log,
                                        const std::string& path);

// The canonical text of the program after that many steps, from the source and the edits; its hash
// is the one that the log names.
Result<std::string> program_after(const verify::Bundle& log, std::size_t step);

// Step `number`, from 1.
nlohmann::json step_of(const verify::Bundle& log, std::size_t number);

// A text of the object, "" where it is none: what a log holds need not have the form of a log.
std::string text_in(const nlohmann::json& object, const char* key);

// "step 3: split at body/1".
std::string step_title(std::size_t number, const nlohmann::json& step);

// The number that a whole text of digits is.
std::optional<std::size_t> number_in(const std::string& text);

}  // namespace proviso::tools
