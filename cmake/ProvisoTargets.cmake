# The three kinds of target, said once: a folder's library, a program, a folder's tests.

# proviso_sources(out folder): every .cpp under folder, looked for again at each build.
function(proviso_sources out folder)
  file(GLOB_RECURSE found CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/${folder}/*.cpp")
  set(${out} "${found}" PARENT_SCOPE)
endfunction()

# proviso_has_places(out source): whether the source has places for planted faults (ir/planted.h).
function(proviso_has_places out source)
  file(STRINGS "${source}" places REGEX "[^_]planted\\(|omitted\\(")
  set(${out} "${places}" PARENT_SCOPE)
endfunction()

# proviso_unity(target sources...): compiles up to eight sources of one subfolder at once where
# PROVISO_UNITY is on, which takes half the time. Sources whose file-local names are those of a
# neighbour say so (SKIP_UNITY_BUILD_INCLUSION, in CMakeLists.txt). Sources with places for planted
# faults have groups of their own: proviso-planted has other objects in their stead.
function(proviso_unity target)
  if(NOT PROVISO_UNITY)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  # At -O1 the second one takes LLVM's pair of operators new and delete for a mismatch. Clang takes
  # names of a neighbour's own for shadowed ones. All sources are also compiled one by one, with the
  # warnings on.
  target_compile_options(${target} PRIVATE
    $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage;-Wno-mismatched-new-delete>
    $<$<CXX_COMPILER_ID:Clang>:-Wno-shadow>)
  foreach(source IN LISTS ARGN)
    get_filename_component(folder "${source}" DIRECTORY)
    string(MAKE_C_IDENTIFIER "${folder}" group)
    proviso_has_places(places "${source}")
    if(places)
      string(APPEND group _with_places)
    endif()
    math(EXPR count_${group} "${count_${group}} + 0")
    math(EXPR chunk "${count_${group}} / 8")
    math(EXPR count_${group} "${count_${group}} + 1")
    set_source_files_properties("${source}" PROPERTIES UNITY_GROUP "${group}_${chunk}")
  endforeach()
endfunction()

# proviso_library(name [FOLDER folder] [ONLY paths] [EXCEPT paths] [PUBLIC ...] [PRIVATE ...]): static
# library proviso_<name>, also called proviso::<name>, from all .cpp files under the folder (of the
# same name unless given), or from those whose path below it begins with a match of ONLY, but not
# from those where it begins with one of EXCEPT. Its includes start at the repository's root. Its
# headers are the file set HEADERS, which is what an installed library has.
function(proviso_library folder)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "FOLDER;ONLY;EXCEPT" "PUBLIC;PRIVATE")
  if(NOT arg_FOLDER)
    set(arg_FOLDER ${folder})
  endif()
  proviso_sources(sources ${arg_FOLDER})
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/${arg_FOLDER}/*.h")
  set(root "^${PROJECT_SOURCE_DIR}/${arg_FOLDER}")
  foreach(files IN ITEMS sources headers)
    if(arg_ONLY)
      list(FILTER ${files} INCLUDE REGEX "${root}/${arg_ONLY}([/.]|$)")
    endif()
    if(arg_EXCEPT)
      list(FILTER ${files} EXCLUDE REGEX "${root}/${arg_EXCEPT}([/.]|$)")
    endif()
  endforeach()
  if(NOT sources)
    # A folder of headers only still is a library, so that others can link it.
    set(sources "${PROJECT_BINARY_DIR}/empty_${folder}.cpp")
    file(GENERATE OUTPUT "${sources}" CONTENT "")
  endif()
  add_library(proviso_${folder} STATIC ${sources})
  add_library(proviso::${folder} ALIAS proviso_${folder})
  proviso_unity(proviso_${folder} ${sources})
  target_sources(proviso_${folder}
    PUBLIC FILE_SET HEADERS BASE_DIRS "${PROJECT_SOURCE_DIR}" FILES ${headers})
  target_link_libraries(proviso_${folder} PUBLIC ${arg_PUBLIC} PRIVATE ${arg_PRIVATE})
endfunction()

# proviso_planted(name folders...): the objects of all sources of the libraries of these folders that
# have places for planted faults (ir/planted.h), with the faults.
function(proviso_planted name)
  add_library(${name} OBJECT)
  target_compile_definitions(${name} PRIVATE PROVISO_PLANTED)
  proviso_unity(${name})  # in the groups that the libraries have made
  foreach(folder IN LISTS ARGN)
    proviso_sources(sources ${folder})
    foreach(source IN LISTS sources)
      proviso_has_places(places "${source}")
      if(places)
        target_sources(${name} PRIVATE "${source}")
      endif()
    endforeach()
    target_link_libraries(${name} PRIVATE proviso::${folder})
  endforeach()
endfunction()

# proviso_program(name folder libraries...): program build/<preset>/<name> from all .cpp files under
# folder, or from the one file; no target where the folder has none.
function(proviso_program name folder)
  if(folder MATCHES "\\.cpp$")
    set(sources "${PROJECT_SOURCE_DIR}/${folder}")
  else()
    proviso_sources(sources ${folder})
  endif()
  if(NOT sources)
    return()
  endif()
  add_executable(${name} ${sources})
  proviso_unity(${name} ${sources})
  target_link_libraries(${name} PRIVATE ${ARGN})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}")
endfunction()

# proviso_tests(folder libraries...): test program build/<preset>/tests/<folder>_tests from all .cpp
# files under tests/<folder>; no target where there are none. Tests find data files under
# PROVISO_SOURCE_DIR and the command at PROVISO_BINARY.
function(proviso_tests folder)
  proviso_sources(sources tests/${folder})
  if(NOT sources)
    return()
  endif()
  add_executable(${folder}_tests ${sources})
  proviso_unity(${folder}_tests ${sources})
  target_link_libraries(${folder}_tests PRIVATE
    ${ARGN} rapidcheck rapidcheck_gtest GTest::gtest_main GTest::gmock)
  target_compile_definitions(${folder}_tests PRIVATE
    PROVISO_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
    PROVISO_BINARY="${PROJECT_BINARY_DIR}/proviso"
    PROVISO_AUDIT="${PROJECT_BINARY_DIR}/proviso-audit"
    PROVISO_CERTCHECK="${PROJECT_BINARY_DIR}/proviso-certcheck"
    PROVISO_FUZZ_INPUTS="${PROJECT_BINARY_DIR}/proviso-fuzz-inputs")
  set_target_properties(${folder}_tests PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests")
  if(folder STREQUAL "page" AND TARGET proviso)
    add_dependencies(${folder}_tests proviso proviso-audit)
  endif()
  if(folder STREQUAL "tools" AND TARGET proviso)
    add_dependencies(${folder}_tests proviso proviso-planted proviso-audit proviso-certcheck
      proviso-fuzz-inputs)
  endif()
  if(PROVISO_TEST_SHARDS GREATER 0)
    proviso_test_shards(${folder})
    return()
  endif()
  # Asking the programs for their tests waits until ctest runs, so that building stays quick.
  gtest_discover_tests(${folder}_tests
    TEST_PREFIX "${folder}."
    DISCOVERY_MODE PRE_TEST
    DISCOVERY_TIMEOUT 120
    PROPERTIES TIMEOUT 900 LABELS ${folder})
endfunction()

# proviso_test_shards(folder): PROVISO_TEST_SHARDS processes that share the tests of the folder, where
# a process for each test would mostly start (sanitizers read all of LLVM and Z3 first). A fifth of
# them runs, by turns; of the scenarios, whose tests are more than one case each, tests/sanitized.h
# chooses it. Each test is named as it starts: where one does not end, the output ends with its name.
function(proviso_test_shards folder)
  math(EXPR last "${PROVISO_TEST_SHARDS} - 1")
  set(parts 5)
  if(folder STREQUAL "scenarios")
    set(parts 1)
  endif()
  foreach(shard RANGE ${last})
    set(test ${folder}.shard-${shard})
    add_test(NAME ${test} COMMAND ${PROJECT_SOURCE_DIR}/scripts/rotating-shard
      ${shard} ${PROVISO_TEST_SHARDS} ${parts} $<TARGET_FILE:${folder}_tests>)
    set_tests_properties(${test} PROPERTIES TIMEOUT 900 LABELS ${folder})
  endforeach()
endfunction()
