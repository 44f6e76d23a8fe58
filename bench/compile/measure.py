#!/usr/bin/env python3
"""What it costs to compile treadle: seconds and peak memory of some sources, beside their bars.

    python3 bench/compile/measure.py [--compiler g++] [--skip-library] [--check]

Each source is compiled alone with -O2, three times if it is quick, and the best time counts; one
compilation runs at a time. The library is built by CMake in a new folder, as a user would: as many
compilations at once as there are cores, and no compiler cache.
With --check the exit code is 1 if a bar is broken.
"""

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
HEADER_ONLY, COMPILED = "-DTREADLE_COMPILED=0", "-DTREADLE_COMPILED=1"
GIB = 1 << 30

# what, source, flavour, seconds at most, bytes at most (0: no bar)
CASES = [
    ("fwd.hpp alone", "fwd.cpp", HEADER_ONLY, 0.04, 0),
    ("load and run, one model's kernels, header-only", "one_model.cpp", HEADER_ONLY, 8, 0),
    ("load and run, all kernels, header-only", "all_kernels.cpp", HEADER_ONLY, 120, 4 * GIB),
    ("load and run, treadle::compiled", "all_kernels.cpp", COMPILED, 3, 0),
]
LIBRARY_SECONDS = 300


def run_timed(command, environment=None):
    """(seconds, peak bytes) of one command, as the kernel counts them for its whole process tree."""
    start = time.perf_counter()
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise RuntimeError(f"failed: {' '.join(command)}")
    return seconds, usage.ru_maxrss * 1024


def compile_once(compiler, source, flavour):
    with tempfile.TemporaryDirectory() as folder:
        return run_timed([compiler, "-std=c++20", "-O2", "-DNDEBUG", flavour,
                          f"-I{ROOT / 'include'}", "-c", str(source), "-o", f"{folder}/out.o"])


def measure(compiler, source, flavour):
    seconds, peak = compile_once(compiler, source, flavour)
    for _ in range(2 if seconds < 10 else 0):
        again, peak_again = compile_once(compiler, source, flavour)
        seconds, peak = min(seconds, again), max(peak, peak_again)
    return seconds, peak


def build_library(compiler):
    """Wall seconds to build the target treadle_compiled, and the largest peak of one compilation."""
    environment = {name: value for name, value in os.environ.items()
                   if name != "CMAKE_CXX_COMPILER_LAUNCHER"}
    environment["CCACHE_DISABLE"] = "1"
    with tempfile.TemporaryDirectory() as folder:
        run_timed(["cmake", "-S", str(ROOT), "-B", folder, f"-DCMAKE_CXX_COMPILER={compiler}",
                   "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_CXX_FLAGS_RELEASE=-O2 -DNDEBUG",
                   "-DCMAKE_CXX_COMPILER_LAUNCHER=", "-DTREADLE_BUILD_TESTS=OFF",
                   "-DTREADLE_BUILD_TOOL=OFF", "-DTREADLE_BUILD_EXAMPLES=OFF",
                   "-DTREADLE_BUILD_BENCHES=OFF", "-DTREADLE_INSTALL=OFF"], environment)
        return run_timed(["cmake", "--build", folder, "--target", "treadle_compiled",
                          "--parallel", str(os.cpu_count())], environment)


def bar(used, limit, width=20):
    """How much of the limit is used; more than all of it ends in '!'."""
    filled = min(width, round(width * used / limit))
    return "#" * filled + "." * (width - filled) + ("!" if used > limit else " ")


def row(what, seconds, peak, most_seconds, most_bytes):
    memory_bar = f"{most_bytes / GIB:5.1f}" if most_bytes else "    –"
    print(f"{what:48} {seconds:8.3f} {most_seconds:8.2f} {bar(seconds, most_seconds)} "
          f"{peak / GIB:8.2f} {memory_bar}", flush=True)
    return seconds <= most_seconds and (not most_bytes or peak <= most_bytes)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--compiler", default=os.environ.get("CXX", "g++"))
    parser.add_argument("--skip-library", action="store_true")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()

    version = subprocess.run([options.compiler, "--version"], capture_output=True, text=True,
                             check=True).stdout.splitlines()[0]
    print(f"{version}, -O2, {os.cpu_count()} cores")
    print(f"{'what':48} {'seconds':>8} {'bar':>8} {'':21} {'GiB':>8} {'bar':>5}")
    good = True
    for what, source, flavour, most_seconds, most_bytes in CASES:
        if not (HERE / source).exists():
            print(f"{what:48} no source {source}")
            good = False
            continue
        seconds, peak = measure(options.compiler, HERE / source, flavour)
        good &= row(what, seconds, peak, most_seconds, most_bytes)
    if not options.skip_library:
        good &= row("building treadle::compiled", *build_library(options.compiler),
                    LIBRARY_SECONDS, 0)
    return 0 if good or not options.check else 1


if __name__ == "__main__":
    sys.exit(main())
