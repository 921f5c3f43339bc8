// Loops that a call has made several of: a handle from before the call would mean the first of them
// only, and nobody who wrote it does.
#pragma once

#include <map>
#include <string>

#include "ir/function.h"
#include "ir/result.h"

namespace proviso::rewrite {

// For each loop inside of loop `unrolled` of `before` that `after` has several copies of: what to
// tell whoever names it.
std::map<std::string, Diagnostic> loop_copies(const ir::Function& before,
                                              const std::string& unrolled,
                                              const ir::Function& after);

}  // namespace proviso::rewrite
