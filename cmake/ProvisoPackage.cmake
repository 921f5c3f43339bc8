# What cpack makes of an installed tree: a Debian package. `./dev package` calls it, and tries the
# package (tests/package/run).
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME proviso)
set(CPACK_PACKAGE_VERSION "${PROJECT_VERSION}")
set(CPACK_PACKAGE_VENDOR "the authors of Proviso")
set(CPACK_PACKAGE_CONTACT "the authors of Proviso <proviso@example.org>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "rewrites tensor programs and proves every rewrite")
set(CPACK_PACKAGE_DESCRIPTION
"Reads TVMScript programs and schedules, changes layouts, splits and reorders loops, and lowers to code
for CPUs and GPUs. A step is taken only when it is proved that the new program refines the old one.
.
Commands with manual pages and completions, static libraries with headers, documentation, examples.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_MONOLITHIC_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# Programs that are called, and where they are missing something is said: docs/install.md.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "cvc5, z3, gcc")
# What a program that links the libraries needs (ProvisoConfig.cmake).
set(CPACK_DEBIAN_PACKAGE_SUGGESTS
  "libboost-dev, libboost-context-dev, libfmt-dev, libssl-dev, libzstd-dev, libz3-dev, llvm-19-dev, nlohmann-json3-dev")
include(CPack)
install(FILES cmake/copyright DESTINATION ${CMAKE_INSTALL_DOCDIR})

if(PROVISO_TESTS)
  add_test(NAME package.deb COMMAND "${PROJECT_SOURCE_DIR}/tests/package/made"
    "${CMAKE_CPACK_COMMAND}" "${PROJECT_BINARY_DIR}" "${PROJECT_VERSION}" ${sanitized})
  set_tests_properties(package.deb PROPERTIES LABELS install TIMEOUT 900 SKIP_RETURN_CODE 77)
endif()
