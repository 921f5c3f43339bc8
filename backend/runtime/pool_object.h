// thread_pool.cpp as an object file, for shared libraries with parallel loops.
#pragma once

#include <string_view>

namespace proviso::backend {

// ELF, for any x86-64, position-independent; of its symbols `proviso_parallel_for` alone is
// visible.
std::string_view pool_object();

}  // namespace proviso::backend
