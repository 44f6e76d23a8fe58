# Sourced by the scripts beside it: makes sure that what a build needs is installed.

treadle_packages=(g++ cmake ninja-build zlib1g-dev nlohmann-json3-dev libfmt-dev libhwy-dev
  libflatbuffers-dev doctest-dev libbenchmark-dev libtbb-dev libasio-dev)

# install_packages NAME...: installs the Debian packages that are missing.
install_packages() {
  local missing=() name
  for name in "$@"; do
    dpkg-query -W -f='${Status}' "$name" 2>/dev/null | grep -q "ok installed" || missing+=("$name")
  done
  [ ${#missing[@]} -eq 0 ] && return 0
  echo "Installing: ${missing[*]}"
  local as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
      echo "Please install these packages as root, then run this again:" >&2
      echo "  apt-get install ${missing[*]}" >&2
      return 1
    fi
    as_root=(sudo)
  fi
  "${as_root[@]}" apt-get update -qq
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -qq --no-install-recommends "${missing[@]}" </dev/null
}

# need_build_tools: installs them on Debian and Ubuntu; elsewhere says what to install.
need_build_tools() {
  if command -v apt-get >/dev/null; then
    install_packages "${treadle_packages[@]}" || return 1
    # treadle needs g++ 12 or newer; older releases have it beside their default.
    if [ -z "${CXX:-}" ] && [ "$(g++ -dumpversion | cut -d. -f1)" -lt 12 ]; then
      install_packages g++-12 || return 1
      export CXX=g++-12
    fi
    return 0
  fi
  local tool found=yes
  for tool in cmake ninja c++; do
    command -v "$tool" >/dev/null || found=no
  done
  cat >&2 <<'END'
This system has no apt-get, so nothing is installed for you. treadle needs
  a C++20 compiler (g++ 12, clang 16 or newer), CMake 3.22 or newer, Ninja;
  zlib, nlohmann_json, {fmt}, Highway, and for the tests doctest and Google Benchmark.
Fedora:  dnf install gcc-c++ cmake ninja-build zlib-devel json-devel fmt-devel highway-devel doctest-devel google-benchmark-devel
Arch:    pacman -S gcc cmake ninja zlib nlohmann-json fmt highway doctest benchmark
macOS:   brew install cmake ninja nlohmann-json fmt highway doctest google-benchmark
Libraries that are missing are fetched from their repositories by CMake.
END
  [ "$found" = yes ]
}

# quietly COMMAND...: shows the command's output only if it fails.
quietly() {
  local log
  log=$(mktemp)
  if "$@" >"$log" 2>&1; then
    rm -f "$log"
  else
    local code=$?
    cat "$log"
    rm -f "$log"
    return "$code"
  fi
}
