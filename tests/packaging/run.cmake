# Installs the build into a folder of its own, then configures, builds and runs the consumer there.
set(work ${BUILD}/packaging)
file(REMOVE_RECURSE ${work})
function(step)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${ARGN}\n${output}")
  endif()
endfunction()
step(${CMAKE_COMMAND} --install ${BUILD} --prefix ${work}/prefix)
step(${CMAKE_COMMAND} -S ${CONSUMER} -B ${work}/build -DCMAKE_PREFIX_PATH=${work}/prefix
     -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_BUILD_TYPE=Release -G ${GENERATOR}
     -DREADME=${CONSUMER}/../../README.md)
step(${CMAKE_COMMAND} --build ${work}/build)
step(${work}/build/consumer)
step(${work}/build/readme)
step(${work}/prefix/bin/stiction --version)
