// Digits of mixed-radix numbers in linear forms. Each x % c is x - (x // c) * c, and each (x // a)
// % b is x // a - x // (a*b) * b; so written, the digits of one number cancel wherever they stand
// in a sum, and in any order:
//
//   x//6*6 + x//3%2*3 + x%3  =  6*[x//6] + 3*[x//3] - 6*[x//6] + x - 3*[x//3]  =  x
//
// What is left over becomes digits again where that is shorter: x - x//4*4 is x % 4.
#pragma once

#include "rewrite/simplify/linear_form.h"

namespace proviso::rewrite {

// False where join_digits would find nothing, as a few looks show. `kinds` are the form's.
bool may_join_digits(const LinearForm& form, MonomialKinds kinds);

// True, and `form` changed, when its digits cancel, or quotients turn into digits, with fewer
// nodes. An equal form, whose terms observe nothing that those of `form` do not observe.
bool join_digits(ir::Context& ctx, LinearForm& form);

}  // namespace proviso::rewrite
