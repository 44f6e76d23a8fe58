"""Records calls from PyTorch and runs them through treadle; fails on any difference.

    check_op_cases.py OP_CASES DIRECTORY [quick]

OP_CASES is the program that tests/pytorch/op_cases_main.cpp makes (target `op_cases`). Differences
that `op_cases_known.txt` explains and operators that `op_cases_missing.txt` lists are reported and
allowed; anything else exits with 1. So does a list that says too much: an operator listed as missing
that is there, fewer differences than explained (the counts are those of `quick`).
"""

import os
import pathlib
import re
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).parent
LINE = re.compile(r"^(\S+) +passed +(\d+) failed +(\d+) missing +(\d+)")


def table(name):
    """First word of each line to the second, comments left out."""
    rows = [line.split() for line in (HERE / name).read_text().splitlines()]
    return {row[0]: int(row[1]) if len(row) > 1 else 0 for row in rows if row and row[0] != "#"}


def stale(known, missing_allowed, failures, lacking):
    """What the lists say and the run does not bear out."""
    for target, count in known.items():
        if failures.get(target, 0) < count:
            yield f"{target}: {count} differences are explained, {failures.get(target, 0)} found"
    for target in missing_allowed:
        if target not in lacking:
            yield f"{target}: op_cases_missing.txt lists it, and no case lacks its kernel"


def check(output, quick):
    known, missing_allowed = table("op_cases_known.txt"), table("op_cases_missing.txt")
    problems, passed, allowed, missing, failures = [], 0, 0, [], {}
    for match in map(LINE.match, output.splitlines()):
        if not match or match[1] == "all:":
            continue
        target, good, failed, lacking = match[1], *map(int, match.groups()[1:])
        passed += good
        failures[target] = failed
        if failed > known.get(target, 0) and (quick or target not in known):
            problems.append(f"{target}: {failed} cases differ, {known.get(target, 0)} are explained")
        else:
            allowed += failed
        if lacking and target in missing_allowed:
            missing.append(target)
        elif lacking:
            problems.append(f"{target}: no kernel, and op_cases_missing.txt does not list it")
    print(f"{passed} cases as PyTorch, {allowed} explained differences, "
          f"{len(missing)} operators without a kernel: {' '.join(missing)}")
    if quick:
        problems += stale(known, missing_allowed, failures, missing)
    return problems + ([] if passed > 1000 else ["too few cases ran"])


def main():
    program, directory, *quick = sys.argv[1:]
    start = time.monotonic()
    # One code path of PyTorch's on every machine: rounding and corner cases are counted.
    environment = {**os.environ, "ATEN_CPU_CAPABILITY": "avx2", "MKL_CBWR": "AVX2",
                   "ONEDNN_MAX_CPU_ISA": "AVX2"}
    subprocess.run([sys.executable, str(HERE / "op_cases.py"), "write", directory, *quick],
                   check=True, stderr=subprocess.DEVNULL, env=environment)
    recorded = time.monotonic()
    run = subprocess.run([program, directory], capture_output=True, text=True)
    print(f"recorded in {recorded - start:.0f} s, run in {time.monotonic() - recorded:.0f} s")
    problems = check(run.stdout, bool(quick))
    if run.returncode < 0:
        problems.append(f"op_cases ended by signal {-run.returncode}")
    if problems:
        print("\n".join(line for line in run.stdout.splitlines() if not LINE.match(line)))
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    sys.exit(main())
