"""Records calls of aten operators with everything needed to check another engine against them."""

import base64
import hashlib
import math

import torch
from torch._subclasses.schema_check_mode import SchemaCheckMode
from torch.utils._python_dispatch import TorchDispatchMode

_RANDOM_NAMES = ("rand", "normal", "bernoulli", "multinomial", "uniform", "dropout", "exponential",
                 "geometric", "cauchy", "binomial", "standard_gamma", "dirichlet")
_UNDEFINED = {"empty", "empty_like", "new_empty", "new_empty_strided", "empty_strided",
              "empty_permuted"}


# For a backward pass alone, or with signs that every algorithm chooses for itself.
_UNDEFINED_RESULTS = {("log_sigmoid_forward", 1), ("_linalg_svd", 0), ("_linalg_svd", 2),
                      ("linalg_svd", 0), ("linalg_svd", 2), ("svd", 0), ("svd", 2)}


def defined(target, result):
    """Whether the elements of this result mean something."""
    base = target.split("::")[1].split(".")[0]
    return base not in _UNDEFINED and (base, result) not in _UNDEFINED_RESULTS


FOREIGN = {"torch_nn"}  # operators of PyTorch's own modules, no part of exported programs
NUMBERS = {"aten::item", "aten::_local_scalar_dense"}  # the engine reads these itself


class Unsupported(Exception):
    """A call that cannot be written as a case."""


def name_of(func):
    """`aten::add.Tensor`; the default overload has no suffix."""
    return func._schema.name + ("." + func._schema.overload_name
                                if func._schema.overload_name else "")


def is_random(func, values):
    """Whether the results depend on the random state."""
    base = func._schema.name.split("::")[-1]
    if "dropout" in base:
        names = [a.name for a in func._schema.arguments]
        train = values[names.index("train")] if "train" in names else True
        return bool(train)
    if base.startswith("rrelu"):
        return bool(values[[a.name for a in func._schema.arguments].index("training")])
    if base in ("lstm", "gru", "rnn_tanh", "rnn_relu"):
        names = [a.name for a in func._schema.arguments]
        return bool(values[names.index("train")] and values[names.index("dropout")])
    if "scaled_dot_product" in base:
        names = [a.name for a in func._schema.arguments]
        return "dropout_p" in names and bool(values[names.index("dropout_p")])
    return (torch.Tag.nondeterministic_seeded in func.tags
            or base == "poisson" or any(n in base for n in _RANDOM_NAMES))


_TIES = {"topk": 2, "kthvalue": 2, "mode": 1, "median": 1, "nanmedian": 1, "sort": 1, "argsort": 1}


def is_ambiguous(func, values):
    """Whether equal elements leave open which places the call gives: PyTorch promises none."""
    base = func._schema.name.split("::")[-1]
    if base not in _TIES or not isinstance(values[0], torch.Tensor) or values[0].is_complex():
        return False
    names = [a.name for a in func._schema.arguments]
    if base in ("sort", "argsort"):
        return "stable" not in names or not values[names.index("stable")]
    if base in ("median", "nanmedian") and "dim" not in names:
        return False
    self = values[0].detach()
    if self.numel() < 2:
        return False
    dim = values[names.index("dim")] if "dim" in names else -1
    ordered = self.sort(dim if self.dim() else -1).values
    size = ordered.size(dim) if self.dim() else 1
    if size < 2:
        return False
    first, second = ordered.narrow(dim, 0, size - 1), ordered.narrow(dim, 1, size - 1)
    return bool(((first == second) | (first.isnan() & second.isnan())).any())


