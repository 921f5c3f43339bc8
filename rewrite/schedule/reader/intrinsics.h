// The functions in TVMScript that stand beside a schedule's calls: descriptions and implementations
// of intrinsics. An implementation may be one call of a C function, whose arguments are pointers:
//
//   @T.prim_func
//   def dot4_impl(A: …, B: …, C: …):
//       T.evaluate(T.call_extern("void", "dot4", C.access_ptr("rw"), A.access_ptr("r"), 4))
//
// Such a function is one that does nothing, with the attribute kExternAttr (ir/external.h): the
// call, without a description. It has the parameters of its description: C gets them by name.
#pragma once

#include <string>
#include <string_view>

#include "ir/context.h"
#include "ir/function.h"
#include "ir/result.h"

namespace proviso::rewrite {

// Fails, at its place, on what has no meaning here, and on calls of a C function by a name that C
// keeps, or that the code of the function `program` gets.
Result<ir::Module> read_intrinsics(ir::Context& ctx, std::string_view text, const std::string& file,
                                   const std::string& program);

}  // namespace proviso::rewrite
