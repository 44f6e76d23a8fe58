# The packages treadle stands on: the system's if it has them, fetched otherwise.
include(FetchContent)

if(CMAKE_VERSION VERSION_GREATER_EQUAL 3.25)
  set(treadle_system SYSTEM)  # no warnings from their headers
endif()

# treadle_need(<target> <package> <repository> <tag> <fetched target> <find_package words>...)
# Makes sure that <target> exists; <fetched target> is its name in the package's own build.
macro(treadle_need target package repository tag fetched)
  if(NOT TARGET ${target})
    find_package(${package} QUIET ${ARGN})
  endif()
  if(NOT TARGET ${target})
    message(STATUS "treadle: ${package} is not installed, fetching ${tag} from ${repository}")
    enable_language(C)
    FetchContent_Declare(treadle_${package} GIT_REPOSITORY ${repository} GIT_TAG ${tag}
                                            GIT_SHALLOW ON ${treadle_system})
    FetchContent_MakeAvailable(treadle_${package})
    if(NOT TARGET ${target})
      add_library(${target} ALIAS ${fetched})
    endif()
    if(${package} STREQUAL "ZLIB")  # zlib's own build does not export its include folders
      target_include_directories(${fetched} SYSTEM INTERFACE
        $<BUILD_INTERFACE:${treadle_zlib_SOURCE_DIR}> $<BUILD_INTERFACE:${treadle_zlib_BINARY_DIR}>)
    endif()
  endif()
endmacro()

set(HWY_ENABLE_TESTS OFF CACHE INTERNAL "")
set(HWY_ENABLE_EXAMPLES OFF CACHE INTERNAL "")
set(HWY_ENABLE_CONTRIB OFF CACHE INTERNAL "")
set(BENCHMARK_ENABLE_TESTING OFF CACHE INTERNAL "")
set(DOCTEST_WITH_TESTS OFF CACHE INTERNAL "")
set(FLATBUFFERS_BUILD_TESTS OFF CACHE INTERNAL "")

find_package(Threads REQUIRED)
treadle_need(ZLIB::ZLIB ZLIB https://github.com/madler/zlib.git v1.3.1 zlibstatic)
treadle_need(nlohmann_json::nlohmann_json nlohmann_json https://github.com/nlohmann/json.git v3.11.3
             nlohmann_json 3.10 CONFIG)
treadle_need(fmt::fmt fmt https://github.com/fmtlib/fmt.git 10.2.1 fmt CONFIG)
treadle_need(hwy::hwy hwy https://github.com/google/highway.git 1.2.0 hwy CONFIG)
if(EXISTS ${PROJECT_SOURCE_DIR}/include/treadle/program)
  find_package(FlatBuffers QUIET CONFIG)  # Debian spells it so, newer releases in lower case
  treadle_need(flatbuffers::flatbuffers flatbuffers https://github.com/google/flatbuffers.git v24.3.25
               flatbuffers CONFIG)
endif()

if(TREADLE_BUILD_TESTS)
  treadle_need(doctest::doctest doctest https://github.com/doctest/doctest.git v2.4.11 doctest CONFIG)
endif()
if(TREADLE_BUILD_BENCHES)
  treadle_need(benchmark::benchmark_main benchmark https://github.com/google/benchmark.git v1.8.3
               benchmark_main CONFIG)
endif()

# Peers and host pools that some tests, examples and benchmarks use when they are installed.
if(TREADLE_BUILD_TESTS OR TREADLE_BUILD_EXAMPLES OR TREADLE_BUILD_BENCHES)
  find_package(TBB QUIET CONFIG)
  find_path(TREADLE_ASIO_INCLUDE asio.hpp)
  mark_as_advanced(TREADLE_ASIO_INCLUDE)
endif()
