// What sch.transform_layout and its relatives are told of a buffer: which one, its index map, what
// its padding holds. Every function throws ir::Failure on a mistake in the text.
#pragma once

#include "ir/text/reader/expressions/names.h"
#include "rewrite/schedule/primitives/primitives.h"
#include "rewrite/schedule/reader/arguments.h"

namespace proviso::rewrite {

// The lambda's parameters as new variables, in `names` beside the scalars of the function at hand.
std::vector<ir::Expr> bind_parameters(Primitives& p, const ir::python::Node& lambda,
                                      ir::ScalarType type, ir::Names& names);

// Of tvm.tir.IndexMap.from_func(lambda …) the lambda, and of anything else that: the inverse is
// found, and proved, anyway.
const ir::python::Node& as_function(const Arguments& in, const ir::python::Node& given);

// A buffer of a block: its name, ("read", 0), ("write", 0), or a number (of loads / stores).
ir::Buffer buffer_argument(Primitives& p, const Arguments& in, const ir::python::Node& node,
                           const std::string& block, bool store_by_default);

// All that transform_layout(block, buffer, index_map, pad_value, plan, exact) says.
Primitives::LayoutRequest layout_request(Primitives& p, const Arguments& in,
                                         const ir::python::Module& module,
                                         const ir::python::Node& call);

// A lambda over the iterators of a block: its variables, and its results over them.
std::pair<std::vector<ir::Expr>, std::vector<ir::Expr>> iterator_map(
    Primitives& p, const Arguments& in, const ir::python::Module& module,
    const ir::python::Node& lambda, const std::string& block);

// The region that a lambda over the iterators of a block gives of a buffer: for each dimension an
// index or (begin, end), half-open; or all begins and ends in one list, as traces of TVM have them.
Primitives::Region region_argument(Primitives& p, const Arguments& in,
                                   const ir::python::Module& module, const ir::python::Node& lambda,
                                   const std::string& block, ir::Buffer buffer);

// The hint of loop_partition, a lambda over the loop's variable: its parameter and its body.
std::pair<ir::Expr, ir::Expr> bind_hint(Primitives& p, const Arguments& in,
                                        const ir::python::Module& module,
                                        const ir::python::Node& hint, ir::Expr loop);

}  // namespace proviso::rewrite
