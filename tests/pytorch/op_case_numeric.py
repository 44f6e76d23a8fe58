"""Calls of quantisation, linear algebra, statistics and signal operators, recorded one by one.

Each is a target with arguments; `record` in op_case_recorder.py runs it.
"""

import torch
import torch.ao.quantization.fx._decomposed  # noqa: F401: declares quantized_decomposed

from op_case_recorder import record

INT8 = {"quant_min": -128, "quant_max": 127, "dtype": torch.int8}


def quantised():
    x = torch.randn(3, 4, 5) * 3
    q = torch.randint(-128, 128, (3, 4, 5), dtype=torch.int8)
    u = torch.randint(0, 256, (3, 4, 5), dtype=torch.uint8)
    scales, zeros = torch.rand(4) * 0.1 + 0.01, torch.randint(-9, 9, (4,))
    rows, row_zeros = torch.rand(3, 4, 1).double() * 0.1 + 0.01, torch.randint(-9, 9, (3, 4, 1))
    ends = (-128, 127, torch.int8)
    for given in (x, x.half(), x.bfloat16(), x.transpose(0, 1), x.new_zeros(0)):
        yield "quantized_decomposed::quantize_per_tensor", (given, 0.037, 3) + ends
    yield "quantized_decomposed::quantize_per_tensor", (x, 0.05, 128, 0, 255, torch.uint8)
    yield "quantized_decomposed::quantize_per_tensor", (x, 1e-3, 0, -2**15, 2**15 - 1, torch.int16)
    yield "quantized_decomposed::quantize_per_tensor.tensor", (
        x, torch.tensor(0.037).double(), torch.tensor(3)) + ends
    yield "quantized_decomposed::quantize_per_tensor.tensor2", (
        x, torch.tensor([0.037]), torch.tensor([3]), torch.tensor(-100), torch.tensor(90),
        torch.int8)
    for out in (None, torch.float16, torch.bfloat16, torch.float64):
        yield "quantized_decomposed::dequantize_per_tensor", (q, 0.037, 3) + ends, {"out_dtype": out}
    yield "quantized_decomposed::dequantize_per_tensor", (u, 0.02, 128, 0, 255, torch.uint8)
    yield "quantized_decomposed::dequantize_per_tensor.tensor", (
        q.transpose(0, 2), torch.tensor(0.037), torch.tensor(3)) + ends
    yield "quantized_decomposed::dequantize_per_tensor.tensor2", (
        q, torch.tensor(0.037), torch.tensor(3), torch.tensor(-128), torch.tensor(127), torch.int8)
    for axis, given in ((1, x), (0, x.transpose(0, 1)), (1, x.half()), (1, x.permute(2, 1, 0))):
        for s in (scales, scales.double()):
            yield "quantized_decomposed::quantize_per_channel", (given, s, zeros, axis) + ends
    for s in (scales, scales.double()):
        yield "quantized_decomposed::dequantize_per_channel", (q, s, zeros, 1) + ends
    yield "quantized_decomposed::dequantize_per_channel", (q, scales, None, 1) + ends
    yield "quantized_decomposed::dequantize_per_channel", (
        q, scales, zeros.int(), 1) + ends, {"out_dtype": torch.float16}
    big = torch.randint(-2**31, 2**31 - 1, (4, 3), dtype=torch.int32)
    yield "quantized_decomposed::dequantize_per_channel", (
        big, scales * 1e-6, zeros * 0, 0, -2**31, 2**31 - 1, torch.int32)
    for s, z in ((rows, row_zeros), (rows.float(), row_zeros.float())):
        yield "quantized_decomposed::quantize_per_token", (x, s, z) + ends
        yield "quantized_decomposed::dequantize_per_token", (q, s, z) + ends + (torch.float32,)
    w, groups = torch.randn(4, 6), torch.rand(4, 2) * 0.1 + 0.01
    group_zeros = torch.randint(-3, 3, (4, 2), dtype=torch.int32)
    wq = torch.randint(-8, 8, (4, 6), dtype=torch.int8)
    yield "quantized_decomposed::quantize_per_channel_group", (
        w, groups, group_zeros, -8, 7, torch.int8, 3)
    yield "quantized_decomposed::dequantize_per_channel_group", (
        wq, groups, group_zeros, -8, 7, torch.int8, 3, torch.float32)
    yield "quantized_decomposed::dequantize_per_channel_group", (
        wq, groups, None, -8, 7, torch.int8, 3, torch.float32)
    for given in (x, x.abs() + 1, x.bfloat16()):
        yield "quantized_decomposed::choose_qparams.tensor", (given, -128, 127, 1e-5, torch.int8)
        yield "quantized_decomposed::choose_qparams_symmetric.tensor", (
            given, -127, 127, 1e-5, torch.int8)
    yield "quantized_decomposed::choose_qparams_per_token", (x, torch.int8)
    for name in ("choose_qparams_per_token_asymmetric", "_choose_qparams_per_token_asymmetric_impl"):
        yield "quantized_decomposed::" + name, (x, torch.int8)
    yield "quantized_decomposed::convert_element_type.no_fuse", (x, torch.float16)
    zero, scale = torch.tensor(3, dtype=torch.int32), torch.tensor(0.05)
    for given in (x, x.double(), x.half()):
        yield "aten::fake_quantize_per_tensor_affine", (given, 0.05, 3, -8, 7)
    yield "aten::fake_quantize_per_tensor_affine_cachemask", (x, 0.05, 3, -8, 7)
    yield "aten::fake_quantize_per_tensor_affine.tensor_qparams", (x, scale, zero, -8, 7)
    for enabled in (0, 1):
        yield "aten::_fake_quantize_per_tensor_affine_cachemask_tensor_qparams", (
            x, scale, zero, torch.tensor([enabled]), -8, 7)
    for name in ("fake_quantize_per_channel_affine", "fake_quantize_per_channel_affine_cachemask"):
        yield "aten::" + name, (x, scales, zeros.int().clamp(-8, 7), 1, -8, 7)


