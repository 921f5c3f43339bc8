# What `cmake --install` copies: commands with manual pages and completions, libraries with headers,
# a CMake package and a pkg-config file, documentation, examples, licences. docs/install.md is for
# users.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# --- commands --------------------------------------------------------------------------------------

install(TARGETS proviso proviso-audit proviso-certcheck RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})

# The programs write their own manual and completions, from the options that they read.
set(manual "${PROJECT_BINARY_DIR}/manual")
set(manual_files "${manual}/proviso" "${manual}/_proviso" "${manual}/proviso.fish")
add_custom_command(
  OUTPUT ${manual_files}
  COMMAND ${CMAKE_COMMAND} -E rm -rf "${manual}"
  COMMAND proviso man -o "${manual}/man1"
  COMMAND proviso completions bash -o "${manual}/proviso"
  COMMAND proviso completions zsh -o "${manual}/_proviso"
  COMMAND proviso completions fish -o "${manual}/proviso.fish"
  COMMAND proviso-certcheck --man > "${manual}/man1/proviso-certcheck.1"
  DEPENDS proviso proviso-certcheck
  COMMENT "Writing manual pages and completions"
  VERBATIM)
add_custom_target(manual ALL DEPENDS ${manual_files})
install(DIRECTORY "${manual}/man1" DESTINATION ${CMAKE_INSTALL_MANDIR})
install(FILES "${manual}/proviso"
  DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES "${manual}/_proviso" DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
install(FILES "${manual}/proviso.fish" DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)

# --- libraries -------------------------------------------------------------------------------------

# The back end apart: without it, nothing needs LLVM.
set(core_libraries certcheck ir analysis z3 kernel rewrite audit verify)
foreach(library IN LISTS core_libraries ITEMS backend)
  set_target_properties(proviso_${library} PROPERTIES EXPORT_NAME ${library})
  target_compile_features(proviso_${library} INTERFACE cxx_std_20)
  # Arithmetic in headers is what it is in the libraries (ProvisoCompiler.cmake).
  target_compile_options(proviso_${library} INTERFACE $<INSTALL_INTERFACE:-ffp-contract=off>)
endforeach()
add_library(proviso_all INTERFACE)
set_target_properties(proviso_all PROPERTIES EXPORT_NAME proviso)
set(core_targets ${core_libraries})
list(TRANSFORM core_targets PREPEND proviso_)
target_link_libraries(proviso_all INTERFACE ${core_targets})

set(package_folder "${CMAKE_INSTALL_LIBDIR}/cmake/Proviso")
set(headers_folder "${CMAKE_INSTALL_INCLUDEDIR}/proviso")
install(TARGETS ${core_targets} proviso_all EXPORT ProvisoTargets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  FILE_SET HEADERS DESTINATION ${headers_folder})
install(TARGETS proviso_backend EXPORT ProvisoBackendTargets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  FILE_SET HEADERS DESTINATION ${headers_folder})
foreach(set IN ITEMS ProvisoTargets ProvisoBackendTargets)
  install(EXPORT ${set} NAMESPACE Proviso:: DESTINATION ${package_folder})
endforeach()

configure_package_config_file(
  "${PROJECT_SOURCE_DIR}/cmake/ProvisoConfig.cmake.in" "${PROJECT_BINARY_DIR}/ProvisoConfig.cmake"
  INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file("${PROJECT_BINARY_DIR}/ProvisoConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES
  "${PROJECT_BINARY_DIR}/ProvisoConfig.cmake" "${PROJECT_BINARY_DIR}/ProvisoConfigVersion.cmake"
  "${PROJECT_SOURCE_DIR}/cmake/FindZ3.cmake"
  DESTINATION ${package_folder})

# From the folder of the .pc file up to the prefix.
file(RELATIVE_PATH proviso_pc_prefix
  "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
configure_file("${PROJECT_SOURCE_DIR}/cmake/proviso.pc.in" "${PROJECT_BINARY_DIR}/proviso.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/proviso.pc" DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# --- documentation ---------------------------------------------------------------------------------

install(FILES README.md CHANGELOG.md LICENSE NOTICES DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY examples schedules DESTINATION ${CMAKE_INSTALL_DATADIR}/proviso)
# The program finds them beside itself where it is not installed.
file(CREATE_LINK "${PROJECT_SOURCE_DIR}/schedules" "${PROJECT_BINARY_DIR}/schedules" SYMBOLIC)
