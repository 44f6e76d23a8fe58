"""Calls at the edges: no elements, no dimensions, repeated elements, extreme and missing values."""

import itertools

import torch
from torch.nn import functional as F

INF, NAN = float("inf"), float("nan")
SHAPES = [(), (1,), (0,), (0, 3), (3, 0), (2, 0, 4), (1, 1, 1)]
FLOATS = [torch.float32, torch.float64, torch.float16, torch.bfloat16]
INTEGERS = [torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8]

UNARY = """abs acos acosh asin asinh atan atanh ceil cos cosh deg2rad digamma erf erfc erfinv exp exp2
expm1 floor frac i0 isfinite isinf isnan isneginf isposinf lgamma log log10 log1p log2 logical_not
nan_to_num neg positive rad2deg reciprocal relu round rsqrt sgn sigmoid sign signbit sin sinc sinh
sqrt square tan tanh trunc bitwise_not silu gelu mish softplus hardswish hardsigmoid hardtanh elu selu
celu leaky_relu logsigmoid relu6""".split()
BINARY = """add sub mul div remainder fmod floor_divide pow maximum minimum fmax fmin atan2 hypot
copysign nextafter logaddexp logaddexp2 xlogy eq ne lt le gt ge logical_and logical_or logical_xor
bitwise_and bitwise_or bitwise_xor bitwise_left_shift bitwise_right_shift gcd lcm heaviside
float_power true_divide ldexp""".split()
REDUCING = """sum mean prod amax amin argmax argmin any all var std logsumexp nansum nanmean
count_nonzero median nanmedian mode cumsum cumprod cummax cummin logcumsumexp softmax log_softmax
sort argsort max min aminmax var_mean std_mean unbind flip""".split()


def filled(shape, dtype):
    if dtype.is_floating_point or dtype.is_complex:
        return torch.randn(shape).to(dtype)
    return torch.randint(0 if dtype in (torch.uint8, torch.bool) else -5, 6, shape).to(dtype)


def extreme(dtype):
    """Limits of a dtype, and the values that are not numbers."""
    if dtype.is_floating_point:
        info = torch.finfo(dtype)
        return torch.tensor([NAN, INF, -INF, 0.0, -0.0, info.max, info.min, info.tiny, 1.0, -1.0, 0.5,
                             -0.5, 2.5, -1.5, 88.9, 3e4], dtype=dtype)
    if dtype == torch.bool:
        return torch.tensor([True, False])
    info = torch.iinfo(dtype)
    return torch.tensor([info.max, info.min, 0, 1, 2, 7, info.max - 1, 3], dtype=dtype)


def find(name):
    return next(getattr(place, name) for place in (torch, F) if hasattr(place, name))


def unary():
    for name in UNARY:
        function = find(name)
        for dtype in FLOATS + INTEGERS + [torch.bool]:
            yield lambda f=function, d=dtype: f(extreme(d))
        for shape in SHAPES:
            yield lambda f=function, s=shape: f(filled(s, torch.float32))
        yield lambda f=function: f(torch.tensor([0.5, 0.25]).expand(3, 2))
        yield lambda f=function: f(torch.randn(3, 1).expand(3, 4).t())


def binary():
    for name in BINARY:
        function = find(name)
        for dtype in FLOATS + INTEGERS + [torch.bool]:
            def pairs(f=function, d=dtype, name=name):
                # The least integer and its common divisors end PyTorch's process.
                x = filled((6,), d) if name in ("gcd", "lcm") else extreme(d)
                f(x.unsqueeze(1), x[x != 0] if not d.is_floating_point else x)
            yield pairs
        for a, b in [((), ()), ((0,), ()), ((0, 3), (3,)), ((3, 0), (3, 1)), ((1, 0), (4, 1)), ((2,), ())]:
            for dtype in (torch.float32, torch.int64):
                yield lambda f=function, a=a, b=b, d=dtype: f(filled(a, d), filled(b, d).abs() + 1)
        yield lambda f=function: f(torch.randn(2, 1).expand(2, 3), torch.randn(3).expand(2, 3))
        for left, right in itertools.product([torch.float32, torch.float16, torch.int64, torch.uint8,
                                              torch.bool], repeat=2):
            if left != right:
                yield lambda f=function, l=left, r=right: f(filled((3,), l), filled((), r).abs() + 1)
                yield lambda f=function, l=left, r=right: f(filled((2, 2), l), filled((2,), r).abs() + 1)
        for dtype in INTEGERS + [torch.float32]:
            # Division of integers by zero is an error, of floats an infinity.
            yield lambda f=function, d=dtype: f(filled((4,), d), torch.zeros(4, dtype=d))
            # The smallest integer divided by -1 ends PyTorch's process.
            if dtype.is_floating_point or name not in ("div", "remainder", "fmod", "floor_divide"):
                yield lambda f=function, d=dtype: f(extreme(d), -1)
            yield lambda f=function, d=dtype: f(extreme(d), 0)


