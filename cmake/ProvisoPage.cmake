# The files of the page that an audit writes, as a source: proviso_page(target) adds it to a target.
# As a script (cmake -DOUT=FILE -DFOLDER=DIR -DSCRIPTS=NAMES -P), writes that source: FILE defines what
# tools/page/files.h declares, with the bytes of page.html, page.css and the scripts in DIR.
if(CMAKE_SCRIPT_MODE_FILE)
  string(REPLACE "," ";" scripts "${SCRIPTS}")
  set(source "// Made from tools/page/ by cmake/ProvisoPage.cmake.\n#include \"tools/page/files.h\"\n\n")
  string(APPEND source "namespace proviso::tools {\n")
  foreach(what IN ITEMS Html Style Script)
    set(files page.html)
    if(what STREQUAL "Style")
      set(files page.css)
    elseif(what STREQUAL "Script")
      set(files ${scripts})
    endif()
    set(bytes "")
    foreach(name IN LISTS files)
      file(READ "${FOLDER}/${name}" hex HEX)
      string(APPEND bytes "${hex}")
    endforeach()
    string(LENGTH "${bytes}" size)
    math(EXPR size "${size} / 2")
    string(REGEX REPLACE "(..)" "'\\\\x\\1'," bytes "${bytes}")
    string(APPEND source "static const char k${what}Bytes[] = {${bytes}};\n"
      "const std::string_view kPage${what}(k${what}Bytes, ${size});\n")
  endforeach()
  string(APPEND source "}  // namespace proviso::tools\n")
  file(WRITE "${OUT}" "${source}")
  return()
endif()

function(proviso_page target)
  set(folder "${PROJECT_SOURCE_DIR}/tools/page")
  # In this order: each may use what stands in those before it.
  set(scripts elements.js programs.js views.js steps.js page.js)
  set(files page.html page.css ${scripts})
  list(TRANSFORM files PREPEND "${folder}/")
  string(REPLACE ";" "," names "${scripts}")
  set(source "${PROJECT_BINARY_DIR}/page_files.cpp")
  set(maker "${PROJECT_SOURCE_DIR}/cmake/ProvisoPage.cmake")
  add_custom_command(
    OUTPUT "${source}"
    COMMAND ${CMAKE_COMMAND} "-DOUT=${source}" "-DFOLDER=${folder}" "-DSCRIPTS=${names}" -P "${maker}"
    DEPENDS ${files} "${maker}"
    COMMENT "Taking in the page of an audit"
    VERBATIM)
  target_sources(${target} PRIVATE "${source}")
  set_source_files_properties("${source}" PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()
