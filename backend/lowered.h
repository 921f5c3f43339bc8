// What a code generator accepts: the shape that a program has when its lowering is complete.
//
// Refused, each with the site of the finding:
//   - blocks, assumes and `undef`: the lowering rules remove them (rewrite/rules), but for blocks
//     in whose place a C function is called (ir/external.h), which a CPU's code can;
//   - loops bound to a thread axis, unless they are taken: the CPU has none;
//   - operators that only obligations may hold (`Defined`, `Same`);
//   - opaque calls of functions that nobody registered, or with 16-bit floats, which have no C
//   type;
//   - parameter extents over anything but scalar parameters;
//   - names that are not in scope.
// Accepted as they are: both families of integer division (the generator emits the right sequence;
// one in an extent of a parameter, which is computed before the first check of the program, gives
// -1 where it has no value, and no caller has a buffer of that extent),
// buffers of any rank (addresses are row-major, in 64 bits), let, select, if_then_else,
// allocations.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "ir/function.h"
#include "ir/result.h"

namespace proviso::backend {

enum class BoundLoops : std::uint8_t { Refused, Taken };  // loops bound to blocks and threads

// `extern_symbols`: names that an opaque call may use.
Status check_lowered(const ir::Function& f, const std::set<std::string>& extern_symbols = {},
                     BoundLoops bound = BoundLoops::Refused);

// A size variable that is no parameter: it stands alone as an extent of a buffer parameter, which
// gives it its value ("n = T.int32()" in a program's text).
struct ImpliedSize {
    ir::Expr var = nullptr;
    std::size_t param = 0;  // the first buffer parameter that has it as an extent
    std::size_t dimension = 0;
};
std::vector<ImpliedSize> implied_sizes(const ir::Function& f);
// The function with its implied sizes as further scalar parameters, at the end, in that order: what
// is compiled.
ir::Function with_explicit_sizes(const ir::Function& f);

// The C functions that are called in the place of blocks, each once, in textual order.
std::vector<std::string> external_symbols(const ir::Function& f);

// The messages of a function's asserts in textual order; code k of a run means messages[k - 1].
std::vector<std::string> assert_messages(const ir::Function& f);

}  // namespace proviso::backend
