#!/usr/bin/env bash
# Installs what is missing, builds everything, runs the tests. Words after it go to cmake.
set -euo pipefail
cd "$(dirname "$0")/.."
source cmake/packages.sh

need_build_tools
quietly cmake --preset release "$@"
cmake --build --preset release
ctest --test-dir build/release --output-on-failure --no-tests=error --parallel "$(nproc)"
