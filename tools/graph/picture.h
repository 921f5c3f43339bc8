// A decision about a graph as pictures: operators in layers, layouts and padding on what stands
// between them, conversions, cost against bound, and memory over time.
#pragma once

#include <string>

#include "tools/graph/report.h"

namespace proviso::tools {

// A file of its own, and the same within a page of HTML that needs nothing else.
std::string graph_svg(const rewrite::Network& network, const GraphResult& result);
std::string graph_page(const rewrite::Network& network, const GraphResult& result);

// Bytes of inner tensors and copies that are alive while each operator runs, in their layouts. What
// lowering makes of them (buffers that go, or share memory) is told by `lower`.
std::vector<std::int64_t> memory_over_time(const rewrite::Network& network,
                                           const GraphResult& result);

}  // namespace proviso::tools