def reduced():
    inputs = [filled(s, torch.float32) for s in SHAPES]
    inputs += [torch.tensor([[1.0, NAN, 3.0], [INF, -INF, 0.0]]), torch.full((2, 3), -INF),
               torch.randn(4, 1).expand(4, 3), torch.randn(3).expand(4, 3), torch.ones(1, 1)]
    inputs += [extreme(d) for d in FLOATS[1:] + INTEGERS + [torch.bool]]
    for name in REDUCING:
        function = find(name)
        for x in inputs:
            yield lambda f=function, x=x: f(x)
            for dim in (0, -1, 1):
                yield lambda f=function, x=x, d=dim: f(x, d)
                yield lambda f=function, x=x, d=dim: f(x, dim=d, keepdim=True)
            yield lambda f=function, x=x: f(x, [])
            yield lambda f=function, x=x: f(x, tuple(range(x.dim())))
    for x in inputs:
        for p in (0, 1, 2, 3, INF, -INF, 0.5):
            yield lambda x=x, p=p: torch.linalg.vector_norm(x, p)
            yield lambda x=x, p=p: torch.norm(x, p, -1)
        for k in (0, 1):
            yield lambda x=x, k=k: torch.topk(x, k)
            yield lambda x=x, k=k: torch.kthvalue(x, k)
        yield lambda x=x: torch.unique(x)
        yield lambda x=x: x.nonzero()
        yield lambda x=x: F.normalize(x, dim=0)
        yield lambda x=x: F.layer_norm(x, x.shape[-1:])
        yield lambda x=x: torch.ops.aten._safe_softmax(x, 0)


def moved():
    for shape in SHAPES + [(2, 3)]:
        for dtype in (torch.float32, torch.int64):
            x = filled(shape, dtype)
            for call in (lambda x: x.flip(0), lambda x: x.roll(2, 0), lambda x: x.roll(-1), lambda x: x.repeat(2, 0, 1),
                         lambda x: x.repeat(2, 3, 2), lambda x: x.tile(2), lambda x: x.tile(0, 2), lambda x: x.narrow(0, 0, 0),
                         lambda x: x.reshape(-1), lambda x: x.flatten(), lambda x: x.unsqueeze(-1), lambda x: x.squeeze(),
                         lambda x: x.permute(*range(x.dim())[::-1]).contiguous(), lambda x: torch.cat([x, x], -1),
                         lambda x: torch.cat([x, torch.empty(0)]), lambda x: torch.stack([x, x], -1), lambda x: x.tril(),
                         lambda x: x.triu(-1), lambda x: x.diag(), lambda x: x.diagonal(), lambda x: torch.diag_embed(x),
                         lambda x: x.repeat_interleave(2), lambda x: x.repeat_interleave(2, 0), lambda x: x.split(1),
                         lambda x: x.chunk(3, -1), lambda x: x.unfold(0, 1, 2), lambda x: x.expand(2, *x.shape).clone(),
                         lambda x: F.pad(x, (1, 2)), lambda x: F.pad(x, (-1, 1)), lambda x: F.pad(x, (1, 1), "replicate"),
                         lambda x: x.index_select(0, torch.tensor([0, 0])), lambda x: x.index_select(-1, torch.empty(0, dtype=torch.int64)),
                         lambda x: x.gather(0, torch.zeros(x.shape, dtype=torch.int64)), lambda x: x[..., None, :0],
                         lambda x: x.masked_select(x > 0), lambda x: x.masked_fill(x > 0, 1), lambda x: x[x > 0],
                         lambda x: x.take(torch.tensor([0])), lambda x: x.clone().index_add_(0, torch.tensor([0, 0]), x[:1].repeat_interleave(2, 0)),
                         lambda x: x.clone().scatter_(0, torch.zeros(x.shape, dtype=torch.int64), x),
                         lambda x: x.clone().index_fill_(0, torch.tensor([0]), 3), lambda x: x.clone().fill_(2), lambda x: x.movedim(0, -1),
                         lambda x: x.unbind(), lambda x: torch.where(x > 0, x, x * 2), lambda x: x.clamp(-1, 1), lambda x: x.clamp(min=x),
                         lambda x: torch.searchsorted(x, x), lambda x: torch.bucketize(x, torch.arange(3.0)), lambda x: torch.isin(x, x),
                         lambda x: x.to(torch.float16).to(torch.int8), lambda x: x.bool().sum(), lambda x: torch.histc(x.float(), 4),
                         lambda x: x.diff(), lambda x: torch.meshgrid(x, x, indexing="ij"), lambda x: torch.zeros_like(x).copy_(x[:1]),
                         lambda x: x.select_scatter(x[0] * 2, 0, -1), lambda x: x.slice_scatter(x[1:] * 2, 0, 1), lambda x: torch.addcmul(x, x, x, value=2)):
                yield lambda call=call, x=x: call(x)


