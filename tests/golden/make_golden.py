"""Makes the golden programs: make_golden.py OUT_DIR [NAME ...]

For each program NAME: NAME.pt2 as torch.export.save writes it, and NAME.npz with its flattened inputs in0, in1, ..., the outputs
out0, ... of a first call and out0_2, ... of a second call with the same inputs, computed by PyTorch itself. bfloat16 arrays are kept
as uint16 bits under a name that ends in __bfloat16. Needs torch 2.13.0 and numpy.
"""
import collections
import copy
import os
import re
import sys

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.utils._pytree as pytree

PROGRAMS = {}
Pair = collections.namedtuple("Pair", ["left", "right"])
pytree._register_namedtuple(Pair, serialized_type_name="golden.Pair")


def program(make):
    PROGRAMS[make.__name__] = make
    return make


class Call(nn.Module):
    """A module around a plain function; keyword arguments become parameters or buffers of the module."""

    def __init__(self, function, **tensors):
        super().__init__()
        self.function = function
        for name, tensor in tensors.items():
            self.register_buffer(name, tensor)

    def forward(self, *args):
        return self.function(self, *args)


@program
def perceptron():
    return nn.Sequential(nn.Linear(12, 20), nn.ReLU(), nn.Linear(20, 8), nn.Tanh(), nn.Linear(8, 3)), (torch.randn(5, 12),)


@program
def undefined_contents():
    """The first value has no contents that could be compared."""
    return Call(lambda self, x: torch.empty_like(x).fill_(2.0) + x), (torch.randn(3, 4),)


@program
def dynamic_batch():
    batch = torch.export.Dim("batch", min=1, max=64)
    return nn.Sequential(nn.Linear(6, 10), nn.GELU(), nn.Linear(10, 2)), (torch.randn(4, 6),), {}, ({0: batch},)


@program
def small_convnet():
    net = nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.BatchNorm2d(8), nn.ReLU6(), nn.Conv2d(8, 8, 3, stride=2, groups=8, padding=1),
                        nn.SiLU(), nn.MaxPool2d(2), nn.Conv2d(8, 12, 1, bias=False), nn.Hardswish(), nn.AdaptiveAvgPool2d(1),
                        nn.Flatten(), nn.Dropout(0.3), nn.Linear(12, 4), nn.LogSoftmax(1))
    net[1].running_mean.normal_(0, 0.3)
    net[1].running_var.uniform_(0.5, 2)
    return net, (torch.randn(2, 3, 17, 17),)


@program
def up_and_down():
    def run(m, x):
        y = F.interpolate(F.avg_pool2d(x, 3, stride=2, padding=1), scale_factor=2.0, mode="bilinear", align_corners=False)
        return F.pad(torch.cat([x, y], 1), (1, 0, 2, 1), value=0.5), F.conv_transpose2d(x, m.w, stride=2, padding=1, output_padding=1)
    return Call(run, w=torch.randn(4, 3, 3, 3)), (torch.randn(1, 4, 8, 8),)


@program
def dilated_1d():
    return nn.Sequential(nn.Conv1d(2, 6, 3, dilation=2, padding="same"), nn.LeakyReLU(0.1), nn.ConvTranspose1d(6, 2, 4, stride=2)), (torch.randn(1, 2, 15),)


class Block(nn.Module):
    """One transformer block with a causal mask."""

    def __init__(self, width=16, heads=4):
        super().__init__()
        self.heads = heads
        self.names = nn.Embedding(30, width)
        self.first, self.second = nn.LayerNorm(width), nn.RMSNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, tokens):
        x = self.names(tokens)
        b, t, c = x.shape
        q, k, v = self.qkv(self.first(x)).view(b, t, 3, self.heads, c // self.heads).permute(2, 0, 3, 1, 4).unbind(0)
        x = x + self.out(F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).reshape(b, t, c))
        return x + self.down(F.gelu(self.up(self.second(x)), approximate="tanh"))


@program
def transformer_block():
    return Block(), (torch.randint(0, 30, (2, 7)),)


@program
def recurrent():
    class Nets(nn.Module):
        def __init__(self):
            super().__init__()
            self.lstm = nn.LSTM(5, 6, num_layers=2, bidirectional=True, batch_first=True)
            self.gru = nn.GRU(12, 4)

        def forward(self, x):
            y, (h, c) = self.lstm(x)
            return self.gru(y.transpose(0, 1))[0], h, c
    return Nets(), (torch.randn(3, 4, 5),)