def matrices(dtype):
    """A square one, a Hermitian positive one, a tall one, right-hand sides."""
    a = torch.randn(2, 4, 4, dtype=dtype) + 3 * torch.eye(4, dtype=dtype)
    return a, a @ a.mH + torch.eye(4, dtype=dtype), torch.randn(5, 3, dtype=dtype), torch.randn(
        2, 4, 3, dtype=dtype)


def factored(dtype):
    a, s, w, b = matrices(dtype)
    one = a[0]
    for name in ("linalg_inv_ex", "linalg_inv", "inverse", "_linalg_det", "linalg_det", "det",
                 "_linalg_slogdet", "linalg_slogdet", "slogdet", "linalg_lu_factor_ex",
                 "linalg_lu_factor", "linalg_lu", "linalg_matrix_exp", "matrix_exp"):
        yield "aten::" + name, (a,)
        yield "aten::" + name, (one.mT,)
    yield "aten::logdet", (s,)
    for upper in (False, True):
        given = s.mT if upper else s
        yield "aten::linalg_cholesky_ex", (given,), {"upper": upper}
        yield "aten::linalg_cholesky", (given,), {"upper": upper}
        factor = torch.linalg.cholesky(s, upper=upper)
        yield "aten::cholesky_solve", (b, factor, upper)
        yield "aten::cholesky_inverse", (factor, upper)
    yield "aten::cholesky", (s,)
    for name in ("_linalg_solve_ex", "linalg_solve_ex", "linalg_solve"):
        yield "aten::" + name, (a, b)
        yield "aten::" + name, (a.mT, b)
        yield "aten::" + name, (a, b.mT), {"left": False}
        yield "aten::" + name, (a, b[..., 0])
    yield "aten::_linalg_solve_ex", (one, b)
    lu, pivots = torch.linalg.lu_factor(a)
    yield "aten::linalg_lu_solve", (lu, pivots, b)
    yield "aten::linalg_lu_solve", (lu, pivots, b), {"adjoint": True}
    yield "aten::linalg_lu_solve", (lu, pivots, b.mT), {"left": False}
    yield "aten::lu_solve", (b, lu, pivots)
    yield "aten::lu_unpack", tuple(torch.linalg.lu_factor(w))
    for upper in (True, False):
        yield "aten::linalg_solve_triangular", (a, b), {"upper": upper}
        yield "aten::linalg_solve_triangular", (a, b.mT), {"upper": upper, "left": False}
        yield "aten::triangular_solve", (b, a, upper, True)
    yield "aten::linalg_solve_triangular", (a, b), {"upper": True, "unitriangular": True}


