# Finds Z3 and its C++ binding; Debian ships no CMake package for it.
# Gives Z3_FOUND, Z3_VERSION and the target Z3::Z3.

find_path(Z3_INCLUDE_DIR z3++.h PATH_SUFFIXES z3)
find_library(Z3_LIBRARY z3)
mark_as_advanced(Z3_INCLUDE_DIR Z3_LIBRARY)

if(Z3_INCLUDE_DIR AND EXISTS "${Z3_INCLUDE_DIR}/z3_version.h")
  file(STRINGS "${Z3_INCLUDE_DIR}/z3_version.h" version_lines REGEX "#define +Z3_[A-Z]+_")
  set(Z3_VERSION "")
  foreach(part IN ITEMS MAJOR_VERSION MINOR_VERSION BUILD_NUMBER)
    if("${version_lines}" MATCHES "Z3_${part} +([0-9]+)")
      list(APPEND Z3_VERSION "${CMAKE_MATCH_1}")
    endif()
  endforeach()
  list(JOIN Z3_VERSION "." Z3_VERSION)
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Z3
  REQUIRED_VARS Z3_LIBRARY Z3_INCLUDE_DIR
  VERSION_VAR Z3_VERSION)

if(Z3_FOUND AND NOT TARGET Z3::Z3)
  add_library(Z3::Z3 UNKNOWN IMPORTED)
  set_target_properties(Z3::Z3 PROPERTIES
    IMPORTED_LOCATION "${Z3_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${Z3_INCLUDE_DIR}")
endif()
