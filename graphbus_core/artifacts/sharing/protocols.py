"""The names of the methods that Python calls by itself, by what asks for them."""

from __future__ import annotations

import ast

NOT_IMPLICIT = frozenset(
    [
        *("__init__", "__new__", "__post_init__", "__init_subclass__", "__class_getitem__", "__call__"),
        *("__getattr__", "__getattribute__", "__set_name__", "__slots__", "__get__"),  # where an attribute is read
    ]
)
# Any method of an object that Python calls by itself for who only reads it: `list(x)`, `x == y`, `x[k]`.
READING = ("(reading)",)
_CHANGING = frozenset(
    [
        *("__setitem__", "__delitem__", "__setattr__", "__delattr__", "__set__", "__delete__", "__set_name__"),
        *("__enter__", "__exit__", "__aenter__", "__aexit__", "__del__", "__init_subclass__", "__setstate__"),
    ]
)
TRUTH = ("__bool__", "__len__")
ITERATION = ("__iter__", "__next__", "__aiter__", "__anext__", "__getitem__", "__len__", "__length_hint__", "__await__")
ENTERING = ("__enter__", "__aenter__", "__exit__", "__aexit__", "__await__")
KEYING = ("__hash__", "__eq__", "__index__")
COPYING = (
    *("__copy__", "__deepcopy__", "__reduce__", "__reduce_ex__", "__getstate__", "__setstate__", "__getnewargs__"),
    *("__getnewargs_ex__", "__new__", "__del__", "__setattr__", "__getattribute__", "__getattr__"),
)
TEXTS = ("__format__", "__str__", "__repr__")
UNARY = ("__neg__", "__pos__", "__invert__")
COMPARING = (
    *("__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__", "__contains__", "__hash__", "__bool__"),
    *ITERATION,
)
# What a function of Python asks of all that it is given, and that stands in there.
ASKED_BY = {
    **dict.fromkeys(("builtins.str", "builtins.repr", "builtins.ascii", "builtins.format"), TEXTS),
    **dict.fromkeys(("builtins.min", "builtins.max", "builtins.sorted"), COMPARING),
    **dict.fromkeys(("builtins.list", "builtins.tuple"), ITERATION),
    **dict.fromkeys(("builtins.any", "builtins.all", "builtins.filter"), (*TRUTH, *ITERATION)),
    "builtins.len": ("__len__",),
    "builtins.bool": TRUTH,
    "builtins.isinstance": ("__class__",),
}
_OPERATORS: dict[type[ast.operator], str] = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.Div: "truediv",
    ast.FloorDiv: "floordiv",
    ast.Mod: "mod",
    ast.Pow: "pow",
    ast.MatMult: "matmul",
    ast.LShift: "lshift",
    ast.RShift: "rshift",
    ast.BitOr: "or",
    ast.BitXor: "xor",
    ast.BitAnd: "and",
}
# Beside their own methods: `[1] * x` asks for `__index__`, `"%(a)s" % x` for `__getitem__`, `rows += x` for `__iter__`.
_OTHERS = (*TEXTS, "__index__", "__int__", "__float__", *ITERATION)
BINARY = {kind: (f"__{name}__", f"__r{name}__", *_OTHERS) for kind, name in _OPERATORS.items()}
AUGMENTED = {kind: (*BINARY[kind], f"__i{name}__") for kind, name in _OPERATORS.items()}
CHANGING = _CHANGING | {names[-1] for names in AUGMENTED.values()}