@program
def delay_line():
    """State that moves through slices, written in place."""
    def run(m, x):
        m.line[1:] = m.line[:-1].clone()
        m.line[0] = x
        m.count.add_(1)
        return (m.line * m.taps).sum(), m.count + 0
    return Call(run, line=torch.zeros(4), taps=torch.tensor([1.0, 0.5, 0.25, 0.125]), count=torch.zeros((), dtype=torch.long)), (torch.tensor(2.0),)


@program
def functional_state():
    """The same kind of state in functional form: the signature lists the mutation."""
    class Average(nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("mean", torch.zeros(3))

        def forward(self, x):
            self.mean.mul_(0.9).add_(x, alpha=0.1)
            return x - self.mean
    return Average(), (torch.randn(3),), {}, None, "functional"


@program
def changed_input():
    def run(m, x, y):
        x[1:].mul_(3)
        y.copy_(x.sum())
        return x + y
    return Call(run), (torch.randn(3), torch.randn(1))


@program
def branches():
    def run(m, x):
        inner = lambda a: torch.cond(a.mean() > 1, lambda b: b * 2, lambda b: b - m.shift, (a,))
        return torch.cond(x.sum() > 0, inner, lambda a: a.abs() + m.shift, (x,))
    return Call(run, shift=torch.tensor(0.5)), (torch.randn(2, 3).abs(),)


@program
def loops():
    from torch._higher_order_ops.scan import scan
    from torch._higher_order_ops.while_loop import while_loop

    def run(m, i, x, rows):
        n, total = while_loop(lambda i, t: i < 6, lambda i, t: (i + 2, t * 1.5 + i), (i, x))
        last, sums = scan(lambda c, r: (c * 0.5 + r.sum(), c + r), torch.zeros(()), rows, dim=0)
        return n, total, last, sums
    return Call(run), (torch.tensor(1), torch.randn(3), torch.randn(5, 2))


@program
def mapped():
    from functorch.experimental.control_flow import map as map_rows

    def run(m, rows, shift):
        return map_rows(lambda r, s: (r @ m.w).relu() + s, rows, shift)
    return Call(run, w=torch.randn(3, 2)), (torch.randn(4, 5, 3), torch.randn(2))


@program
def open_rows():
    """A map over rows whose number and sizes are open, and work on what it gives."""
    from functorch.experimental.control_flow import map as map_rows

    def run(m, rows, shift):
        sums = map_rows(lambda r, s: (r.relu() + s).sum(1), rows, shift)
        return sums, sums.sum(0) * 2
    any_size = torch.export.Dim.AUTO
    return Call(run), (torch.randn(4, 5, 3), torch.randn(3)), {}, ({0: any_size, 1: any_size}, None)


@program
def after_control():
    """Work on what control operators give: views of their results, a transposed branch, a state that takes one."""
    from functorch.experimental.control_flow import map as map_rows
    from torch._higher_order_ops.associative_scan import associative_scan
    from torch._higher_order_ops.scan import scan
    from torch._higher_order_ops.while_loop import while_loop

    def run(m, i, x):
        turned, same = torch.cond(x.mean() > 0, lambda a: ((a * 3).t(), a + 1), lambda a: ((a - 1).t(), a * 2), (x,))
        n, grown = while_loop(lambda i, a: i < 3, lambda i, a: (i + 1, a * 1.5), (i, x))
        last, sums = scan(lambda c, r: (c + r, c * r), torch.zeros(4), x, dim=0, reverse=True)
        rows = map_rows(lambda r, s: r.softmax(0) * s, x, last)
        totals = associative_scan(lambda a, b: a + b, x, 0, combine_mode="generic")
        m.kept.add_(sums[0])
        return turned.relu() + same.t(), grown.view(2, 6)[1:] + n, rows.t()[1], totals.sum(0) + m.kept, turned[2], sums
    return Call(run, kept=torch.zeros(4)), (torch.tensor(0), torch.randn(3, 4))


@program
def batched():
    """What torch.vmap leaves in a program: nested, over several dimensions, and inside an associative scan."""
    from torch._higher_order_ops.associative_scan import associative_scan

    def run(m, x, y):
        rows = torch.vmap(lambda a, b: ((a * b).softmax(0), a @ m.w, m.w + 0), in_dims=(0, None))(x, y)
        columns = torch.vmap(lambda a, b: a + b.sin(), in_dims=(1, 0))(x, y)
        single = torch.vmap(torch.vmap(lambda a, b: a.exp() * b, in_dims=(0, 0)), in_dims=(0, None))(x, y)
        gates, sums = associative_scan(lambda a, b: (a[0] * b[0], b[0] * a[1] + b[1]), (x.sigmoid(), x), 0, combine_mode="generic")
        return *rows, columns, single, gates, sums
    return Call(run, w=torch.randn(3, 2)), (torch.randn(5, 3), torch.randn(3))


@program
def dictionaries():
    """Containers of `collections`, and a size that the exporter bounds from 2 but that may be 1, marked on the sample inputs."""
    def run(m, ordered, filled, ends):
        return collections.OrderedDict(k=ordered["z"] - ordered["a"]), filled["q"] * 2, collections.deque([ends[1], ends[0] + 1])
    sizes = torch.export.Dim.DYNAMIC
    return (Call(run), (collections.OrderedDict(z=torch.randn(2), a=torch.randn(2)), collections.defaultdict(list, {"q": torch.randn(3)}),
                        collections.deque([torch.randn(1), torch.randn(2)])), {},
            (collections.OrderedDict(z={0: sizes}, a={0: sizes}), collections.defaultdict(list, {"q": {0: sizes}}), collections.deque([None, None])))


@program
def training():
    """Batch norms in training, which move their statistics though their schema does not say so."""
    net = nn.Sequential(nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4), nn.ReLU(), nn.InstanceNorm2d(4, track_running_stats=True), nn.Flatten(),
                        nn.Linear(64, 3), nn.BatchNorm1d(3))
    net.eval = lambda: net.train()

    return net, (torch.randn(4, 3, 6, 6),)


