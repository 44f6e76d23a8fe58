"""Checks that PyTorch loads the program files that treadle writes, and gets the same outputs.

    python tests/pytorch/run.py TOOL FOLDER...

TOOL is a program that understands `TOOL save IN.pt2 OUT.pt2`. Every .pt2 file in the folders, up to
60 MB, is saved by it, loaded by PyTorch, and run twice on its sample inputs. Outputs, inputs after the
call, names of the state and sharing of storages must be those of the original. Where PyTorch itself
no longer loads the original, the outputs recorded beside it (NAME.npz) take its place.
"""
import copy
import glob
import logging
import os
import subprocess
import sys
import tempfile
import warnings

import numpy
import torch
from torch.utils._pytree import tree_leaves, tree_unflatten

LARGEST = 60_000_000


def load(path):
    try:
        return torch.export.load(path)
    except Exception:  # whatever PyTorch makes of an old file
        return None


def needs_a_class(path):
    """Its sample inputs are of a Python class that only the program's author has."""
    try:
        torch.export.load(path)
    except AttributeError:
        return True
    except Exception:
        return False
    return False


def same(a, b, tolerance=0.0):
    if not isinstance(a, torch.Tensor):
        return a == b
    if a.shape != b.shape or a.dtype != b.dtype:
        return False
    if not (a.is_floating_point() or a.is_complex()):
        return torch.equal(a, b)
    return torch.allclose(a, b, rtol=tolerance, atol=tolerance, equal_nan=True)


def sharing(state):
    owners = {}
    for name, tensor in state.items():
        if tensor.numel():
            owners.setdefault(tensor.untyped_storage().data_ptr(), []).append(name)
    return sorted(owners.values())


def compare_programs(original, written):
    """What differs between two programs on the sample inputs; empty if nothing does."""
    args, kwargs = original.example_inputs
    first, second = original.module(), written.module()
    for call in range(2):
        a, b = copy.deepcopy((args, kwargs)), copy.deepcopy((args, kwargs))
        torch.manual_seed(0)
        expected = tree_leaves(first(*a[0], **a[1]))
        torch.manual_seed(0)
        found = tree_leaves(second(*b[0], **b[1]))
        if len(expected) != len(found) or not all(map(same, expected, found)):
            return f"outputs of call {call + 1} differ"
        if not all(map(same, tree_leaves(a), tree_leaves(b))):
            return f"inputs after call {call + 1} differ"
    if list(original.state_dict) != list(written.state_dict):
        return "names of the state differ"
    if sharing(original.state_dict) != sharing(written.state_dict):
        return "storages are shared otherwise"
    return ""


def compare_recorded(path, written):
    recorded = numpy.load(path)
    values = {k: torch.from_numpy(recorded[k]) for k in recorded.files}
    for key in [k for k in values if k.endswith("__bfloat16")]:
        values[key.removesuffix("__bfloat16")] = values.pop(key).view(torch.bfloat16)
    inputs = [values[f"in{i}"] for i in range(len(values)) if f"in{i}" in values]
    spec = written.module_call_graph[0].signature.in_spec
    if spec.num_leaves != len(inputs):
        return ""  # constants among the inputs are not recorded
    args, kwargs = tree_unflatten(inputs, spec)
    found = [x for x in tree_leaves(written.module()(*args, **kwargs)) if isinstance(x, torch.Tensor)]
    expected = [values[f"out{i}"] for i in range(len(found)) if f"out{i}" in values]
    for a, b in zip(expected, found):
        if not same(a.reshape(b.shape), b, 1e-4):
            return "outputs differ from the recorded ones"
    return ""


def check(tool, path, out):
    result = subprocess.run([tool, "save", path, out], capture_output=True, text=True)
    if result.returncode:
        return "not saved: " + (result.stdout + result.stderr).strip()
    written = load(out)
    if written is None:
        return "" if needs_a_class(path) else "PyTorch does not load what was written"
    original = load(path)
    if original is not None and original.example_inputs:
        return compare_programs(original, written)
    recorded = path.removesuffix(".pt2") + ".npz"
    return compare_recorded(recorded, written) if os.path.exists(recorded) else ""


def main():
    warnings.filterwarnings("ignore")
    logging.disable(logging.WARNING)
    tool, folders = sys.argv[1], sys.argv[2:]
    failures = checked = 0
    with tempfile.TemporaryDirectory() as folder:
        for path in sorted(p for f in folders for p in glob.glob(os.path.join(f, "*.pt2"))):
            if os.path.getsize(path) > LARGEST:
                continue
            try:
                problem = check(tool, path, os.path.join(folder, "written.pt2"))
            except Exception as error:  # an operator that this PyTorch runs no longer
                problem = f"{type(error).__name__}: {error}".splitlines()[0]
            checked += 1
            if problem:
                failures += 1
                print(f"{path}: {problem}")
    print(f"{checked} programs checked, {failures} failed")
    return 1 if failures or not checked else 0


if __name__ == "__main__":
    sys.exit(main())
