// Where a site of a program stands in its canonical text.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "ir/context.h"
#include "ir/site.h"

namespace proviso::tools {

struct SitePlace {
    std::size_t first = 0;   // line, from 1
    std::size_t last = 0;    // of a statement: the last of its lines
    std::size_t column = 0;  // in the first line, from 0, in bytes
    std::size_t width = 0;   // bytes of it there
};

// None where the function has no such site.
std::optional<SitePlace> place_of(ir::Context& ctx, const ir::Function& f, const ir::Site& site);

// The lines around, with their numbers, and carets below the place:
//
//     3 |     for i in range(14):
//     4 |         B[i] = A[i] + T.float32(1)
//       |                ^^^^^^^^^^^^^^^^^^^
std::string shown_place(const std::string& text, const SitePlace& place);

}  // namespace proviso::tools
