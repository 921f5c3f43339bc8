// What a writer of logs takes for the edits between two texts. An audit asks nobody for them: it
// applies those that a log has.
#pragma once

#include "verify/log/edits.h"

namespace proviso::verify {

// In order, and apart from each other; none where the texts are equal. Both texts end in a line
// feed, or are empty. The same texts give the same edits. Takes time near the texts' size; the
// edits are few, not always the fewest.
std::vector<LineEdit> line_edits(const std::string& before, const std::string& after);

}  // namespace proviso::verify