def spectral(dtype):
    a, s, w, b = matrices(dtype)
    for given in (w, w.mT, a):
        for mode in ("reduced", "complete", "r"):
            yield "aten::linalg_qr", (given, mode)
    yield "aten::qr", (w,)
    yield "aten::geqrf", (w,)
    yield "aten::linalg_householder_product", tuple(torch.geqrf(w))
    yield "aten::orgqr", tuple(torch.geqrf(w))
    for given in (w, w.mT, a):
        yield "aten::_linalg_svd", (given, False, False)
        yield "aten::linalg_svdvals", (given,)
        yield "aten::linalg_pinv.atol_rtol_float", (given,)
        yield "aten::linalg_pinv", (given, 0.3)
        yield "aten::linalg_matrix_rank.atol_rtol_float", (given,)
        yield "aten::linalg_matrix_rank", (given, 2.0)
    yield "aten::pinverse", (w,)
    yield "aten::linalg_pinv.atol_rtol_float", (s,), {"hermitian": True}
    for name in ("_linalg_eigh", "linalg_eigvalsh"):
        yield "aten::" + name, (s, "L") + ((False,) if name[0] == "_" else ())
    if dtype in (torch.float32, torch.float64):
        yield "aten::_linalg_eigh", (s[0],)
        yield "aten::linalg_eigh", (s,)
        yield "aten::linalg_eigvalsh", (s.mT, "U")
    yield "aten::linalg_lstsq", (w, torch.randn(5, 2, dtype=dtype))
    for p in (None, 2, -2, 1):
        yield "aten::linalg_cond", (a,) + (() if p is None else (p,))


def statistics():
    x = torch.randn(3, 5)
    holes = x.clone()
    holes[0, 1] = holes[2, 4] = float("nan")
    q = torch.tensor([0.0, 0.3, 1.0])
    for name in ("quantile", "nanquantile"):
        for given in (x, holes, x.double()):
            yield "aten::" + name, (given, q.to(given.dtype), 1)
            yield "aten::" + name + ".scalar", (given, 0.4)
        for interpolation in ("lower", "higher", "midpoint", "nearest"):
            yield "aten::" + name, (holes, q, 0, True), {"interpolation": interpolation}
        yield "aten::" + name + ".scalar", (x, 0.4, None, True)
        yield "aten::" + name + ".scalar", (x, 0.4, 0, True)
    weights = {"fweights": torch.tensor([1, 2, 1, 3, 1]), "aweights": torch.rand(5)}
    for given in (x, x[0], torch.randn(3, 5, dtype=torch.complex64)):
        yield "aten::cov", (given,)
        yield "aten::cov", (given,), {"correction": 0}
        yield "aten::corrcoef", (given,)
        yield "aten::cov", (given,), weights
    yield "aten::cov", (x,), {"aweights": weights["aweights"]}
    yield "aten::histc", (x, 4, -1, 1)
    yield "aten::histc", (x, 7)
    yield "aten::histc", (holes, 3, -2, 2)
    for p in (2, 1.0, 0.5, float("inf")):
        yield "aten::renorm", (x, p, 0, 1.0)
        yield "aten::_pdist_forward", (x, p)
        yield "aten::pdist", (x, p)
    yield "aten::renorm_", (x.clone(), 2, 1, 0.5)
    for options in ({}, {"dim": 1}, {"spacing": 0.5, "edge_order": 2}):
        yield "aten::gradient.scalarint", (x,), options
    yield "aten::gradient.array", (x,), {"dim": [1, 0]}
    for name in ("dx", "x"):
        yield "aten::cumulative_trapezoid." + name, (x,) + ((torch.rand(5),) if name == "x" else ())
    yield "aten::cumulative_trapezoid.dx", (x,), {"dx": 2, "dim": 0}
    for ord in (1, -1, 2, -2, float("inf"), -float("inf")):
        yield "aten::linalg_matrix_norm", (x, ord)
        yield "aten::linalg_norm", (torch.randn(2, 3, 4), ord, [0, 2], True)
    for ord in ("fro", "nuc"):
        yield "aten::linalg_matrix_norm.str_ord", (torch.randn(2, 3, 4), ord)
        yield "aten::linalg_norm.ord_str", (x, ord)
    yield "aten::linalg_norm", (x,)
    yield "aten::nuclear_norm", (x,)
    yield "aten::matrix_power", (torch.randn(3, 3) + 3 * torch.eye(3), -2)
    for given in (x[0], torch.tensor([1, 2, 3])):
        yield "aten::vander", (given,)
        yield "aten::vander", (given, 4, True)
        yield "aten::linalg_vander", (given,)


