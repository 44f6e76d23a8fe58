"""Writes cases of aten operators, recorded from PyTorch's own operator database.

    op_cases.py write DIRECTORY [quick]    all cases, or a fair part of them: cases.json, cases.bin
    op_cases.py numeric DIRECTORY          those of op_case_numeric.py alone
    op_cases.py special DIRECTORY          those of op_case_special.py alone
    op_cases.py select TO N (FROM PASSED)... a small set, N an operator, of those that the files
                                             PASSED number

Needs the packages torch and expecttest.
"""

import itertools
import json
import pathlib
import sys
import time
import warnings

import torch

import op_case_extra
import op_case_hard
import op_case_numeric
import op_case_special
from op_case_recorder import CaseWriter, CompositeRecorder, LoweredRecorder

DTYPES = [(torch.float32, 40), (torch.int64, 12), (torch.bool, 8), (torch.float64, 6),
          (torch.bfloat16, 5), (torch.float16, 5), (torch.complex64, 6), (torch.uint8, 4),
          (torch.int32, 4)]
QUICK_DTYPES = [(torch.float32, 12), (torch.int64, 4), (torch.bool, 3), (torch.bfloat16, 2),
                (torch.complex64, 2)]
SECONDS_PER_OPERATOR = 4.0  # of processor time
SKIPPED = ("linalg.", "sparse.", "jiterator", "masked.", "signal.", "_refs", "stft", "istft",
           "svd", "ormqr", "lu", "cholesky", "geqrf", "pca_lowrank", "nn.functional.ctc_loss")


def map_tensors(value, change):
    """`value` with every tensor in it changed."""
    if isinstance(value, torch.Tensor):
        return change(value)
    if isinstance(value, (list, tuple)):
        return type(value)(map_tensors(v, change) for v in value)
    return value


def transposed(tensor):
    """Equal elements, dimensions laid out in the opposite order."""
    if tensor.dim() < 2 or tensor.layout != torch.strided:
        return tensor
    order = list(range(tensor.dim()))[::-1]
    return tensor.detach().permute(order).contiguous().permute(order)


def gapped(tensor):
    """Equal elements, every other element of a larger storage, with an offset."""
    if tensor.dim() < 1 or tensor.layout != torch.strided:
        return tensor
    wide = torch.zeros(*tensor.shape[:-1], tensor.shape[-1] * 2 + 1, dtype=tensor.dtype)
    view = wide[..., 1::2][..., :tensor.shape[-1]]
    return view.copy_(tensor.detach())


LAYOUTS = [lambda t: t.detach(), transposed, gapped]


def calls_of(op, dtype, limit):
    """Functions to run, each one sample in one layout."""
    torch.manual_seed(7)
    samples = list(itertools.islice(op.sample_inputs("cpu", dtype, requires_grad=False), limit))
    for number, sample in enumerate(samples):
        # Of all layouts for the first samples, then of one.
        layouts = LAYOUTS if number < 4 and dtype == torch.float32 else [LAYOUTS[number % 3]]
        for layout in layouts:
            def arguments(layout=layout, sample=sample):
                return (map_tensors(sample.input, layout), map_tensors(sample.args, layout),
                        {k: map_tensors(v, layout) for k, v in sample.kwargs.items()})
            yield op.op, arguments
            if op.inplace_variant and not sample.broadcasts_input:
                def copied(arguments=arguments):
                    first, rest, named = arguments()
                    own = first.clone(memory_format=torch.preserve_format) if isinstance(
                        first, torch.Tensor) else first
                    return own, rest, named
                yield op.inplace_variant, copied


def record_operator(writer, op, dtypes):
    """Cases of one entry of the database."""
    start = time.process_time()
    for dtype, limit in dtypes:
        if dtype not in op.dtypes:
            continue
        try:
            for function, arguments in calls_of(op, dtype, limit):
                if time.process_time() - start > SECONDS_PER_OPERATOR:
                    return
                for recorder in (CompositeRecorder, LoweredRecorder):
                    run_one(writer, recorder, function, arguments)
        except Exception as error:  # noqa: BLE001: a sample that cannot be made is no case
            print(f"{op.name} {dtype}: {type(error).__name__}", file=sys.stderr)


def run_one(writer, recorder, function, arguments):
    first, rest, named = arguments()
    try:
        with torch.no_grad(), recorder(writer):
            function(first, *rest, **named)
    except Exception:  # noqa: BLE001: PyTorch itself refuses the call
        pass


def write(directory, writer):
    """The index, one case a line, and the bytes."""
    directory.mkdir(parents=True, exist_ok=True)
    lines = ",\n".join(json.dumps(c, separators=(",", ":")) for c in writer.cases)
    (directory / "cases.json").write_text("[\n" + lines + "\n]\n")
    (directory / "cases.bin").write_bytes(bytes(writer.blob))


