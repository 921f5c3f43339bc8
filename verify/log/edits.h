// What a step changes in the text of its program, line by line: a log holds the source in full and
// of each later program only this, so that its size grows with what the steps do.
//
//     for i in range(8):            line 3, 1 line removed, added:
//         B[i] = A[i] * 2     ->            B[i] = A[i] + A[i]
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace proviso::verify {

struct LineEdit {
    std::size_t line = 0;     // of the text before, from 1
    std::size_t removed = 0;  // so many lines from there on; 0: only adds, before that line
    std::string added;        // whole lines in their place
    bool operator==(const LineEdit& o) const {
        return line == o.line && removed == o.removed && added == o.added;
    }
};

// None where an edit is outside of the text, or changes nothing, or they are out of order.
std::optional<std::string> apply_edits(const std::string& before,
                                       const std::vector<LineEdit>& edits);

}  // namespace proviso::verify
