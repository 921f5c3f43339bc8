// What licences leave open.
#pragma once

#include "ir/function.h"

namespace proviso::verify {

// What the licences of `f` leave open in the results of one input.
struct Freedom {
    bool floats = false;  // values of floats, by more than a zero's sign
    bool others = false;  // values of other types, how a run ends, opaque calls
};
// `floats`: it adds floats and grants `reassociate`, or grants `no_signed_zero` and divides floats
// or makes opaque calls, which can tell zeros apart. `others`: and a float decides something else,
// as a comparison, a cast and the argument of a call do.
Freedom freedom_of(const ir::Function& f);

}  // namespace proviso::verify