def record_calls(writer, functions, salted):
    for number, function in enumerate(functions):
        writer.salt = number if salted else None
        for recorder in (CompositeRecorder, LoweredRecorder):
            torch.manual_seed(7)
            try:
                with torch.no_grad(), recorder(writer):
                    function()
            except Exception:  # noqa: BLE001: PyTorch itself refuses the call
                if not salted:
                    raise
    writer.salt = None


def record_all(directory, quick):
    from torch.testing._internal.common_methods_invocations import op_db  # slow; needs expecttest

    torch.set_num_threads(1)
    warnings.simplefilter("ignore")
    writer = CaseWriter(per_target=40, max_bytes=1 << 14)
    record_calls(writer, op_case_extra.calls(), salted=False)
    for op in op_db:
        if not any(s in op.name for s in SKIPPED):
            record_operator(writer, op, QUICK_DTYPES if quick else DTYPES)
    writer.per_target, writer.keep_errors = 400, True
    torch.manual_seed(7)
    record_calls(writer, op_case_hard.calls(), salted=True)
    write(directory, writer)
    print(f"{len(writer.cases)} cases of {len(writer.counts)} operators, "
          f"{len(writer.blob)} bytes")


def record_groups(directory, groups):
    torch.set_num_threads(1)
    warnings.simplefilter("ignore")
    torch.manual_seed(7)
    writer = CaseWriter(per_target=40, max_bytes=1 << 14)
    with torch.no_grad():
        op_case_numeric.record_groups(writer, groups)
    write(directory, writer)
    print(f"{len(writer.cases)} cases of {len(writer.counts)} operators, "
          f"{len(writer.blob)} bytes")


def weight(case):
    """Roughly the bytes that a case takes in the files."""
    data = sum(s[1] for s in case["s"]) + sum(o[5][1] for o in case["o"]
                                              if isinstance(o, list) and len(o) > 5)
    return data + len(json.dumps(case))


def spread(cases, count):
    """Cases of one operator: small ones, of all dtypes in turn."""
    groups = {}
    for case in sorted(cases, key=weight):
        dtypes = tuple(a["T"][0] for a in case["a"] if isinstance(a, dict) and "T" in a)
        groups.setdefault(dtypes, []).append(case)
    rounds = itertools.zip_longest(*groups.values())
    return [c for r in rounds for c in r if c is not None and weight(c) < 3000][:count]


def select(target, sources, per_target=3, largest=2200000):
    """From every directory `per_target` cases of an operator, of those that its file numbers."""
    writer = CaseWriter(per_target, 0)
    total, seen = 0, set()
    for source, passed in sources:
        cases = json.loads((source / "cases.json").read_text())
        data = (source / "cases.bin").read_bytes()
        by_target = {}
        for number in map(int, passed.read_text().split()):
            by_target.setdefault(cases[number]["t"], []).append(cases[number])
        for name in sorted(by_target):
            for case in spread(by_target[name], per_target):
                key = json.dumps(case["a"]) + name
                total += weight(case)
                if total > largest or key in seen:
                    continue
                seen.add(key)
                move_case(case, lambda place: writer.put(data[place[0]:place[0] + place[1]]))
                writer.cases.append(case)
    write(target, writer)
    print(f"{len(writer.cases)} cases of {len({c['t'] for c in writer.cases})} operators")


def move_case(case, moved):
    """Lets a case refer to bytes at their new places."""
    case["s"] = [moved(s) for s in case["s"]]
    case["o"] = [o[:5] + [moved(o[5])] if isinstance(o, list) and len(o) > 5 else o
                 for o in case["o"]]
    if "w" in case:
        case["w"] = [[i, moved(s)] for i, s in case["w"]]


if __name__ == "__main__":
    if sys.argv[1:2] == ["write"] and sys.argv[3:] in ([], ["quick"]):
        record_all(pathlib.Path(sys.argv[2]), quick=sys.argv[3:] == ["quick"])
    elif sys.argv[1:2] == ["numeric"] and len(sys.argv) == 3:
        record_groups(pathlib.Path(sys.argv[2]), op_case_numeric.groups())
    elif sys.argv[1:2] == ["special"] and len(sys.argv) == 3:
        record_groups(pathlib.Path(sys.argv[2]), op_case_special.groups())
    elif sys.argv[1:2] == ["select"] and len(sys.argv) > 5 and len(sys.argv) % 2 == 0:
        paths = [pathlib.Path(p) for p in sys.argv[4:]]
        select(pathlib.Path(sys.argv[2]), list(zip(paths[::2], paths[1::2])), int(sys.argv[3]))
    else:
        sys.exit(__doc__)
