// Loops of generated programs: nests that visit every index tuple of a shape.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "fuzz/gen/values.h"

namespace proviso::fuzz {

struct NestLoop {
    ir::Expr var;
    ir::Expr hi;
    ir::ForKind kind = ir::ForKind::Serial;
};

// Loops that visit every index tuple of a shape, the tuple, and the condition under which it is
// one.
struct Nest {
    std::vector<NestLoop> loops;
    std::vector<ir::Expr> indices;
    std::vector<Variable> variables;
    ir::Expr guard = nullptr;  // null: always
    bool plain = true;         // one loop a dimension
};

class NestGen {
  public:
    // New names are added to `names`, what the nest is to `features`.
    NestGen(ir::Context& ctx, Choice& choice, const std::vector<Extent>& shape,
            std::set<std::string>& names, std::set<std::string>& features)
        : ctx_(ctx), choice_(choice), shape_(shape), names_(names), features_(features) {}

    // `concurrent`: loops may be parallel or vectorized; iterations are independent of one another
    // in every nest that this is asked for.
    Nest nest(bool concurrent);
    // A variable of the type of the shape's extents.
    ir::Expr loop_var(const char* base);

  private:
    ir::ForKind kind(bool outermost, bool innermost);
    // io over ceil(E / c), ii over c, guarded by io * c + ii < E.
    void split(const Extent& e, Nest& out);
    // f over E0 * E1; the indices are its digits.
    Nest fused();

    ir::Context& ctx_;
    Choice& choice_;
    const std::vector<Extent>& shape_;
    std::set<std::string>& names_;
    std::set<std::string>& features_;
};

}  // namespace proviso::fuzz
