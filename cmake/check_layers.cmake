# Checks the architecture: which folder includes which, which packages are used where, file shape.
#
#   cmake -DROOT=<source folder> -P cmake/check_layers.cmake
#
# Names every breach at once and fails if there is one.
cmake_minimum_required(VERSION 3.22)

# The layer table: what each folder of include/treadle may include beside itself. A folder that is
# not listed is an error.
set(may_core)
set(may_symbolic core)
set(may_backend core)
set(may_sched core)
set(may_plan core)
set(may_trace core)
set(may_archive core)
set(may_graph core symbolic)
set(may_value core backend)
set(may_ops core symbolic graph)
set(may_exported core symbolic graph archive)
set(may_analysis core symbolic graph ops)
set(may_kernel core graph ops backend value sched)
set(may_pass core symbolic graph ops analysis)
set(may_cpu core backend value ops kernel sched)
set(may_program core symbolic graph ops analysis pass plan archive)
set(may_exec core symbolic backend sched plan trace archive graph value ops analysis kernel pass)
set(may_vm ${may_exec} exec program)
set(may_text ${may_vm} exported cpu)
list(REMOVE_ITEM may_text vm)
set(may_model ${may_text} vm text)
set(folders core symbolic backend sched plan trace archive graph value ops exported analysis kernel
            pass cpu program exec vm text model)

# Packages: a pattern of include names, and the pattern of files that may use them.
set(package_patterns
    "^z(lib|conf)\\.h$"                     "^archive/"
    "^nlohmann/"                            "^exported/"
    "^fmt/"                                 "^text/"
    "^hwy/"                                 "^cpu/simd/"
    "^flatbuffers/"                         "^program/"
    "^(concurrentqueue|blockingconcurrentqueue)\\.h$" "^sched/"
    "^(thread|latch|barrier|stop_token|future|pthread\\.h|sched\\.h)$" "^sched/thread_pool"
    "^(mutex|shared_mutex|condition_variable|semaphore)$" "^(sched/|kernel/|exec/|model/)"  # no threads
    "^oneapi/tbb/"                          "^sched/tbb"
    "^asio/"                                "^sched/asio"
    "^(sys/[a-z]+|fcntl|unistd|windows|io)\\.h$" "^archive/"
    "^(immintrin|arm_neon)\\.h$"            "^(cpu/simd/|archive/crc32)"
    "^[a-z_0-9]+$"                          ".")  # the standard library

set(line_limit 400)
set(breaches)
macro(breach text)
  string(APPEND breaches "  ${text}\n")
endmacro()

function(check_include file folder name)
  if(name MATCHES "^treadle/(config|fwd)\\.hpp$")
    return()
  elseif(name MATCHES "^treadle/([a-z_0-9]+)/")
    set(target ${CMAKE_MATCH_1})
    if(folder STREQUAL "" OR target STREQUAL folder OR target IN_LIST may_${folder})
      return()
    endif()
    breach("${file}: includes <${name}>, but '${folder}' may not include '${target}'")
  elseif(name MATCHES "^treadle/")
    if(NOT folder STREQUAL "")
      breach("${file}: includes <${name}>, which is for users")
    endif()
  else()
    set(rest ${package_patterns})
    while(rest)
      list(POP_FRONT rest pattern allowed)
      if(name MATCHES "${pattern}")
        if(NOT file MATCHES "${allowed}")
          breach("${file}: includes <${name}>, which only files matching ${allowed} may")
        endif()
        set(breaches "${breaches}" PARENT_SCOPE)
        return()
      endif()
    endwhile()
    breach("${file}: includes <${name}>, a package that is not in the table")
  endif()
  set(breaches "${breaches}" PARENT_SCOPE)
endfunction()

# Shape rules of every C++ file.
function(check_shape file text)
  string(REGEX MATCHALL "\n" newlines "${text}")
  list(LENGTH newlines lines)
  if(lines GREATER line_limit)
    breach("${file}: ${lines} lines, the limit is ${line_limit}")
  endif()
  if(NOT text MATCHES "^// [^\n]")
    breach("${file}: the first line is not a comment that says the file's purpose")
  endif()
  if(text MATCHES "[T]ODO|[F]IXME")
    breach("${file}: says ${CMAKE_MATCH_0}")
  endif()
  set(breaches "${breaches}" PARENT_SCOPE)
endfunction()

# Rules of the library's own headers.
function(check_header file text)
  if(NOT text MATCHES "\n#pragma once\n" AND
     NOT file MATCHES "^cpu/simd/.*-inl\\.hpp$")  # those are read once per instruction set
    breach("${file}: has no #pragma once")
  endif()
  string(REGEX REPLACE "//[^\n]*" "" code "${text}")
  string(REGEX MATCHALL "\n[ \t]*#[ \t]*define[ \t]+[A-Za-z_0-9]+" defines "${code}")
  foreach(define IN LISTS defines)
    if(NOT define MATCHES "define[ \t]+(TREADLE|HWY)_")
      string(STRIP "${define}" define)
      breach("${file}: '${define}' lacks the prefix TREADLE_")
    endif()
  endforeach()
  if(code MATCHES "std::(cout|cerr|clog|abort|exit|terminate)[^a-z_]|[^a-z_]f?printf\\(")
    breach("${file}: uses '${CMAKE_MATCH_0}': the library prints nothing and never ends the program")
  endif()
  if(code MATCHES "[^A-Za-z_\"]throw[ \t]+[^;]" AND NOT file STREQUAL "throwing.hpp")
    breach("${file}: throws")
  endif()
  set(folder "")
  if(file MATCHES "^([^/]+)/")
    set(folder ${CMAKE_MATCH_1})
    if(NOT folder IN_LIST folders)
      breach("${file}: the folder '${folder}' is not in the layer table")
    endif()
  endif()
  string(REGEX MATCHALL "\n[ \t]*#[ \t]*include[ \t]*[<\"][^>\"\n]+[>\"]" includes "${code}")
  foreach(include IN LISTS includes)
    string(REGEX MATCH "([<\"])([^>\"]+)" unused "${include}")
    set(bracket "${CMAKE_MATCH_1}")
    set(name "${CMAKE_MATCH_2}")
    if(NOT bracket STREQUAL "<")
      breach("${file}: includes \"${name}\" in quotes")
    endif()
    if(file STREQUAL "fwd.hpp" AND NOT name STREQUAL "cstdint")
      breach("${file}: includes <${name}>, only <cstdint> is allowed here")
    endif()
    check_include("${file}" "${folder}" "${name}")
  endforeach()
  set(breaches "${breaches}" PARENT_SCOPE)
endfunction()

file(GLOB_RECURSE headers RELATIVE ${ROOT}/include/treadle ${ROOT}/include/treadle/*)
foreach(file IN LISTS headers)
  file(READ ${ROOT}/include/treadle/${file} text)
  check_shape("${file}" "${text}")
  check_header("${file}" "${text}")
endforeach()

set(others)
foreach(folder tests examples bench cmake)
  file(GLOB_RECURSE found RELATIVE ${ROOT} ${ROOT}/${folder}/*.hpp ${ROOT}/${folder}/*.cpp)
  list(APPEND others ${found})
endforeach()
foreach(file IN LISTS others)
  file(READ ${ROOT}/${file} text)
  check_shape("${file}" "${text}")
endforeach()

list(LENGTH headers count)
if(breaches)
  message(FATAL_ERROR "The architecture is broken:\n${breaches}")
endif()
message(STATUS "${count} headers respect the layers")