class CaseWriter:
    """Collects cases, one per kind of call, and the bytes they refer to."""

    def __init__(self, per_target, max_bytes):
        self.per_target = per_target
        self.salt = None  # tells calls of one kind apart
        self.keep_errors = False
        self.max_bytes = max_bytes
        self.blob = bytearray()
        self.cases = []
        self.counts = {}
        self.keys = set()
        self.skipped = {}
        self._places = {}

    def put(self, data):
        """Place of these bytes in the blob, shared with equal ones."""
        digest = hashlib.blake2b(data, digest_size=16).digest()
        if digest not in self._places:
            while len(self.blob) % 8:
                self.blob.append(0)
            self._places[digest] = [len(self.blob), len(data)]
            self.blob += data
        return self._places[digest]


def raw_bytes(tensor):
    """The elements in row-major order."""
    flat = tensor.detach().resolve_conj().resolve_neg().contiguous().reshape(-1)
    return bytes(flat.view(torch.uint8).numpy().tobytes()) if flat.numel() else b""


def extent(tensor):
    """Elements from the storage's start that the tensor may touch."""
    if tensor.numel() == 0:
        return 0
    return tensor.storage_offset() + 1 + sum(
        (s - 1) * t for s, t in zip(tensor.size(), tensor.stride()))


class Storages:
    """The storages of a call's arguments, by address."""

    def __init__(self, max_bytes):
        self.max_bytes = max_bytes
        self.order = {}
        self.items = []

    def add(self, tensor):
        key = tensor.untyped_storage()._cdata
        if key not in self.order:
            self.order[key] = len(self.items)
            self.items.append([tensor, 0])
        item = self.items[self.order[key]]
        item[1] = max(item[1], extent(tensor) * tensor.element_size())
        if item[1] > self.max_bytes:
            raise Unsupported("large")
        return self.order[key]

    def index(self, tensor):
        return self.order.get(tensor.untyped_storage()._cdata, -1)

    def contents(self):
        out = []
        for tensor, size in self.items:
            whole = torch.tensor([], dtype=torch.uint8).set_(tensor.untyped_storage())
            out.append(bytes(whole[:size].numpy().tobytes()))
        return out


def describe(tensor, storage):
    """dtype, sizes, strides, offset, storage."""
    if (tensor.layout != torch.strided or tensor.device.type != "cpu" or tensor.is_quantized
            or type(tensor) not in (torch.Tensor, torch.nn.Parameter)):
        raise Unsupported("kind of tensor")
    return [str(tensor.dtype)[6:], list(tensor.size()), list(tensor.stride()),
            tensor.storage_offset(), storage]


def encode(value, storages):
    """An argument as JSON."""
    if isinstance(value, torch.Tensor):
        if value.is_conj() or value.is_neg():
            raise Unsupported("conjugate view")
        plain = describe(value, -1)
        plain[4] = storages.add(value)
        return {"T": plain}
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, int):
        if not -2**63 <= value < 2**63:
            raise Unsupported("int beyond 64 bits")
        return int(value)
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else {"f": str(value)}
    if isinstance(value, complex):
        return {"c": [value.real, value.imag]}
    if isinstance(value, (list, tuple)):
        return [encode(v, storages) for v in value]
    for kind, letter in ((torch.dtype, "d"), (torch.layout, "L"), (torch.memory_format, "M")):
        if isinstance(value, kind):
            return {letter: str(value)[6:]}
    if isinstance(value, torch.device):
        return {"D": str(value)}
    raise Unsupported(type(value).__name__)


def shape_key(value):
    """What makes two calls the same kind: dtypes, ranks, layout, constants' kinds."""
    if isinstance(value, torch.Tensor):
        dense = value.is_contiguous()
        return (str(value.dtype), value.dim(), dense, value.numel() == 0)
    if isinstance(value, (list, tuple)):
        return tuple(shape_key(v) for v in value) if len(value) < 8 else len(value)
    if isinstance(value, float):
        return round(value, 3) if math.isfinite(value) else str(value)
    return str(value)


def flatten(result):
    if isinstance(result, (list, tuple)):
        return [x for r in result for x in flatten(r)]
    return [result]


