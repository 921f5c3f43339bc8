// The indices of a te.compute, with `*rest` spelled out; part of te.h.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "ir/text/reader/python/python.h"

namespace proviso::ir::te {

struct Indexed {
    std::vector<std::string> indices;
    python::Node body;
};

// `lambda i, *r: A(i, *r)` over three dimensions as `lambda i, i0, i1: A(i, i0, i1)`, as TVM names
// them; `r[0]` and `A[r]` as well. Names for which `taken` holds are not given.
Indexed indexed(const python::Node& lambda, std::size_t dimensions,
                const std::function<bool(const std::string&)>& taken);

}  // namespace proviso::ir::te
