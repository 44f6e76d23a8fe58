"""Calls of special functions, histograms, margin losses and rare layers, recorded one by one."""

import torch

POLYNOMIALS = """chebyshev_polynomial_t chebyshev_polynomial_u chebyshev_polynomial_v
chebyshev_polynomial_w shifted_chebyshev_polynomial_t shifted_chebyshev_polynomial_u
shifted_chebyshev_polynomial_v shifted_chebyshev_polynomial_w hermite_polynomial_h
hermite_polynomial_he laguerre_polynomial_l legendre_polynomial_p""".split()
BESSEL = """bessel_j0 bessel_j1 bessel_y0 bessel_y1 modified_bessel_i0 modified_bessel_i1
modified_bessel_k0 modified_bessel_k1 scaled_modified_bessel_k0 scaled_modified_bessel_k1
spherical_bessel_j0 airy_ai""".split()


def functions():
    # Not too near a zero: PyTorch's own digits end there.
    x = torch.tensor([[0.0, 0.3, 1.0, 4.7], [9.1, 26.0, 31.5, 60.0], [-0.3, -1.2, -4.7, -20.0]])
    for name in BESSEL:
        yield "aten::special_" + name, (x,)
        yield "aten::special_" + name, (torch.arange(1, 5),)
    degree = torch.tensor([0.0, 1, 2, 5, 9, 12, -1])
    place = torch.tensor([[-1.0], [0.0], [0.3], [1.0], [1.7]])
    for name in POLYNOMIALS:
        yield "aten::special_" + name, (place, degree)
        yield "aten::special_" + name + ".n_scalar", (place, 4)
        yield "aten::special_" + name + ".x_scalar", (0.4, degree)
    a = torch.tensor([[0.0], [0.2], [1.0], [7.5], [300.0]])
    b = torch.tensor([0.0, 0.1, 1.0, 6.0, 310.0, float("inf")])
    for name in ("igamma", "igammac", "special_gammainc", "special_gammaincc"):
        yield "aten::" + name, (a, b)
        yield "aten::" + name, (a.double(), b.double())
    yield "aten::igamma_", ((a + b).clone(), b)
    s = torch.tensor([[1.0], [1.5], [3.0], [0.5]])
    yield "aten::special_zeta", (s, torch.tensor([-1.0, 0.2, 3.0, 40.0]))
    yield "aten::special_zeta.self_scalar", (2.5, b + 1)
    yield "aten::special_zeta.other_scalar", (s, 2)
    for n in range(4):
        for name in ("polygamma", "special_polygamma"):
            yield "aten::" + name, (n, torch.tensor([0.3, 1.0, 2.5, 40.0, -1.3]))
    yield "aten::polygamma_", (torch.tensor([0.3, 2.5]), 2)
    for name in ("mvlgamma", "special_multigammaln"):
        yield "aten::" + name, (torch.tensor([3.0, 4.5]), 3)


def histograms():
    x, weight = torch.randn(3, 7), torch.rand(3, 7)
    edges = torch.tensor([-1.0, -0.2, 0.5, 2.0])
    for density in (False, True):
        options = {"density": density}
        yield "aten::histogram.bin_ct", (x, 5), options
        yield "aten::histogram.bin_ct", (x, 4), {"range": [-1.0, 1.0], "weight": weight, **options}
        yield "aten::histogram.bins_tensor", (x, edges), options
        yield "aten::histogram.bins_tensor", (x, edges), {"weight": weight, **options}
    points, ends = torch.randn(9, 2), [-2.0, 2.0, -1.0, 1.0]
    yield "aten::_histogramdd_bin_edges", (points, [3, 2])
    yield "aten::_histogramdd_from_bin_cts", (points, [3, 2]), {"range": ends, "density": True}
    yield "aten::_histogramdd_from_bin_tensors", (points, [edges, edges]), {
        "weight": torch.rand(9)}
    yield "aten::histogram.bin_ct", (torch.ones(4), 3)


def losses():
    x, target = torch.randn(4, 5), torch.tensor([1, 0, 4, 2])
    many = torch.tensor([[1, 3, -1, 0, 0], [0, -1, 2, 2, 2], [4, 3, 2, 1, 0], [-1, 0, 0, 0, 0]])
    for reduction in (0, 1, 2):
        yield "aten::multi_margin_loss", (x, target, 1, 1.0, None, reduction)
        yield "aten::multi_margin_loss", (x, target, 2, 0.5, torch.rand(5), reduction)
        yield "aten::multi_margin_loss", (x[0], target[0], 1, 1.0, None, reduction)
        yield "aten::multilabel_margin_loss", (x, many, reduction)
        yield "aten::multilabel_margin_loss_forward", (x, many, reduction)
        yield "aten::multilabel_margin_loss", (x[0], many[0], reduction)