def counted():
    places = torch.tensor([3, 0, 3, 1, 7])
    yield "aten::bincount", (places,)
    yield "aten::bincount", (places.int(), None, 10)
    for weights in (torch.rand(5), torch.rand(5).double(), torch.arange(5)):
        yield "aten::bincount", (places, weights)
    for dtype in (torch.float32, torch.float64, torch.float16):
        yield "aten::frexp.Tensor", (torch.randn(3, 4, dtype=dtype).T * 100,)


def transformed():
    signal, window = torch.randn(2, 40), torch.hann_window(8)
    for given in (signal, signal[0]):
        for options in ({}, {"window": window}, {"window": torch.hann_window(6), "win_length": 6},
                        {"normalized": True}, {"hop_length": 3}, {"onesided": False}):
            call = {"n_fft": 8, "return_complex": True, **options}
            yield "aten::stft.center", (given,), call
            yield "aten::stft", (given,), call
            spectrum = torch.stft(given, center=True, **{"window": window, **call})
            call.pop("return_complex")
            yield "aten::istft", (spectrum,), {"window": window, **call}
    yield "aten::stft", (signal, 8), {"return_complex": False, "window": window}
    yield "aten::istft", (spectrum, 8), {"window": window, "onesided": False, "length": 35}
    for name in ("bartlett_window", "kaiser_window"):
        yield "aten::" + name, (7,)
        for periodic in (False, True):
            yield "aten::" + name + ".periodic", (6, periodic)
    yield "aten::kaiser_window.beta", (6, False, 5.0)
    yield "aten::hamming_window.periodic_alpha", (6, True, 0.6)
    yield "aten::hamming_window.periodic_alpha_beta", (6, False, 0.6, 0.3)