@program
def overlapping_buffers():
    """Two buffers on one storage: each sees what is written through the other, in the program's order."""
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("whole", torch.zeros(6))
            self.register_buffer("middle", self.whole[2:5])

        def forward(self, x):
            self.whole.add_(x)
            self.middle.mul_(2)
            before = self.whole * 3
            self.whole[1:3].sub_(1)
            return before, self.middle + 1, self.whole.sum()
    return Net(), (torch.randn(6),)


@program
def written_back():
    """Functional: mutations that cast and broadcast, that show an input which is written too, and that trade places."""
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("grid", torch.zeros(3, 3, dtype=torch.bfloat16))
            self.register_buffer("count", torch.zeros(2, dtype=torch.int32))
            self.register_buffer("shown", torch.zeros(3))
            self.register_buffer("right", torch.arange(3.0))
            self.register_buffer("left", torch.ones(3))

        def forward(self, x, y):
            self.grid.copy_(x)
            self.count.copy_(self.count + (y > 0).sum())
            self.shown.copy_(y)
            y.add_(1)
            left = self.left * 2.0
            self.left.copy_(self.right)
            self.right.copy_(left)
            return x + 1, self.grid, self.count, self.shown, self.left, self.right * 3
    return Net(), (torch.tensor(1.5), torch.randn(3)), {}, None, True


@program
def shared_buffers():
    """What reads one buffer sees what was written to another one over the same memory, constant as it may look."""
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            whole = torch.arange(12.0).view(3, 4)
            self.register_buffer("whole", whole)
            self.register_buffer("part", whole[1:])
            self.register_buffer("turned", whole.t())

        def forward(self, x):
            self.part.add_(x)
            return self.whole * 1, self.turned + 0, self.part
    return Net(), (torch.randn(4),)


@program
def nested_trees():
    def run(m, pair, table, more=None):
        return Pair({"sum": pair.left + table["a"], 3: (pair.right,)}, [table["b"][0] * 2, collections.OrderedDict(z=table["b"][1])])
    return Call(run), (Pair(torch.randn(2), torch.randn(3)), {"a": torch.ones(2), "b": [torch.randn(1), torch.randn(2)]})


@program
def keywords():
    class Net(nn.Module):
        def forward(self, x, *, scale: float = 2.0, shift=None, flip: bool = False):
            y = x * scale
            if shift is not None:
                y = y + shift
            return (-y if flip else y), scale
    return Net(), (torch.randn(2),), {"shift": torch.randn(2), "flip": True, "scale": 3.0}


