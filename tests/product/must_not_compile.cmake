# Compiles one fragment that must be rejected with the words that it expects.
#
#   cmake -DCOMPILER=<c++> -DINCLUDE=<folder> -P must_not_compile.cmake <fragment>
#
# The fragment's first line is `// expect: <regex>`; the second may be `// flags: <flags>`.
cmake_minimum_required(VERSION 3.22)

math(EXPR last "${CMAKE_ARGC} - 1")
set(source ${CMAKE_ARGV${last}})
file(READ ${source} text)
if(NOT text MATCHES "^// expect: ([^\n]+)\n")
  message(FATAL_ERROR "${source}: the first line is not '// expect: <regex>'")
endif()
set(expected "${CMAKE_MATCH_1}")
set(flags)
if(text MATCHES "\n// flags: ([^\n]+)\n")
  separate_arguments(flags UNIX_COMMAND "${CMAKE_MATCH_1}")
endif()

execute_process(
  COMMAND ${COMPILER} -std=c++20 -fsyntax-only -Wall -Wextra ${flags} -I ${INCLUDE} ${source}
  RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(code EQUAL 0)
  message(FATAL_ERROR "${source} compiles, though it must not")
elseif(NOT output MATCHES "${expected}")
  message(FATAL_ERROR "${source} is rejected, but not with '${expected}':\n${output}")
endif()
message(STATUS "rejected with '${CMAKE_MATCH_0}'")
