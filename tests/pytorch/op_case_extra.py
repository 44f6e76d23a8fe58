"""Calls that PyTorch's operator database lacks and that exported models make."""

import torch
from torch import nn
from torch.nn import functional as F


def recurrent():
    x = torch.randn(5, 2, 3)
    for kind in (nn.LSTM, nn.GRU, nn.RNN):
        for options in ({}, {"batch_first": True}, {"num_layers": 2, "bidirectional": True},
                        {"bias": False}):
            yield lambda kind=kind, options=options: kind(3, 4, **options).eval()(x)
    yield lambda: nn.RNN(3, 4, nonlinearity="relu")(x)
    yield lambda: nn.LSTM(3, 4, proj_size=2)(x)
    for kind in (nn.LSTMCell, nn.GRUCell, nn.RNNCell):
        yield lambda kind=kind: kind(3, 4)(x[0])


def normalised():
    x = torch.randn(2, 4, 5, 5)
    stats = torch.rand(4) + 0.5
    for training in (False, True):
        for layout in (torch.contiguous_format, torch.channels_last):
            yield lambda training=training, layout=layout: F.batch_norm(
                x.to(memory_format=layout), torch.zeros(4), stats.clone(), torch.rand(4),
                torch.rand(4), training)
    yield lambda: F.group_norm(x, 2, torch.rand(4), torch.rand(4))
    yield lambda: F.layer_norm(x, (5, 5))
    yield lambda: F.instance_norm(x)
    yield lambda: F.rms_norm(x, (5,), torch.rand(5))
    yield lambda: torch._native_batch_norm_legit_no_training(
        x, torch.rand(4), torch.rand(4), torch.zeros(4), stats, 0.1, 1e-5)
    yield lambda: F.local_response_norm(x, 2)


def convolved():
    x = torch.randn(2, 4, 7, 6)
    last = x.to(memory_format=torch.channels_last)
    for image in (x, last):
        for options in ({}, {"stride": 2}, {"padding": 1}, {"dilation": 2}, {"groups": 2},
                        {"groups": 4, "padding": (0, 1)}, {"padding": "same"}):
            groups = options.get("groups", 1)
            yield lambda image=image, options=options, groups=groups: F.conv2d(
                image, torch.randn(8, 4 // groups, 3, 3), torch.randn(8), **options)
        yield lambda image=image: F.conv_transpose2d(image, torch.randn(4, 3, 3, 3), stride=2,
                                                     padding=1, output_padding=1)
        yield lambda image=image: F.max_pool2d(image, 2)
        yield lambda image=image: F.max_pool2d(image, 3, 2, 1, ceil_mode=True)
        yield lambda image=image: F.avg_pool2d(image, 3, 2, 1, count_include_pad=False)
        yield lambda image=image: F.adaptive_avg_pool2d(image, (3, 1))
        yield lambda image=image: F.adaptive_avg_pool2d(image, 1)
        yield lambda image=image: F.interpolate(image, scale_factor=2, mode="nearest")
        yield lambda image=image: F.interpolate(image, (5, 9), mode="bilinear")
        yield lambda image=image: F.interpolate(image, (5, 9), mode="bicubic",
                                                align_corners=True)
        yield lambda image=image: F.interpolate(image, (5, 9), mode="bilinear", antialias=True)
        yield lambda image=image: F.relu6(image) + image.mean((2, 3), keepdim=True)
    yield lambda: F.conv1d(x[0], torch.randn(5, 7, 3)[:, :7], padding=1)
    yield lambda: F.conv3d(torch.randn(1, 2, 4, 4, 4), torch.randn(3, 2, 2, 2, 2))


def attended():
    q, k, v = (torch.randn(2, 2, 3, 4) for _ in range(3))
    mask = torch.rand(2, 1, 3, 3) > 0.2
    mask[..., 0] = True
    yield lambda: F.scaled_dot_product_attention(q, k, v)
    yield lambda: F.scaled_dot_product_attention(q, k, v, is_causal=True)
    yield lambda: F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    yield lambda: F.scaled_dot_product_attention(q, k, v, attn_mask=mask.float(), scale=0.3)
    yield lambda: F.scaled_dot_product_attention(torch.randn(2, 4, 3, 4), k, v, enable_gqa=True)
    yield lambda: nn.MultiheadAttention(8, 2, batch_first=True)(*[torch.randn(2, 3, 8)] * 3)
    yield lambda: nn.TransformerEncoderLayer(8, 2, 16, batch_first=True).eval()(
        torch.randn(2, 3, 8))


def looked_up():
    table = torch.randn(10, 3)
    ids = torch.tensor([[1, 2, 9], [0, 3, 3]])
    yield lambda: F.embedding(ids, table, padding_idx=0)
    yield lambda: F.embedding_bag(ids, table, mode="mean")
    yield lambda: F.embedding_bag(ids.flatten(), table, torch.tensor([0, 2, 5]), mode="sum")
    yield lambda: F.embedding_bag(ids, table, mode="max")
    yield lambda: F.one_hot(ids, 10)
    yield lambda: torch.bucketize(torch.randn(4), torch.linspace(-1, 1, 5))
    yield lambda: table[ids]
    yield lambda: table[:, torch.tensor([0, 2])]
    yield lambda: table[ids > 1] if False else table[torch.rand(10) > 0.5]
    yield lambda: table.clone().index_put_((ids,), torch.zeros(2, 3, 3), accumulate=True)
    yield lambda: table.clone().__setitem__((slice(1, 3), 1), 5.0)


def made():
    x = torch.randn(3, 4)
    yield lambda: torch.arange(5) + torch.arange(1, 9, 2) [:1] + torch.arange(0.0, 5.0)
    yield lambda: torch.full((2, 3), 1.5) + torch.zeros(3) + torch.ones(2, 1)
    yield lambda: torch.full_like(x, 2) + torch.zeros_like(x) + torch.ones_like(x)
    yield lambda: x.new_zeros(3) + x.new_ones(4, 1) + x.new_full((1,), 2)
    yield lambda: torch.tril(torch.ones(4, 4)) + torch.eye(4) + torch.triu(torch.ones(4, 4), 1)
    yield lambda: torch.linspace(0, 1, 5) + torch.scalar_tensor(2.0)
    yield lambda: x.to(torch.float64) + x.to(torch.int64) + x.half().float() + x.bool()
    yield lambda: x.to(torch.float32).type_as(x).contiguous().clone()
    yield lambda: torch.where(x > 0, x, 0.0) + torch.where(x > 0, x, x.double())
    yield lambda: x.masked_fill(x > 0, float("-inf")) if False else x.masked_fill(x > 0, 2)
    yield lambda: torch.ops.aten._assert_tensor_metadata(x, None, None, torch.float32)
    yield lambda: torch.meshgrid(torch.arange(3), torch.arange(4), indexing="ij")
    yield lambda: torch.einsum("ij,kj->ik", x, x)
    yield lambda: torch.ops.aten.lift_fresh_copy(x)
    yield lambda: torch.ops.aten._to_copy(x, dtype=torch.float16)


def calls():
    """Functions without arguments; each is run twice."""
    for group in (recurrent, normalised, convolved, attended, looked_up, made):
        yield from group()
