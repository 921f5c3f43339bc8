# The Python module (PROVISO_PYTHON): build/<preset>/python/proviso is the package, and `pip install .`
# makes a wheel of it (pyproject.toml). The one part of the build that needs Python, and nanobind.
find_package(Python 3.10 REQUIRED COMPONENTS Interpreter Development.Module)
execute_process(COMMAND "${Python_EXECUTABLE}" -m nanobind --cmake_dir
  OUTPUT_VARIABLE nanobind_ROOT OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
find_package(nanobind CONFIG REQUIRED)

nanobind_add_module(proviso_python NB_STATIC NOMINSIZE NB_DOMAIN proviso
  python/native/module.cpp tools/planted/without_faults.cpp)
# Its sources have not been written for our warnings.
target_compile_options(nanobind-static PRIVATE -w)
target_link_libraries(proviso_python PRIVATE proviso::tools)
target_compile_definitions(proviso_python PRIVATE PROVISO_VERSION="${PROJECT_VERSION}")
get_target_property(nanobind_headers nanobind-static INTERFACE_INCLUDE_DIRECTORIES)
target_include_directories(proviso_python SYSTEM PRIVATE
  ${nanobind_headers} "${NB_DIR}/include" ${Python_INCLUDE_DIRS})

# The package as it would be installed, its Python sources linked.
set(proviso_package "${PROJECT_BINARY_DIR}/python/proviso")
set_target_properties(proviso_python PROPERTIES
  OUTPUT_NAME _native LIBRARY_OUTPUT_DIRECTORY "${proviso_package}")
file(GLOB package_files CONFIGURE_DEPENDS
  python/proviso/*.py python/proviso/*.pyi python/proviso/py.typed)
file(MAKE_DIRECTORY "${proviso_package}")
foreach(file IN LISTS package_files)
  get_filename_component(name "${file}" NAME)
  file(CREATE_LINK "${file}" "${proviso_package}/${name}" SYMBOLIC)
endforeach()
file(CREATE_LINK "${PROJECT_SOURCE_DIR}/schedules" "${proviso_package}/schedules" SYMBOLIC)
# For wheels alone: an installed tree and a package have no module.
install(TARGETS proviso_python LIBRARY DESTINATION proviso COMPONENT python EXCLUDE_FROM_ALL)
install(DIRECTORY schedules DESTINATION proviso COMPONENT python EXCLUDE_FROM_ALL)

if(PROVISO_TESTS)
  add_test(NAME python.proviso
    COMMAND "${PROJECT_SOURCE_DIR}/python/proviso_tests/run"
      "${Python_EXECUTABLE}" "${PROJECT_BINARY_DIR}/python" "${PROJECT_BINARY_DIR}/proviso")
  set_tests_properties(python.proviso PROPERTIES LABELS python TIMEOUT 900 SKIP_RETURN_CODE 77)
endif()
