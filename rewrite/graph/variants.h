// Variants of an operator: layouts for its tensors, and the calls of a schedule that make use of
// them. Each is tried on the operator alone, once for all of its calls; one that is refused there
// is no candidate. What is chosen is proved again in the whole graph, so nothing here is trusted.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "rewrite/graph/layouts.h"
#include "rewrite/graph/network.h"
#include "rewrite/schedule/reader/reader.h"

namespace proviso::rewrite {

inline constexpr std::size_t kMostVariants = 64;  // of one operator

struct Variant {
    std::string name;                  // "columns-8:0 -> as-is"
    std::vector<GraphLayout> layouts;  // of each buffer parameter of the kind
    bool changes = false;              // some layout is another one
    std::size_t steps = 0;             // that proved it
    std::size_t obligations = 0;
    std::string refused;              // why it is no candidate; empty: it is one
    std::vector<std::string> values;  // that show it
};

// What a schedule does with an operator beside the layouts of its tensors.
struct OperatorShape {
    struct Out {
        std::size_t parameter = 0;
        std::size_t block = 0;
    };
    std::vector<std::size_t> inlined;  // blocks that only copy or compute cell by cell for another
    std::vector<std::size_t> at;       // for each buffer parameter, a block that accesses it
    std::vector<Out> outputs;
    // It only sums up one tensor: its loops may walk the padding.
    std::optional<std::size_t> walked;
    std::vector<bool> alike;  // parameters whose channels are where those of the output are
    // For each buffer parameter and dimension, whether its channels are those that are computed
    // (1), those that are read (2), or neither (0).
    std::vector<std::vector<int>> channels;
};
OperatorShape shape_of(const Network::Kind& kind);

// As it is, then every other one that the templates make of it.
std::vector<Variant> variants_of(const Network::Kind& kind, const OperatorShape& shape,
                                 const std::vector<LayoutTemplate>& templates);

// How a schedule names what it is about: blocks, and the buffers that blocks access.
struct OperatorNames {
    std::vector<std::string> blocks;
    std::vector<std::string> buffers;  // for each parameter: "\"x\"", or ("write", 0)
};
// A name as a schedule writes it.
std::string in_quotes(const std::string& name);
// The calls before those about layouts, that about one layout, and those after all of them; a line
// each.
std::string calls_before(const OperatorShape& shape, const Variant& v, const OperatorNames& names);
std::string layout_call(const std::string& block, const std::string& buffer, const GraphLayout& l);
std::string calls_after(const OperatorShape& shape, const Variant& v, const OperatorNames& names);

// The variant's schedule for the kind alone.
std::string schedule_of_variant(const Network::Kind& kind, const OperatorShape& shape,
                                const Variant& variant);

// Of a refused schedule: what went wrong in one line, and values.
using Explain =
    std::function<void(const ScheduleReport& done, const ir::Function& current, Variant& told)>;
// Runs the variant's schedule on the kind alone.
void try_variant(const Network::Kind& kind, const OperatorShape& shape, analysis::Prover& prover,
                 const Explain& explain, Variant& variant);

}  // namespace proviso::rewrite
