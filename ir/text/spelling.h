// "Did you mean": the nearest supported name to one that is not understood.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace proviso::ir {

// The candidate with the smallest edit distance (insertions, deletions, substitutions, swaps of
// neighbours; a letter in the wrong case is half an edit), the first of equals. Empty when none is
// near: as many edits as a third of the word's letters are allowed, at least one.
std::string nearest_name(std::string_view word, const std::vector<std::string>& candidates);

// "did you mean `x`?", or `otherwise` when no candidate is near.
std::string suggest(std::string_view word, const std::vector<std::string>& candidates,
                    std::string otherwise = {});

}  // namespace proviso::ir