def layered():
    x, stats = torch.randn(2, 3, 4, 4), torch.rand(3) + 0.5
    for training in (False, True):
        yield "aten::_native_batch_norm_legit_functional", (
            x, stats, stats + 1, stats * 0, stats, training, 0.1, 1e-5)
    yield "aten::conv_tbc", (torch.randn(6, 2, 3), torch.randn(3, 3, 4), torch.randn(4), 1)
    yield "aten::thnn_conv2d", (x, torch.randn(5, 3, 3, 3), [3, 3], torch.randn(5), [1, 1], [1, 1])
    yield "aten::slow_conv_dilated2d", (
        x, torch.randn(5, 3, 2, 2), [2, 2], torch.randn(5), [1, 1], [0, 0], [2, 2])
    a, b = (torch.randint(-9, 9, (20, 16), dtype=torch.int8) for _ in range(2))
    yield "aten::_int_mm", (a, b.mT)
    pooled, places = torch.nn.functional.max_pool2d(x, 2, return_indices=True)
    yield "aten::max_unpool2d", (pooled, places, [4, 4])
    yield "aten::max_unpool2d", (pooled[0], places[0], [5, 4])
    cube = torch.randn(1, 2, 4, 4, 4)
    pooled, places = torch.nn.functional.max_pool3d(cube, 2, return_indices=True)
    yield "aten::max_unpool3d", (pooled, places, [4, 4, 4], [2, 2, 2], [0, 0, 0])
    q, k, v = (torch.randn(2, 2, 3, 4) for _ in range(3))
    mask = torch.rand(2, 1, 3, 3) > 0.3
    yield "aten::_scaled_dot_product_attention_math", (q, k, v)
    yield "aten::_scaled_dot_product_attention_math", (q, k, v, None, 0.0, True)
    yield "aten::_scaled_dot_product_attention_math", (q, k, v, mask)
    yield "aten::_scaled_dot_product_attention_math", (q, k, v, mask.float()), {"scale": 0.2}
    yield "aten::_scaled_dot_product_attention_math", (torch.randn(2, 4, 3, 4), k, v), {
        "enable_gqa": True}
    e, heads, t = 8, 2, torch.randn(2, 3, 8)
    w, bias = torch.randn(3 * e, e) * 0.3, torch.randn(3 * e)
    out, out_bias = torch.randn(e, e) * 0.3, torch.randn(e)
    hidden = torch.tensor([[False, False, True], [False, False, False]])
    ahead = torch.ones(3, 3).triu(1).bool()
    yield "aten::_transform_bias_rescale_qkv", (torch.randn(2, 3, 3 * e), bias, heads)
    for m, kind in ((None, None), (hidden, 1), (ahead, 0)):
        yield "aten::_native_multi_head_attention", (t, t, t, e, heads, w, bias, out, out_bias, m,
                                                     True, True, kind)
        for gelu, first in ((False, False), (True, True)):
            yield "aten::_transformer_encoder_layer_fwd", (
                t, e, heads, w, bias, out, out_bias, gelu, first, 1e-5, torch.rand(e), torch.rand(e),
                torch.rand(e), torch.rand(e), torch.randn(16, e), torch.randn(16),
                torch.randn(e, 16), torch.randn(e), m, kind)


def rearranged():
    x = torch.randn(3, 4)
    for name in ("Byte", "Char", "Double", "Float", "Half", "Int", "Long", "Short"):
        yield "aten::_cast_" + name, (x.abs() * 10,)
    yield "aten::_stack", ([x, x + 1], 1)
    yield "aten::where", (x > 0,)
    yield "aten::range", (1, 5)
    yield "aten::range.step", (0.0, 1.0, 0.25)
    yield "aten::fill_diagonal_", (x.clone(), 7)
    yield "aten::combinations", (x[0],)
    yield "aten::combinations", (x[0], 2, True)
    yield "aten::pad_sequence", ([x, x[:2]], True, 1.5)
    yield "aten::pad_sequence", ([x, x[:1]], False, 0.0, "left")


def groups():
    yield from (quantised(), statistics(), counted(), transformed(), layered(), rearranged())
    for dtype in (torch.float32, torch.float64, torch.complex64):
        yield factored(dtype)
        yield spectral(dtype)


def operator(target):
    space, _, rest = target.partition("::")
    name, _, overload = rest.partition(".")
    return getattr(getattr(getattr(torch.ops, space), name), overload or "default")


def record_groups(writer, groups):
    """Every call, with what PyTorch answers."""
    for group in groups:
        for number, (target, args, *named) in enumerate(group):
            writer.salt = number
            function, kwargs = operator(target), (named[0] if named else {})
            try:
                record(writer, function, args, kwargs, lambda: function(*args, **kwargs))
            except Exception as error:
                raise RuntimeError(target) from error
