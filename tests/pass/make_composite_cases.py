"""Writes composite_cases.inc: programs of one composite operator with PyTorch's numbers.

Run with PyTorch 2.13: python tests/pass/make_composite_cases.py > tests/pass/composite_cases.inc
"""
import torch

torch.manual_seed(7)
F, I, B = torch.float32, torch.int64, torch.bool


def x(*size):
    return torch.randn(size).mul(4).round().div(4)


def literal(value):
    if isinstance(value, bool):
        return str(value)
    if isinstance(value, str):
        return '"' + value + '"'
    if isinstance(value, torch.dtype):
        return str(value).replace("torch.", "")
    if isinstance(value, list):
        return ("ints" if not value else "") + "[" + ", ".join(literal(v) for v in value) + "]"
    return repr(value)


def type_text(t):
    kept = t.is_contiguous()
    strides = "" if kept else "{" + ", ".join(map(str, t.stride())) + "}"
    return str(t.dtype).replace("torch.", "") + str(list(t.shape)) + strides


def numbers(t):
    return "{" + ", ".join(f"{float(v):.9g}f" if "." in f"{float(v):.9g}" or "e" in f"{float(v):.9g}"
                           else f"{float(v):.9g}.0f" for v in t.reshape(-1).tolist()) + "}"


def case(name, *args, **kwargs):
    packet, _, overload = name.partition(".")
    op = getattr(getattr(torch.ops.aten, packet), overload or "default")
    result = op(*args, **kwargs)
    inputs, texts = [], []
    def text(value):
        if isinstance(value, torch.Tensor):
            inputs.append(value)
            return f"%x{len(inputs) - 1}"
        if isinstance(value, list) and value and isinstance(value[0], torch.Tensor):
            return "[" + ", ".join(text(v) for v in value) + "]"
        return "None" if value is None else literal(value)
    for schema, value in list(zip(op._schema.arguments, args)):
        texts.append(f"{schema.name}={text(value)}")
    for key, value in kwargs.items():
        texts.append(f"{key}={text(value)}")
    heads = ", ".join(f"%x{i}: {type_text(t)}" for i, t in enumerate(inputs))
    print(f'{{R"(graph({heads}):\n  %y: {type_text(result)} = aten::{name}({", ".join(texts)})\n'
          f'  return (%y))",')
    print(" {" + ", ".join(numbers(t) for t in inputs) + "},")
    print(" " + numbers(result) + "},")


print("// Written by make_composite_cases.py.")
case("einsum", "ij,jk->ik", [x(2, 3), x(3, 4)])
case("einsum", "bij, bkj -> bik", [x(2, 3, 2), x(2, 4, 2)])
case("einsum", "ij,kj", [x(2, 3), x(4, 3)])
case("einsum", "ii->i", [x(3, 3)])
case("einsum", "ij->", [x(2, 3)])
case("einsum", "...ij,...jk->...ik", [x(2, 1, 2, 3), x(1, 2, 3, 2)])
case("einsum", "i,j->ij", [x(3), x(2)])
case("einsum", "ab,bc,cd->da", [x(2, 3), x(3, 2), x(2, 4)])
case("einsum", "bhqd,bhkd->bhqk", [x(1, 2, 3, 2), x(1, 2, 2, 2)])
case("einsum", "ij,ij->i", [x(2, 3), x(2, 3)])
case("einsum", "ijk,k->ji", [x(2, 3, 2), x(2)])
case("tensordot", x(2, 3, 4), x(4, 3, 2), [2, 1], [0, 1])
case("tensordot", x(2, 3), x(2), [], [])
case("inner", x(2, 3), x(4, 3))
case("inner", x(3), x(2, 3))
case("inner", x(2), torch.tensor(2.5))
case("outer", x(3), x(2))
case("ger", x(2), x(3))
case("addr", x(3, 2), x(3), x(2), beta=2, alpha=0.5)
case("addr", x(3, 2), x(3), x(2), beta=0)
case("bilinear", x(2, 3), x(2, 2), x(4, 3, 2), x(4))
case("linalg_vecdot", x(2, 3), x(2, 3))
case("linalg_vecdot", x(2, 3), x(2, 3), dim=0)
case("vdot", x(4), x(4))
case("kron", x(2, 2), x(1, 3))
case("kron", x(2), x(2, 2))
case("chain_matmul", [x(2, 3), x(3, 4), x(4, 2)])
case("linalg_multi_dot", [x(3), x(3, 2), x(2, 4)])
case("matrix_power", x(2, 2), 5)
case("linalg_matrix_power", x(2, 2, 2), 0)
case("linalg_cross", x(2, 3), x(2, 3))
case("cross", x(3, 2), x(3, 2))
case("cross", x(3, 3), x(3, 3), 1)
case("trace", x(3, 4))
case("_addmm_activation", x(2, 2), x(2, 3), x(3, 2), alpha=2)
case("linalg_diagonal", x(2, 3, 3), offset=1)
case("diff", x(2, 4))
case("diff", x(4), 2)
case("diff", x(2, 3), 1, 0, x(1, 3), x(2, 3))
case("diff", x(5) > 0)
case("trapezoid.dx", x(2, 4), dx=0.5)
case("trapezoid.x", x(3, 2), x(3), dim=0)
case("trapezoid.x", x(2, 3), x(2, 3))
case("sum_to_size", x(2, 3, 2), [3, 1])
case("fft_fftshift", x(2, 5))
case("fft_ifftshift", x(3, 4), [0])
case("dist", x(2, 3), x(2, 3))
case("dist", x(2, 3), x(3), 1)
case("frobenius_norm.dim", x(2, 3), [1], True)
case("hann_window", 6)
case("hann_window.periodic", 5, False)
case("hamming_window", 5)
case("hamming_window.periodic", 4, False)
case("blackman_window", 7)
case("blackman_window.periodic", 1, True)
sign = torch.tensor([1.0, -1.0, 1.0])
case("margin_ranking_loss", x(3), x(3), sign, 0.5)
case("hinge_embedding_loss", x(3), sign, 1.0, 0)
case("hinge_embedding_loss", x(3), torch.tensor([1.0, -1.0, 2.0]), 0.5, 2)
case("poisson_nll_loss", x(4), x(4).abs() * 3, True, True, 1e-8, 1)
case("poisson_nll_loss", x(4).abs(), x(4).abs(), False, False, 1e-8, 0)
case("cosine_embedding_loss", x(3, 4), x(3, 4), sign, 0.25)
case("triplet_margin_loss", x(2, 3), x(2, 3), x(2, 3))
case("triplet_margin_loss", x(2, 3), x(2, 3), x(2, 3), 2.0, 1.0, 1e-6, True, 0)
case("mvlgamma", x(3).abs() + 2, 3)
case("trapz.dx", x(2, 4), dx=0.5)
case("trapz.x", x(2, 3), x(2, 3))
case("linalg_norm", x(2, 3))
case("linalg_norm", x(2, 3), 1, [1], True)
case("linalg_norm.ord_str", x(2, 3), "fro")
case("linalg_matrix_norm.str_ord", x(2, 2, 3), "fro")
case("norm_except_dim", x(2, 3, 2), 2, 1)
case("isreal", x(3))
case("diagflat", x(2, 2), 1)
