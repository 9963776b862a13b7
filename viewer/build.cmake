# cmake -DSOURCE=viewer -DFOLDER=build/viewer -P build.cmake: bundles viewer.ts with npm and writes the
# bundle as C++ to FOLDER/viewer_bundle.cpp.  Without npm, or where its registry cannot be reached,
# the bundle is empty and pages show still pictures; remove FOLDER to try again.
set(bundle "")
find_program(NPM npm)
if(NPM)
  foreach(file package.json package-lock.json viewer.ts)
    configure_file(${SOURCE}/${file} ${FOLDER}/${file} COPYONLY)
  endforeach()
  execute_process(
    COMMAND ${NPM} ci --ignore-scripts --no-audit --no-fund --fetch-retries=1 --fetch-timeout=30000
    WORKING_DIRECTORY ${FOLDER} TIMEOUT 180 RESULT_VARIABLE failed OUTPUT_VARIABLE log ERROR_VARIABLE log)
  if(NOT failed)
    execute_process(
      COMMAND ${NPM} run --silent build
      WORKING_DIRECTORY ${FOLDER} TIMEOUT 60 RESULT_VARIABLE failed OUTPUT_VARIABLE log ERROR_VARIABLE log)
  endif()
  if(failed)
    message(STATUS "no 3-D viewer: npm failed (${failed})\n${log}")
  else()
    file(READ ${FOLDER}/viewer.js bundle)
    string(REPLACE "</script" "<\\/script" bundle "${bundle}")
  endif()
else()
  message(STATUS "no 3-D viewer: npm is not installed")
endif()
file(WRITE ${FOLDER}/viewer_bundle.cpp
  "// Written by viewer/build.cmake.\n#include \"report/viewer.h\"\n\nnamespace stiction::report {\n"
  "const std::string_view viewer_bundle = R\"viewer(${bundle})viewer\";\n}  // namespace stiction::report\n")