@program
def sizes():
    """Sizes that are computed: floor division and modulo of negatives, minima, products, slices."""
    any_size = torch.export.Dim.AUTO

    def run(m, x, y):
        n, k = x.shape[0], y.shape[1]
        flat = y.flatten()
        return x[: n // 2].cumsum(0), (k - 3 * n) // 4, (k - 3 * n) % 5, flat[::3], torch.arange(n * k).view(n, k).sum(1), y.new_zeros(k + 1, 2)
    return Call(run), (torch.randn(7), torch.randn(7, 5)), {}, ({0: any_size}, {0: any_size, 1: any_size})


@program
def found_sizes():
    def run(m, x, n):
        k = n.item()
        torch._check(k >= 0)
        torch._check(k < 20)
        hits = (x > 0).nonzero()
        return hits.shape[0], hits * 2, torch.ones(k) * x[0, 0], torch.unique(n.repeat(3)), x[x < 0].sum()
    return Call(run), (torch.randn(4, 3), torch.tensor(6))


@program
def number_types():
    def run(m, f, i, b, h):
        return f / i, i // -3, i % -4, (f > 0) | b, h * 2 + f, h.sum(), f.to(torch.float16).exp(), i.to(torch.uint8) << 1, b.sum(), f.double().erf(), i.float().pow(-2)
    return Call(run), (torch.randn(3, 2), torch.randint(1, 50, (3, 2)), torch.tensor([True, False]), torch.randn(2).bfloat16())


@program
def common_dtypes():
    """Operands of other dtypes become the common one before they are compared, divided or bounded; sums keep their digits."""
    def run(m, h, b, byte, word, i):
        tenth, large = m.tenth, m.large
        return (h == 0.1, h < tenth, h >= 0.1, h % 0.1, h // tenth, h == i, h + 0.1, h * tenth, h / 0.3, h ** 0.3, h.clamp(0.1, 0.15),
                b == tenth, torch.minimum(b, tenth), torch.fmod(b, 0.1), b - tenth,
                byte < large, torch.maximum(byte, large), byte % large, byte // large, byte + large, byte / large,
                word.clamp(-5, 5), torch.maximum(word, m.minus), m.zero ** 0)
    return (Call(run, tenth=torch.tensor(0.1), large=torch.tensor(300), minus=torch.tensor(-1), zero=torch.zeros(2, dtype=torch.complex64)),
            (torch.tensor([0.1, 0.2, 2048.0]).half(), torch.tensor([0.1, 1.7]).bfloat16(), torch.tensor([100, -5, 3], dtype=torch.int8),
             torch.tensor([0, 3, 200], dtype=torch.uint8), torch.tensor([2049, 1, 2049], dtype=torch.int32)))


@program
def sized_operands():
    """A size among the operands of a branch, and one that counts."""
    any_size = torch.export.Dim.AUTO

    def run(m, x):
        n = x.shape[0]
        return (torch.cond(x.sum() > 0, lambda a: a * n, lambda a: a - n, (x,)), torch.quantile(x, 0.5, dim=0), torch.nanquantile(x, 0.3, dim=0),
                torch.searchsorted(m.row, x), torch.searchsorted(m.row, x, right=True))
    return Call(run, row=torch.tensor([0.5, float("nan")])), (torch.randn(5, 3),), {}, ({0: any_size},)


@program
def spectrum():
    def run(m, x):
        f = torch.fft.rfft(x, dim=-1)
        return torch.fft.irfft(f * torch.complex(m.w, -m.w), n=x.shape[-1]), f.abs(), torch.view_as_real(f).sum(-1), f.conj().imag
    return Call(run, w=torch.randn(11)), (torch.randn(2, 20),)


@program
def one_storage():
    """Weights that are views of one storage, a tied weight, a transposed one, half and bfloat16."""
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            base = torch.randn(6, 5)
            self.top, self.bottom = nn.Parameter(base[:2]), nn.Parameter(base[2:, 1:])
            self.tall = nn.Parameter(torch.randn(3, 5).t())
            self.read = nn.Embedding(7, 4)
            self.write = nn.Linear(4, 7, bias=False)
            self.write.weight = self.read.weight
            self.w_half = nn.Parameter(torch.randn(3).half())
            self.w_brain = nn.Parameter(torch.randn(3).bfloat16())

        def forward(self, x, ids):
            return x @ self.top.t(), x[:, :4] @ self.bottom.t(), x @ self.tall, self.write(self.read(ids)), self.w_half + 1, self.w_brain * 2
    return Net(), (torch.randn(2, 5), torch.tensor([1, 6, 0]))


@program
def wrapped():
    """Parts without gradients and under autocast, which the exporter keeps as wrappers."""
    def run(m, x):
        with torch.no_grad():
            y = x * 2
        with torch.autocast("cpu", dtype=torch.bfloat16):
            z = (y @ m.w).softmax(-1)
        return y, z.float() + 1
    return Call(run, w=torch.randn(4, 4)), (torch.randn(3, 4),)


@program
def movement():
    def run(m, x, i):
        y = x.clone()
        y[:, i] = 1.5
        return (x.roll(1, 0).flip(1), x[i], torch.gather(x, 1, i.expand(2, 3)), x.index_select(1, i),
                torch.stack(x.split([1, 3], 1)[1].unbind(1)), x.repeat(1, 2).tril(-1), y, torch.where(x > 0, x, i.new_tensor(0)),
                F.one_hot(i, 4), x.unfold(1, 2, 1).sum(-1), torch.einsum("ab,cb->ac", x, x))
    return Call(run), (torch.randn(4, 4)[:2].contiguous(), torch.tensor([1, 0, 1]))


@program
def statistics():
    def run(m, x):
        return (x.mean((0, 2)), x.std(1), *torch.var_mean(x, 0), x.amax(-1), x.argmin(1), x.softmax(1), x.logsumexp(2), x.cumsum(1), *x.sort(-1), *x.topk(2, 1),
                x.norm(dim=-1), x.prod(0), (x > 0).any(2), F.group_norm(x, 2), *x.max(1), x.median(), x.sum())
    return Call(run), (torch.randn(3, 4, 5),)


class RunningStatistics(torch.nn.Module):
    """Normalisations that update statistics; of one nothing else is used."""

    def __init__(self):
        super().__init__()
        for name in ("mean", "mean_2"):
            self.register_buffer(name, torch.zeros(3))
        for name in ("var", "var_2"):
            self.register_buffer(name, torch.ones(3))

    def forward(self, x):
        before = self.mean * 1
        y = F.batch_norm(x, self.mean, self.var, training=True)
        F.instance_norm(x, self.mean_2, self.var_2, use_input_stats=True)
        return y, before, self.mean + 0, self.var + 0, self.mean_2 + 0, self.var_2 + 0


@program
def unchanged():
    """No node at all: an input, a buffer and a number come out as they are."""
    return Call(lambda self, x: (x, self.kept, 3), kept=torch.arange(4.0)), (torch.randn(2, 3),)


@program
def running_statistics():
    return RunningStatistics(), (torch.randn(4, 3, 5),)


def arrays(prefix, values, suffix=""):
    out = {}
    for i, value in enumerate(values):
        key = f"{prefix}{i}{suffix}"
        if isinstance(value, torch.Tensor):
            value = value.detach().clone().contiguous()
            bits = value.dtype == torch.bfloat16
            out[key + ("__bfloat16" if bits else "")] = (value.view(torch.uint16) if bits else value).numpy()
        elif value is not None:
            out[key] = np.asarray(value)
    return out


def shorten(exported):
    """Stack traces keep file names, not folders."""
    for module in exported.graph_module.modules():
        for node in getattr(getattr(module, "graph", None), "nodes", ()):
            if node.meta.get("stack_trace"):
                node.meta["stack_trace"] = re.sub(r'File "[^"]*/([^/"]+)"', r'File "\1"', node.meta["stack_trace"])
    return exported


def make(name, folder):
    torch.manual_seed(sum(map(ord, name)))
    made = PROGRAMS[name]()
    module, args = made[0].eval().requires_grad_(False), made[1]
    kwargs = made[2] if len(made) > 2 else {}
    shapes = made[3] if len(made) > 3 else None
    data = arrays("in", pytree.tree_leaves((copy.deepcopy(args), kwargs)))
    if shapes is not None and isinstance(module, Call):
        shapes = (shapes,)
    exported = torch.export.export(module, args, kwargs, dynamic_shapes=shapes)
    if len(made) > 4:
        exported = exported.run_decompositions()
    torch.export.save(shorten(exported), os.path.join(folder, name + ".pt2"))
    runner = copy.deepcopy(module)
    for suffix in ("", "_2"):
        with torch.no_grad():
            outputs = runner(*copy.deepcopy(args), **copy.deepcopy(kwargs))
        data |= arrays("out", pytree.tree_leaves(outputs), suffix)
    np.savez(os.path.join(folder, name + ".npz"), **data)


def main():
    folder, names = sys.argv[1], sys.argv[2:]
    os.makedirs(folder, exist_ok=True)
    for name in names or PROGRAMS:
        make(name, folder)
        print(name)


if __name__ == "__main__":
    main()
