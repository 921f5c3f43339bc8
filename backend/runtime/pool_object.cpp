#include "backend/runtime/pool_object.h"

// The build says where the object file lies.
__asm__(
    ".section .rodata\n"
    ".balign 16\n"
    "proviso_pool_object_begin:\n"
    ".incbin \"" PROVISO_POOL_OBJECT
    "\"\n"
    "proviso_pool_object_end:\n"
    ".previous\n");

extern "C" {
extern const char proviso_pool_object_begin[] __attribute__((visibility("hidden")));
extern const char proviso_pool_object_end[] __attribute__((visibility("hidden")));
}

namespace proviso::backend {

std::string_view pool_object() {
    return {proviso_pool_object_begin, proviso_pool_object_end};
}

}  // namespace proviso::backend
