# A Python environment for the oracle inside the build folder, made once and again when the pinned
# versions change.  Called as cmake -DPYTHON=… -DFOLDER=… -DREQUIREMENTS=… -P environment.cmake.
file(SHA256 ${REQUIREMENTS} wanted)
set(stamp ${FOLDER}/installed.sha256)
set(have "")
if(EXISTS ${stamp})
  file(READ ${stamp} have)
endif()
if(have STREQUAL wanted)
  return()
endif()

function(must what)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE out ERROR_VARIABLE out)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "The oracle's environment could not be made: ${what}\n${out}")
  endif()
endfunction()

file(REMOVE_RECURSE ${FOLDER})
must("${PYTHON} has no venv (Debian: python3-venv)" ${PYTHON} -m venv ${FOLDER})
must("pip could not fetch what ${REQUIREMENTS} names; it needs a package index within reach"
  ${FOLDER}/bin/python -m pip install --quiet --disable-pip-version-check --no-input
  --only-binary :all: --requirement ${REQUIREMENTS})
file(WRITE ${stamp} ${wanted})
