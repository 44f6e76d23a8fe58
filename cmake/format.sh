#!/usr/bin/env bash
# Formats every C++ file with clang-format 19; with --check only says which files differ.
set -euo pipefail
cd "$(dirname "$0")/.."

tool=""
for candidate in "${CLANG_FORMAT:-}" clang-format-19 clang-format; do
  if [ -n "$candidate" ] && command -v "$candidate" >/dev/null; then
    tool=$candidate
    break
  fi
done
if [ -z "$tool" ] || ! "$tool" --version | grep -q "version 19"; then
  echo "clang-format 19 is needed (Debian: clang-format-19), found: ${tool:-none}" >&2
  exit 2
fi

mapfile -d '' files < <(find include tests examples bench cmake \( -name '*.hpp' -o -name '*.cpp' \) -print0)
if [ "${1:-}" = "--check" ]; then
  bad=0
  for file in "${files[@]}"; do
    if ! "$tool" --dry-run --Werror "$file" 2>/dev/null; then
      echo "not formatted: $file (bash cmake/format.sh formats it)"
      bad=$((bad + 1))
    fi
  done
  echo "$((${#files[@]} - bad)) of ${#files[@]} files are formatted"
  [ "$bad" -eq 0 ]
else
  "$tool" -i "${files[@]}"
fi
