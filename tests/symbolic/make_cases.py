"""Prints cases.inc: random expressions of PyTorch's SymPy classes with the values Python gives them."""
import math
import random

import sympy
from torch.utils._sympy import functions as f

NAMES = ["s0", "s1", "u0", "u1"]
SYMBOLS = {n: sympy.Symbol(n, integer=True, **({"positive": True} if n[0] == "s" else {})) for n in NAMES}
LIMIT = 2**62


def checked(value):
    if isinstance(value, bool) or isinstance(value, float) and math.isfinite(value):
        return value
    if isinstance(value, int) and abs(value) < LIMIT:
        return value
    raise ArithmeticError


def whole(rng, env, depth):
    """A random integer: (Python text, value, SymPy tree)."""
    if depth == 0 or rng.random() < 0.1:
        if rng.random() < 0.6:
            name = rng.choice(NAMES)
            return name, env[name], SYMBOLS[name]
        number = rng.randint(-9, 9)
        return f"({number})", number, sympy.Integer(number)
    a, b = whole(rng, env, depth - 1), whole(rng, env, depth - 1)
    pick = rng.randrange(18)
    c = condition(rng, env, depth - 1) if pick in (10, 11) else None
    r = real(rng, env, depth - 1) if pick in (12, 13, 14) else None
    table = [
        (lambda: (f"({a[0]} + {b[0]})", a[1] + b[1], a[2] + b[2])),
        (lambda: (f"({a[0]} - {b[0]})", a[1] - b[1], a[2] - b[2])),
        (lambda: (f"({a[0]} * {b[0]})", a[1] * b[1], a[2] * b[2])),
        (lambda: (f"({a[0]} // {b[0]})", a[1] // b[1], f.FloorDiv(a[2], b[2]))),
        (lambda: (f"({a[0]} % {b[0]})", a[1] % b[1], f.PythonMod(a[2], b[2]))),
        (lambda: (f"max({a[0]}, {b[0]})", max(a[1], b[1]), f.Max(a[2], b[2]))),
        (lambda: (f"min({a[0]}, {b[0]})", min(a[1], b[1]), f.Min(a[2], b[2]))),
        (lambda: (f"CeilDiv({a[0]}, s1)", -(-a[1] // env["s1"]), f.CeilDiv(a[2], SYMBOLS["s1"]))),
        (lambda: (f"abs({a[0]})", abs(a[1]), sympy.Abs(a[2]))),
        (lambda: (f"({a[0]} ** 3)", a[1] ** 3, f.PowByNatural(a[2], sympy.Integer(3)))),
        (lambda: (f"({a[0]} if {c[0]} else {b[0]})", a[1] if c[1] else b[1], f.Where(c[2], a[2], b[2]))),
        (lambda: (f"({a[0]} if {c[0]} else {b[0]})", a[1] if c[1] else b[1],
                  sympy.Piecewise((a[2], c[2]), (b[2], True)))),
        (lambda: (f"math.floor({r[0]})", math.floor(r[1]), f.FloorToInt(r[2]))),
        (lambda: (f"math.ceil({r[0]})", math.ceil(r[1]), f.CeilToInt(r[2]))),
        (lambda: (f"math.trunc({r[0]})", math.trunc(r[1]), f.TruncToInt(r[2]))),
        (lambda: (f"({a[0]} << (s0 % 5))", a[1] << env["s0"] % 5, f.LShift(a[2], f.PythonMod(SYMBOLS["s0"], 5)))),
        (lambda: (f"({a[0]} >> (s1 % 5))", a[1] >> env["s1"] % 5, f.RShift(a[2], f.PythonMod(SYMBOLS["s1"], 5)))),
        (lambda: (f"({a[0]} & {b[0]})", a[1] & b[1], f.BitwiseFn_bitwise_and(a[2], b[2]))),
    ]
    text, value, tree = table[pick]()
    return text, checked(value), tree


def real(rng, env, depth):
    a, b = whole(rng, env, max(depth - 1, 0)), whole(rng, env, max(depth - 1, 0))
    pick = rng.randrange(4)
    if pick == 0:
        return f"({a[0]} / {b[0]})", checked(a[1] / b[1]), f.IntTrueDiv(a[2], b[2])
    if pick == 1:
        return f"(float({a[0]}) / 4)", checked(float(a[1]) / 4), f.FloatTrueDiv(f.ToFloat(a[2]), sympy.Integer(4))
    if pick == 2:
        return f"math.sqrt(abs({a[0]}))", math.sqrt(abs(a[1])), f.OpaqueUnaryFn_sqrt(sympy.Abs(a[2]))
    return f"round({a[0]} / {b[0]}, 2)", round(a[1] / b[1], 2), f.RoundDecimal(f.IntTrueDiv(a[2], b[2]), sympy.Integer(2))


def condition(rng, env, depth):
    a, b = whole(rng, env, max(depth - 1, 0)), whole(rng, env, max(depth - 1, 0))
    pick = rng.randrange(7)
    if pick < 6:
        sign, make = [("<", sympy.Lt), ("<=", sympy.Le), (">", sympy.Gt), (">=", sympy.Ge), ("==", sympy.Eq),
                      ("!=", sympy.Ne)][pick]
        text = f"({a[0]} {sign} {b[0]})"
        return text, eval(text, {"math": math, "CeilDiv": lambda x, y: -(-x // y)}, dict(env)), make(a[2], b[2])
    c, d = condition(rng, env, depth), condition(rng, env, depth)
    word, make, value = rng.choice([("and", sympy.And, c[1] and d[1]), ("or", sympy.Or, c[1] or d[1])])
    return f"({c[0]} {word} {d[0]})", value, make(c[2], d[2])


def literal(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    return repr(value) if isinstance(value, float) else f"std::int64_t{{{value}}}"


def main():
    rng = random.Random(20240607)
    print("// Printed by make_cases.py: {srepr, Python text, {s0, s1, u0, u1}, value}.")
    count = 0
    while count < 220:
        env = {n: rng.randint(1, 40) if n[0] == "s" else rng.randint(-30, 30) for n in NAMES}
        make = rng.choice([whole, whole, whole, real, condition])
        try:
            text, value, tree = make(rng, env, rng.randint(1, 3))
            form = sympy.srepr(tree)
        except (ArithmeticError, AssertionError, TypeError, ValueError, sympy.PolynomialError):
            continue
        if len(form) > 600 or not tree.free_symbols or "nan" in form or "zoo" in form:
            continue
        print(f'{{R"({form})",\n R"({text})",\n {{{env["s0"]}, {env["s1"]}, {env["u0"]}, {env["u1"]}}}, {literal(value)}}},')
        count += 1


main()
