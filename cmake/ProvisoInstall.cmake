# What `cmake --install` copies: commands with manual pages and completions, documentation,
# examples. docs/install.md is for users.
include(GNUInstallDirs)

# --- commands --------------------------------------------------------------------------------------

install(TARGETS proviso proviso-certcheck RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})

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

# --- documentation ---------------------------------------------------------------------------------

install(FILES README.md CHANGELOG.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DATADIR}/proviso)
