// Stores that accumulate in a cell: S[f] = S[f] + e, S[f] = e + S[f], S[f] = (S[f] + a) - b, no
// term but the one reading S; likewise with T.max, T.min, `&`, `|`, `^` in the place of `+`; and
// S[f] = e or S[f], S[f] = e and S[f]. (Not S[f] or e: whether e is evaluated depends on the cell.)
// Whatever the order of such stores to a cell, all by one operator and with nothing else touching
// it in between, it ends up with the same terms combined.
#pragma once

#include <optional>

#include "ir/function.h"
#include "ir/site.h"

namespace proviso::rewrite {

struct Accumulation {
    ir::Site load;  // of the cell, in the store's value
    ir::Op by;      // Add, also for differences; Min, Max, BitAnd, BitOr, BitXor, And, Or
};

// How the store at `statement` accumulates; none when it is no such store.
std::optional<Accumulation> accumulation_at(const ir::Function& f, const ir::Site& statement);

// Terms of the type, combined by the operator, are the same bits in any order, and are a fault or
// indeterminate in every order or in none. So it is where no partial result can leave the range of
// its type, and for no operator on floats: T.max(x, NaN) is x, and T.max(NaN, x) is NaN; of +0.0
// and -0.0 the first one is taken. Terms of type `int32` and `int64` are combined by `+` in
// sequence.
bool is_free_of_order(ir::Op by, ir::ScalarType type);

}  // namespace proviso::rewrite
