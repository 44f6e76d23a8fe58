#!/usr/bin/env bash
# Compiles each public header alone, without code generation: every header includes what it uses.
#
#   bash cmake/check_headers.sh [folder of include/treadle]...
#
# CXX is the compiler (clang++-19 if it is there: three times as fast as g++ at this). Both flavours
# are read: a header alone as users of treadle::compiled see it, and each -inl.hpp alone.
set -uo pipefail
cd "$(dirname "$0")/../include"
cxx=${CXX:-$(command -v clang++-19 || command -v clang++ || echo g++)}
export cxx
check_one() {
  local log
  if ! log=$("$cxx" -std=c++20 -DTREADLE_COMPILED=1 -I. -fsyntax-only -x c++ - 2>&1 <<<"#include <$1>"); then
    printf 'not alone: %s\n%s\n' "$1" "$(head -5 <<<"$log")"
    return 1
  fi
}
export -f check_one
folders=("${@/#/treadle/}")
# Cores that are read once per instruction set come through their .hpp.
find "${folders[@]:-treadle}" -name '*.hpp' ! -path 'treadle/cpu/simd/*-inl.hpp' |
  xargs -P "$(nproc)" -I{} bash -c 'check_one {}'
code=$?
[ "$code" -eq 0 ] && echo "all headers stand alone"
exit "$code"
