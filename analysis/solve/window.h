// Windows of remainders: what a condition on x % m comes to. One residue, or consecutive ones.
//
//   x % 8 < 3                     (x - 0) % 8 <= 2
//   x // 3 % 4 == 2               (x - 6) % 12 <= 2
//   x % 6 == 2 and x % 4 == 0     (x - 8) % 12 <= 0
#pragma once

#include <optional>
#include <vector>

#include "analysis/solve/checked.h"

namespace proviso::analysis::solve {

// (x - first) % modulus <= width. The modulus is positive wherever the window matters.
struct Window {
    ir::Expr modulus = nullptr;
    ir::Expr first = nullptr;   // without x, like the others
    ir::Expr width = nullptr;   // 0: one residue
    bool is_remainder = false;  // `first` is known to be within [0, modulus)

    bool is_constant() const;
    bool operator==(const Window&) const = default;

    // As a condition on x, in its most readable form.
    ir::Expr formula(ir::Context& ctx, ir::Expr x) const;
};

// Constant windows are joined up to this modulus.
inline constexpr std::int64_t kMostModulus = 1000;

// Residues 0, 1, .. of a modulus: whether x % modulus may be that.
using Residues = std::vector<bool>;

// As few windows as hold for just these residues, over the smallest modulus; one that holds always
// is left out, so that none and `all` differ.
struct Windows {
    bool all = false;
    std::vector<Window> runs;
};
Windows windows_of(ir::Context& ctx, ir::ScalarType type, const Residues& residues);

// What a constant window says, of a multiple of its modulus.
Residues residues_of(const Window& window, std::size_t modulus);

// The least common multiple of the moduli of constant windows; none above kMostModulus.
std::optional<std::size_t> common_modulus(const std::vector<Window>& windows);

// One window of one residue for two of them, with constant moduli (Chinese remainder), and what the
// other variables must satisfy for there to be an x. None where a width is not 0.
struct JoinedWindow {
    Window window;
    ir::Expr compatible = nullptr;  // null: always
};
std::optional<JoinedWindow> joined(ir::Context& ctx, const Window& a, const Window& b);

// m divides e, for a positive constant m, in its most readable form: t % m == 2.
ir::Expr divides(ir::Context& ctx, ir::Expr m, ir::Expr e);

// e modulo a positive constant m: factors reduced, no remainder taken. Others as they are.
ir::Expr reduced_modulo(ir::Context& ctx, ir::Expr e, ir::Expr m);

}  // namespace proviso::analysis::solve