def multiplied():
    for dtype in FLOATS + [torch.int64, torch.complex64]:
        for m, k, n in [(2, 3, 4), (0, 3, 4), (2, 0, 4), (2, 3, 0), (1, 1, 1), (0, 0, 0), (1, 5, 1), (17, 1, 3)]:
            a, b, c = filled((m, k), dtype), filled((k, n), dtype), filled((m, n), dtype)
            yield lambda a=a, b=b: a @ b
            yield lambda a=a, b=b: a.t().contiguous().t() @ b.t().contiguous().t()
            yield lambda a=a, b=b: a[:1].expand(a.shape[0], -1) @ b if a.shape[0] else a @ b
            yield lambda a=a, b=b, c=c: torch.addmm(c, a, b, beta=2, alpha=3)
            yield lambda a=a, b=b, c=c: torch.addmm(c * NAN if c.is_floating_point() else c, a, b, beta=0)
            yield lambda a=a, b=b: torch.bmm(a.expand(2, *a.shape), b.expand(2, *b.shape))
            yield lambda a=a, b=b: torch.bmm(a.expand(0, *a.shape), b.expand(0, *b.shape))
            yield lambda a=a, b=b, c=c: torch.baddbmm(c.expand(2, *c.shape), a.expand(2, *a.shape), b.expand(2, *b.shape))
            yield lambda a=a, b=b: F.linear(a, b.t(), b[0] if b.shape[0] else None)
            yield lambda a=a, b=b: torch.matmul(a[None, :, None], b)
            yield lambda a=a, b=b: torch.mv(a, b[:, 0]) if b.shape[1] else None
            yield lambda a=a: torch.dot(a.flatten(), a.flatten())
            yield lambda a=a, b=b: torch.outer(a.flatten(), b.flatten())
            yield lambda a=a, b=b: torch.einsum("ij,jk->ki", a, b)
            yield lambda a=a, b=b: torch.tensordot(a, b, 1)
            yield lambda a=a, b=b: torch.kron(a, b)
            yield lambda a=a: torch.cdist(a, a)
    shapes = [((2, 3), (4, 4)), ((2, 3), (3, 4)), ((2, 2, 3, 4), (2, 2, 5, 4)), ((2, 3, 2, 4), (2, 5, 2, 4)), ((2, 3, 4), (4, 5)), ((2, 3, 4, 5), (3, 6))]
    equations = ["ij,Ab->ijAb", "ij,jk->ki", "bnid,bnjd->binj", "bqhd,bkhd->bhqk", "bld,dn->nlb", "nctw,cd->ndtw"]
    for equation, (a, b) in zip(equations, shapes):
        for swap in (False, True):
            def contract(equation=equation, a=a, b=b, swap=swap):
                x, y = torch.randn(a), torch.randn(b)
                if swap:
                    x, y = (t.permute(*range(t.dim())[::-1]).contiguous().permute(*range(t.dim())[::-1]) for t in (x, y))
                torch.einsum(equation, x, y)
            yield contract
    for equation, shape in [("ij->ji", (2, 3)), ("ii->i", (3, 3)), ("ij->j", (2, 3)), ("abc->ca", (2, 3, 4)), ("ii", (3, 3)), ("ij->ij", (2, 0))]:
        yield lambda e=equation, s=shape: torch.einsum(e, torch.randn(s))
    for dtype in (torch.bool, torch.uint8, torch.int32, torch.int64):
        a, b = filled((2, 3), dtype), filled((4, 5), dtype)
        for equation in ("ij->i", "ij->", "ij->ji"):
            yield lambda e=equation, a=a: torch.einsum(e, a)
        yield lambda a=a: torch.einsum("ii->", a[:, :2])
        yield lambda a=a, b=b: torch.einsum("ij,kl->ik", a, b)
        yield lambda a=a, b=b: torch.einsum("ij,k->ijk", a, b[:, 0])
        yield lambda a=a: torch.einsum("ij,ij->ij", a, a)
        yield lambda a=a: torch.einsum("ij,i->i", a, torch.tensor([2, 3]))
        yield lambda a=a: torch.einsum("ij,i->ij", a, torch.rand(2))
    yield lambda: torch.einsum("ij,ik,l->il", *(filled((2, n), torch.int32) for n in (3, 4)),
                               filled((5,), torch.int32))


