// Affine forms over terms: 2 * n - i + 7. A term is anything that is no sum, difference or constant
// multiple: a variable, n * m, i // 4. For finding things out; what is found is proved elsewhere.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ir/context.h"
#include "ir/domains/integer.h"

namespace proviso::analysis {

class Affine {
  public:
    Affine() = default;
    Affine(const ir::Integer& constant) : constant_(constant) {}  // implicit: numbers are forms
    Affine(int constant) : constant_(constant) {}
    static Affine term(ir::Expr e, const ir::Integer& factor = 1);
    // Of an expression of integer type, read as mathematics (no wrapping): only for exact types.
    static Affine of(ir::Expr e);

    // By increasing handle; factors are not 0.
    const std::vector<std::pair<ir::Expr, ir::Integer>>& terms() const { return terms_; }
    const ir::Integer& constant() const { return constant_; }
    bool is_constant() const { return terms_.empty(); }
    ir::Integer factor_of(ir::Expr term) const;
    // The form without that term.
    Affine without(ir::Expr term) const;

    Affine& add(const Affine& other, const ir::Integer& scale = 1);
    friend Affine operator+(Affine a, const Affine& b) { return a.add(b); }
    friend Affine operator-(Affine a, const Affine& b) { return a.add(b, -1); }
    friend Affine operator*(const Affine& a, const ir::Integer& by) {
        Affine out;
        return out.add(a, by);
    }
    bool operator==(const Affine&) const = default;

    // As an expression, terms first; null when a number does not fit the type.
    ir::Expr expr(ir::Context& ctx, ir::ScalarType type) const;
    std::string str(ir::Context& ctx) const;

  private:
    void add_term(ir::Expr e, const ir::Integer& factor);
    void read(ir::Expr e, const ir::Integer& scale);

    std::vector<std::pair<ir::Expr, ir::Integer>> terms_;
    ir::Integer constant_;
};

}  // namespace proviso::analysis