def record(writer, func, args, kwargs, run):
    """Runs the call, and keeps it as a case if it is of a new kind."""
    arguments = func._schema.arguments
    values, given = [], []
    for i, argument in enumerate(arguments):
        here = i < len(args) or argument.name in kwargs
        given.append(here)
        values.append(args[i] if i < len(args) else
                      kwargs.get(argument.name, argument.default_value
                                 if argument.has_default_value() else None))
    target = name_of(func)
    if target.split("::")[0] in FOREIGN or target in NUMBERS:
        return run()
    key = (target, writer.salt, tuple(shape_key(v) for v in values))
    full = writer.counts.get(target, 0) >= writer.per_target
    if key in writer.keys or full or is_random(func, values) or is_ambiguous(func, values):
        return run()
    storages = Storages(writer.max_bytes)
    try:
        encoded = [encode(v, storages) if g else {"-": 1} for v, g in zip(values, given)]
        before = storages.contents()
    except Unsupported as why:
        writer.skipped.setdefault(target, str(why))
        return run()
    try:
        result = run()
    except Exception:
        if writer.keep_errors:
            keep_error(writer, key, encoded, before)
        raise
    try:
        case = finish(writer, target, encoded, storages, before, result)
    except Unsupported as why:
        writer.skipped.setdefault(target, str(why))
        return result
    writer.keys.add(key)
    writer.counts[target] = writer.counts.get(target, 0) + 1
    writer.cases.append(case)
    return result


def keep_error(writer, key, encoded, before):
    """A call that PyTorch refuses."""
    while encoded and encoded[-1] == {"-": 1}:
        encoded.pop()
    writer.keys.add(key)
    writer.counts[key[0]] = writer.counts.get(key[0], 0) + 1
    writer.cases.append({"t": key[0], "a": encoded, "s": [writer.put(b) for b in before],
                         "o": [], "e": 1})


def finish(writer, target, encoded, storages, before, result):
    while encoded and encoded[-1] == {"-": 1}:
        encoded.pop()
    outputs = []
    for value in flatten(result):
        if value is None:
            outputs.append(None)
        elif isinstance(value, torch.Tensor):
            # A conjugate view has its elements changed on reading: to others, a copy.
            lazy = value.is_conj() or value.is_neg()
            out = describe(value, -1 if lazy else storages.index(value))
            if value.numel() * value.element_size() > writer.max_bytes:
                raise Unsupported("large")
            if defined(target, len(outputs)):
                out.append(writer.put(raw_bytes(value)))
            outputs.append(out)
        elif isinstance(value, (bool, int, float)):
            outputs.append({"n": encode(value, storages)})
        else:
            raise Unsupported("result " + type(value).__name__)
    after = storages.contents()
    written = [[i, writer.put(a)] for i, (a, b) in enumerate(zip(after, before)) if a != b]
    case = {"t": target, "a": encoded, "s": [writer.put(b) for b in before], "o": outputs}
    if written:
        case["w"] = written
    return case


class LoweredRecorder(TorchDispatchMode):
    """Sees the calls below autograd: composite operators are taken apart."""

    def __init__(self, writer):
        super().__init__()
        self.writer = writer

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        return record(self.writer, func, args, kwargs, lambda: func(*args, **kwargs))


class CompositeRecorder(SchemaCheckMode):
    """Sees the calls as torch.export writes them down: composite operators are whole."""

    def __init__(self, writer):
        super().__init__()
        self.writer = writer
        self._dispatch_key = torch._C.DispatchKey.PreDispatch
        self._dispatcher = torch._C._EnablePythonDispatcher()

    def __enter__(self):
        self._dispatcher.__enter__()
        return super().__enter__()

    def __exit__(self, *error):
        super().__exit__(*error)
        self._dispatcher.__exit__(*error)

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        with torch._C._DisablePythonDispatcher():
            return record(self.writer, func, args, kwargs, lambda: func(*args, **kwargs))
