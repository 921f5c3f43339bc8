# How every source of the project is compiled: language, warnings, floats, linker, compiler cache.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

add_compile_options(-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror)

# a*b+c is two roundings here, as in the programs that we reason about.
add_compile_options(-ffp-contract=off)

# These four follow values through inlined library code, and g++ 12 finds faults there that do not
# exist (string concatenation, std::variant, std::optional). The sanitizer build looks for real ones.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_compile_options(-Wno-restrict -Wno-maybe-uninitialized -Wno-stringop-overflow
                      -Wno-array-bounds)
endif()

find_program(PROVISO_MOLD mold)
if(PROVISO_MOLD)
  add_link_options(-fuse-ld=mold)
endif()

find_program(PROVISO_CCACHE ccache)
if(PROVISO_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${PROVISO_CCACHE}")
endif()