def imaged():
    for n, c, h, w in [(0, 3, 6, 6), (2, 4, 6, 5), (1, 1, 1, 1), (1, 3, 1, 9), (2, 0, 4, 4), (1, 2, 7, 1), (1, 1, 4, 4), (2, 2, 0, 4)]:
        for dtype in FLOATS:
            base = filled((n, c, h, w), dtype)
            for x in (base, base.to(memory_format=torch.channels_last), base.permute(3, 2, 1, 0).contiguous().permute(3, 2, 1, 0)):
                weight = filled((4, c, 1, 1), dtype)
                for call in (lambda x: F.conv2d(x, weight), lambda x: F.conv2d(x, filled((2 * x.shape[1], 1, 1, 1), x.dtype), groups=x.shape[1]),
                             lambda x: F.conv2d(x, filled((2, x.shape[1], 3, 3), x.dtype), padding=1),
                             lambda x: F.conv_transpose2d(x, filled((x.shape[1], 2, 2, 2), x.dtype), stride=2),
                             lambda x: F.max_pool2d(x, 1), lambda x: F.max_pool2d(x, 2, ceil_mode=True), lambda x: F.max_pool2d(x, 3, 1, 1),
                             lambda x: F.avg_pool2d(x, 1), lambda x: F.avg_pool2d(x, 3, 1, 1), lambda x: F.adaptive_avg_pool2d(x, (2, 1)),
                             lambda x: F.adaptive_max_pool2d(x, 2), lambda x: F.interpolate(x, scale_factor=2), lambda x: F.interpolate(x, (3, 3), mode="bilinear"),
                             lambda x: F.group_norm(x, 1), lambda x: F.instance_norm(x), lambda x: F.batch_norm(x, torch.zeros(x.shape[1], dtype=x.dtype), torch.ones(x.shape[1], dtype=x.dtype)),
                             lambda x: F.batch_norm(x, torch.zeros(x.shape[1], dtype=x.dtype), torch.ones(x.shape[1], dtype=x.dtype), training=True),
                             lambda x: F.pixel_shuffle(x, 2), lambda x: F.pixel_unshuffle(x, 1), lambda x: F.pad(x, (1, 1, 0, 2)), lambda x: F.pad(x, (1, 1, 1, 1), "reflect"),
                             lambda x: F.unfold(x, 2), lambda x: x.sum((2, 3)), lambda x: x.mean(1, keepdim=True), lambda x: x + x[:, :1], lambda x: torch.cat([x, x], 1),
                             lambda x: F.softmax(x, 1), lambda x: F.layer_norm(x, x.shape[1:]), lambda x: F.relu(x), lambda x: F.channel_shuffle(x, 1)):
                    yield lambda call=call, x=x: call(x)
    for shape in [(2, 0, 4), (2, 3, 4), (0, 3, 4), (2, 3, 0)]:
        q = torch.randn(shape)
        for kv in (q, torch.randn(shape[0], 0, shape[2])):
            yield lambda q=q, kv=kv: F.scaled_dot_product_attention(q, kv, kv)
            yield lambda q=q, kv=kv: F.scaled_dot_product_attention(q[:, None], kv[:, None], kv[:, None], is_causal=True)
    for index in (torch.tensor(1), torch.empty(0, dtype=torch.int64), torch.tensor([[7]]), torch.tensor([-1])):
        yield lambda i=index: F.embedding(i, torch.randn(3, 2))
        yield lambda i=index: F.one_hot(i)
        yield lambda i=index: torch.randn(3, 2)[i]
        yield lambda i=index: torch.randn(3)[i].clone().index_put_((torch.tensor(0),), torch.tensor(1.0))


def converted():
    kinds = FLOATS + INTEGERS + [torch.bool, torch.complex64]
    for source, target in itertools.product(kinds, kinds):
        def convert(source=source, target=target):
            x = extreme(source) if source != torch.complex64 else torch.randn(3, dtype=source)
            if source.is_floating_point and not (target.is_floating_point or target.is_complex or target == torch.bool):
                x = x[x.isfinite() & (x.abs() < 100)]  # what is beyond an integer's range is undefined
                x = x[x >= 0] if target == torch.uint8 else x
            x.to(target)
        yield convert


def calls():
    for group in (unary, binary, reduced, moved, multiplied, imaged, converted):
        yield from group()
