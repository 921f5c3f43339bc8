// Layouts that are tried for tensors between operators: a list of templates, and what each makes of
// a tensor. Nothing here is trusted: each is written as a call of a schedule, and proved.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ir/context.h"

namespace proviso::rewrite {

// Where the channels go, cut into parts of `factor` where that is more than 1.
enum class LayoutForm : std::uint8_t {
    Last,     // n, h, w, c // f, c % f
    Blocked,  // n, c // f, h, w, c % f
    InPlace,  // n, c // f, c % f, h, w
};

struct LayoutTemplate {
    std::string name;
    bool image = false;  // of tensors with 4 dimensions, channels second; else of 1 to 3
    std::int64_t factor = 1;
    LayoutForm form = LayoutForm::InPlace;
    bool usual = false;  // tried where no list is given
    std::string what;    // for people
};
const std::vector<LayoutTemplate>& layout_templates();

// The layout of one tensor, as a schedule writes it.
struct GraphLayout {
    std::string name = "as-is";
    std::string map = {};  // "lambda d0, d1: [d0, d1 // 8, d1 % 8]"; empty: as it is
    // What the padding holds, as `pad_value=` says it; empty: there is none.
    std::string pad = {};
    bool zero = false;       // the padding holds zeros
    std::int64_t cells = 0;  // with padding

    bool same_map(const GraphLayout& other) const { return map == other.map; }
    // A tensor in this layout can be read as one in `wanted`.
    bool serves(const GraphLayout& wanted) const {
        return map == wanted.map && (pad == wanted.pad || zero);
    }
    bool operator==(const GraphLayout&) const = default;
};

// The extents, where all of them are constants.
std::optional<std::vector<std::int64_t>> constant_shape(ir::Buffer b);
// The dimension that templates change: the second of four, or the last.
std::size_t channel_dimension(std::size_t rank);

GraphLayout as_is(ir::Buffer b);
// Absent: the template is not about such a tensor. `zero`: the padding holds zeros, or else nothing
// in particular; it counts where there is padding.
std::optional<GraphLayout> layout_of(ir::Buffer b, const LayoutTemplate& t, bool zero);
// The same with a factor for each dimension, 0 for those that are no channels: of weights, whose
// channels are those of the tensors beside them. Dimensions of `last` come after the others.
std::optional<GraphLayout> linked_layout(ir::Buffer b, const std::vector<std::int64_t>& factors,
                                         const std::vector<bool>& last, LayoutForm form,
                                         const std::string& name);

// "float32[1, 27, 14, 14]"
std::string tensor_type(ir::Buffer b);

}  // namespace proviso::rewrite