def layers():
    image = torch.randn(2, 3, 9, 7)
    yield "aten::fractional_max_pool2d", (image, [2, 3], [4, 3], torch.rand(2, 3, 2))
    yield "aten::fractional_max_pool2d", (image[0].double(), [2, 2], [5, 1],
                                          torch.rand(1, 3, 2).double())
    yield "aten::fractional_max_pool3d", (torch.randn(1, 2, 6, 7, 8), [2, 2, 3], [3, 4, 2],
                                          torch.rand(1, 2, 3))
    pooled, places = torch.nn.functional.max_pool2d(image, 2, return_indices=True)
    yield "aten::max_pool2d_with_indices_backward", (
        torch.rand_like(pooled), image, [2, 2], [2, 2], [0, 0], [1, 1], False, places)
    yield "aten::_softmax_backward_data", (torch.randn(3, 4), torch.rand(3, 4), 1, torch.float32)
    yield "aten::rrelu", (image, 0.1, 0.4, False)
    yield "aten::embedding_renorm_", (torch.randn(5, 3), torch.tensor([1, 3, 1]), 0.7, 2.0)
    yield "aten::embedding_renorm", (torch.randn(5, 3), torch.tensor([[1, 3], [1, 1]]), 0.7, 1.0)
    yield "aten::_trilinear", (torch.randn(2, 3), torch.randn(2, 4), torch.randn(2, 5),
                               [2, 3], [1, 3], [1, 2], [0])
    yield "aten::_chunk_cat", ([torch.randn(5, 2), torch.randn(3, 2)], 0, 2)
    mask, index = torch.tensor([True, False, True]), torch.tensor([1, 99, 0])
    yield "aten::_unsafe_masked_index", (torch.randn(3), mask, [index], 7.0)
    yield "aten::_unsafe_masked_index_put_accumulate", (torch.randn(3), mask, [index],
                                                        torch.randn(3))
    for name in ("hfft2", "hfftn", "ihfft2", "ihfftn"):
        given = torch.randn(3, 4, 5) if name[0] == "i" else torch.randn(3, 4, 5).to(torch.complex64)
        yield "aten::fft_" + name, (given,)
        yield "aten::fft_" + name, (given, [3, 6], [0, 2], "ortho")
    curve, places = torch.randn(4, 5), torch.tensor([0.0, 0.5, 2.0, 2.5, 4.0])
    for order in (1, 2):
        yield "aten::gradient.tensorarray", (curve,), {
            "spacing": [places[:4], places], "dim": [0, 1], "edge_order": order}
    yield "aten::resize_", (torch.randn(3, 4), [2, 5])
    yield "aten::tensor_split.tensor_indices_or_sections", (curve, torch.tensor([1, 3]), 1)
    yield "aten::tensor_split.tensor_indices_or_sections", (curve, torch.tensor(3), 1)
    for r in (1, 3):
        yield "aten::combinations", (places, r)
    yield "aten::combinations", (places[:3], 3, True)


def questions():
    x = torch.randn(3, 4)
    for other in (x.clone(), x + 1e-7, x + 1, x[:2]):
        yield "aten::equal", (x, other)
    for other in (x + 1e-7, x + 1):
        yield "aten::allclose", (x, other)
    yield "aten::is_nonzero", (torch.tensor([2]),)
    yield "aten::is_nonzero", (torch.tensor(0.0),)


def placed():
    grid = torch.randn(3, 4)
    for sizes in ((), (4,), (1,), (3, 1), (1, 4)):
        yield "aten::sum_to_size", (grid, list(sizes))
    for shape in ((3, 5), (5, 3), (9, 2), (4, 3), (3, 3, 3)):
        for wrap in (False, True):
            yield "aten::fill_diagonal_", (torch.randn(shape), 7.0, wrap)


def exponents():
    powers = torch.tensor([-200, -140, -3, 0, 17, 127, 140, 1000])
    for dtype in (torch.float32, torch.float64, torch.float16, torch.bfloat16):
        for scale in (1e-30, 1.5, 3e4):
            yield "aten::ldexp.Tensor", (torch.full((8,), scale, dtype=dtype), powers)
    yield "aten::ldexp.Tensor", (torch.tensor([3, -2]), torch.tensor([2.5, 1.0]))


def experts():
    for dtype, width in ((torch.float32, 4), (torch.bfloat16, 8), (torch.float16, 8)):
        a, b = torch.randn(7, 16).to(dtype), torch.randn(3, 16, width).to(dtype)
        yield "aten::_grouped_mm", (a, b, torch.tensor([2, 2, 7], dtype=torch.int32))
        yield "aten::_grouped_mm", (b.mT.contiguous(), a.t(),
                                    torch.tensor([1, 5, 7], dtype=torch.int32))
        yield "aten::_grouped_mm", (b.mT.contiguous(), b)


def factors():
    for dtype in (torch.float32, torch.float64, torch.complex64):
        a = torch.randn(2, 5, 5, dtype=dtype)
        for hermitian in (False, True):
            given = a + (a.mH if hermitian else a.mT)
            options = {"hermitian": hermitian}
            yield "aten::linalg_ldl_factor_ex", (given,), options
            made = torch.linalg.ldl_factor(given, **options)
            yield "aten::linalg_ldl_solve", (*made, torch.randn(2, 5, 3, dtype=dtype)), options
        vectors, taus = torch.geqrf(torch.randn(5, 3, dtype=dtype))
        for transpose in (False, True):
            yield "aten::ormqr", (vectors, taus, torch.randn(5, 2, dtype=dtype), True, transpose)
            yield "aten::ormqr", (vectors, taus, torch.randn(2, 5, dtype=dtype), False, transpose)
        yield "aten::linalg_tensorinv", (torch.randn(4, 2, 8, dtype=dtype),)
    wide = torch.randn(2, 3, 6)
    yield "aten::linalg_tensorsolve", (wide, torch.randn(2, 3))
    yield "aten::linalg_tensorsolve", (torch.randn(6, 4, 4, 6), torch.randn(4, 6), [0, 2])


def groups():
    yield from (functions(), histograms(), losses(), layers(), questions(), placed(), exponents(),
                experts(), factors())
