// Interface relations: how a parameter's physical layout relates to the logical one that callers
// know.
//
//   relayout(A, f, g, pad): logical cell x is physical cell f(x), g(f(x)) = x, and physical cells
//   outside the image of f hold `pad` (an expression, what another cell holds, T.undef():
//   indeterminate, or none: they must not be touched). Padding that the function writes holds the
//   very value. Padding that the caller provides equals it: where it is a zero of a float type,
//   either zero will do, unless the relation says `exact`.
//
// Relations are part of the program text (function attribute "proviso.layout"), so that a program
// carries its own contract, and every rule, the interpreter's harness and the audit read the same
// one.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ir/children.h"
#include "ir/context.h"
#include "ir/result.h"

namespace proviso::analysis {

inline constexpr const char* kLayoutAttr = "proviso.layout";
// The one key of a relation that may be absent, and its one value: the relation is `exact`.
inline constexpr const char* kExactKey = "padding_holds";
inline constexpr const char* kExactValue = "bits";

enum class PadKind : std::uint8_t {
    None,   // not touched
    Undef,  // indeterminate
    Value,  // `pad`, a function of the physical indices
    Cell,   // what the cell that `pad` loads holds, an image of the same buffer (wrap-around)
};

struct Layout {
    std::string buffer;                   // name; the same for the logical and the physical buffer
    std::vector<ir::Expr> logical_shape;  // extents
    std::vector<ir::Expr> vars;           // logical indices x, one a logical dimension
    std::vector<ir::Expr> map;            // f(x), one a physical dimension
    std::vector<ir::Expr> physical_vars;  // physical indices p, one a physical dimension
    std::vector<ir::Expr> inverse;        // g(p), one a logical dimension
    PadKind pad_kind = PadKind::None;
    ir::Expr pad = nullptr;  // PadKind::Value and Cell: over physical_vars
    bool holds_at_entry =
        false;           // input: the caller provides the padding; else the function writes it
    bool exact = false;  // input of floats: bit for bit, so that 0.0 is not -0.0

    // The physical indices p by their variables. An index of another integer type is cast to the
    // relation's, which changes no index that is in bounds.
    ir::Substitution at(ir::Context& ctx, std::span<const ir::Expr> physical) const;
    // g(p), for p as `at` has them.
    std::vector<ir::Expr> logical(ir::Context& ctx, const ir::Substitution& at) const;

    // The caller may put either zero where `pad` is one: floats, not `exact`.
    bool zero_of_either_sign() const;

    // p is the image of a logical cell: g(p) within the logical shape and f(g(p)) = p.
    ir::Expr in_image(ir::Context& ctx, std::span<const ir::Expr> physical) const;
};

// Every relation of a parameter, oldest first: the first one's logical side is what the source
// program's caller knows, the last one's physical side is the parameter's shape in this function.
std::vector<Layout> layouts_of(ir::Context& ctx, const ir::Function& f, const std::string& buffer);
// All of the function's, in the order of parameters.
std::vector<Layout> all_layouts(ir::Context& ctx, const ir::Function& f);
// The function with one more relation (the newest) recorded.
ir::Function with_layout(const ir::Function& f, const Layout& layout);
// "A: cell [i] of shape (7) is stored at [i // 4, i % 4]; padding holds T.float32(0.0), bit for bit
// (provided by the caller)".
std::string describe(const Layout& layout);

// A cell that may be touched at all: in the image wherever padding is `none`. `true` for other
// buffers.
ir::Expr accessible(ir::Context& ctx, const ir::Function& f, ir::Buffer buffer,
                    std::span<const ir::Expr> indices);

}  // namespace proviso::analysis
