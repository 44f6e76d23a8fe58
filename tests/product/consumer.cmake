# Builds and runs the scratch project in consumer/, which uses treadle in the way that MODE says.
cmake_minimum_required(VERSION 3.22)

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "${MODE}: failed: ${ARGN}\n${output}")
  endif()
  message(STATUS "${output}")
endfunction()

file(REMOVE_RECURSE ${WORK})
set(options -DMODE=${MODE} -DTREADLE_ROOT=${TREADLE_ROOT} -DCMAKE_CXX_COMPILER=${COMPILER}
            -DCMAKE_BUILD_TYPE=${BUILD_TYPE})
if(MODE STREQUAL "find_package")
  # The copy lies in a folder of its own, moved after the install: it may not know its old place.
  run(${CMAKE_COMMAND} --install ${TREADLE_BUILD} --prefix ${WORK}/first)
  file(RENAME ${WORK}/first ${WORK}/prefix)
  list(APPEND options -DCMAKE_PREFIX_PATH=${WORK}/prefix)
endif()
run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR}/consumer -B ${WORK}/build -G ${GENERATOR} ${options})
run(${CMAKE_COMMAND} --build ${WORK}/build)
run(${WORK}/build/header_only)
if(MODE STREQUAL "find_package")
  run(${WORK}/build/compiled)
endif()
file(REMOVE_RECURSE ${WORK})
