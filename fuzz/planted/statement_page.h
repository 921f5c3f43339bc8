// The kill table of the statement rules, as a page: docs/results/statement-faults.md.
#pragma once

#include <string>
#include <vector>

#include "fuzz/planted/planted.h"

namespace proviso::fuzz {

// What a fault is planted in: names of statement rules; "claims about memory", "facts" or
// "formulas" for what they share; empty for faults elsewhere.
std::vector<std::string> statement_parts(const PlantedFault& fault);

// Markdown: for each statement rule, and for what they share, the faults and who noticed. Faults
// elsewhere are left out.
std::string statement_page(const PlantedReport& report);

}  // namespace proviso::fuzz
