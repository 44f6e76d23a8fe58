#!/usr/bin/env bash
# Installs what is missing, builds the tool and the digits example, and reads handwritten digits.
set -euo pipefail
cd "$(dirname "$0")/.."
source cmake/packages.sh

need_build_tools
quietly cmake --preset release
echo "Building (some minutes the first time) ..."
quietly cmake --build --preset release --target example_digits treadle_tool
build/release/bin/digits examples/digits
echo
echo "The tool is build/release/bin/treadle. Try it on the same model:"
echo "  build/release/bin/treadle inspect examples/digits/digits.pt2"
