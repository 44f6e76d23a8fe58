"""Writes promotion_cases.inc: PyTorch's type promotion for all pairs of operands.

Run with PyTorch 2.13: python tests/ops/make_promotion_cases.py > tests/ops/promotion_cases.inc

An operand is a letter and a number: the kind (t: tensor with dimensions, z: 0-d tensor, n: Python
number) and the dtype's index in the list, or 0 to 3 for bool, int, float and complex. Each row has
one left operand: every right operand's result is a letter, '-' where PyTorch refuses.
"""
import torch

names = ("bool uint8 int8 int16 int32 int64 uint16 uint32 uint64 float16 bfloat16 float32 float64 "
         "complex32 complex64 complex128 float8_e4m3fn float8_e5m2 float8_e4m3fnuz float8_e5m2fnuz "
         "float8_e8m0fnu").split()
dtypes = [getattr(torch, n) for n in names]
letters = "abcdefghijklmnopqrstu"


def operand(kind, i):
    if kind == "n":
        return [True, 1, 1.0, 1j][i]
    return torch.empty((1,) if kind == "t" else (), dtype=dtypes[i])


def result(a, b):
    try:
        return letters[dtypes.index(torch.result_type(a, b))]
    except RuntimeError:
        return "-"


print("// Written by make_promotion_cases.py.")
for left in "tzn":
    for i in range(4 if left == "n" else len(dtypes)):
        row = []
        for right in "tzn":
            count = 4 if right == "n" else len(dtypes)
            row.append("".join(result(operand(left, i), operand(right, j)) for j in range(count)))
        print(f'{{\'{left}\', {i}, "{row[0]}", "{row[1]}", "{row[2]}"}},')
print("// promote_types")
for i, a in enumerate(dtypes):
    row = ""
    for b in dtypes:
        try:
            row += letters[dtypes.index(torch.promote_types(a, b))]
        except RuntimeError:
            row += "-"
    print(f'{{\'p\', {i}, "{row}", "", ""}},')
