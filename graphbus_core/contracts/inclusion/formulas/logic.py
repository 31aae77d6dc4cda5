"""Formulas over atoms that speak of one JSON type, and their negation.

A formula is True, False, ("and", parts), ("or", parts), ("ref", signed) or an atom. A *signed* shape is the number of
a shape doubled, plus one where it is negated; so `signed ^ 1` is its opposite. Atoms, by type:

    any       ("in", values) ("nin", values)                        scalars only
    number    ("ge", x) ("gt", x) ("le", x) ("lt", x) ("mul", m) ("nmul", m)
    string    ("minlen", n) ("maxlen", n) ("pat", p) ("npat", p) ("fmt", f) ("nfmt", f)
    array     ("minlen", n) ("maxlen", n) ("at", i, signed) ("all", start, signed) ("count", start, signed, low)
              ("most", start, signed, high) ("uniq",) ("nuniq",)
    object    ("has", k) ("lacks", k) ("prop", k, signed) ("each", lang, signed) ("some", lang, signed)
              ("names", signed) ("name", signed) ("minprops", n) ("maxprops", n)

`("at", i, s)` and `("prop", k, s)` hold where there is no such item or property. `("some", …)` says that there is one.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

Formula = Any
Atom = tuple[Any, ...]

NULL, BOOLEAN, NUMBER, STRING, ARRAY, OBJECT = range(6)
KINDS = range(6)


def conj(parts: Iterable[Formula]) -> Formula:
    """All of them."""
    return _joined("and", parts, True)


def disj(parts: Iterable[Formula]) -> Formula:
    """One of them at least."""
    return _joined("or", parts, False)


def _joined(op: str, parts: Iterable[Formula], idle: bool) -> Formula:
    """The parts under `op`, flat. `idle` says nothing in it, and the other truth value decides all of it."""
    made: list[Formula] = []
    for part in parts:
        if part is idle:
            continue
        if part is (not idle):
            return part
        if part[0] == op:
            made.extend(part[1])
        else:
            made.append(part)
    return idle if not made else made[0] if len(made) == 1 else (op, made)


_PAIRS = {
    "in": "nin",
    "ge": "lt",
    "gt": "le",
    "mul": "nmul",
    "pat": "npat",
    "fmt": "nfmt",
    "uniq": "nuniq",
    "has": "lacks",
}
_OPPOSITE = _PAIRS | {other: one for one, other in _PAIRS.items()}


def neg(f: Formula) -> Formula:
    """The opposite of a formula, for values of the same type."""
    if f is True or f is False:
        return not f
    op = f[0]
    if op == "ref":
        return ("ref", f[1] ^ 1)
    if op == "and":
        return disj(map(neg, f[1]))
    if op == "or":
        return conj(map(neg, f[1]))
    if op in _OPPOSITE:
        return (_OPPOSITE[op], *f[1:])
    if op == "minlen" or op == "minprops":
        return ("max" + op[3:], f[1] - 1) if f[1] > 0 else False
    if op == "maxlen" or op == "maxprops":
        return ("min" + op[3:], f[1] + 1)
    if op == "at":
        return ("and", [("minlen", f[1] + 1), ("at", f[1], f[2] ^ 1)])
    if op == "all":
        return ("count", f[1], f[2] ^ 1, 1)
    if op == "count":
        return most(f[1], f[2], f[3] - 1)
    if op == "most":
        return ("count", f[1], f[2], f[3] + 1)
    if op == "prop":
        return ("and", [("has", f[1]), ("prop", f[1], f[2] ^ 1)])
    if op == "each":
        return ("some", f[1], f[2] ^ 1)
    if op == "some":
        return ("each", f[1], f[2] ^ 1)
    return ("name" if op == "names" else "names", f[1] ^ 1)


def most(start: int, signed: int, high: int) -> Formula:
    """At most so many items from `start` on."""
    if high < 0:
        return False
    return ("all", start, signed ^ 1) if high == 0 else ("most", start, signed, high)


def number(value: Any) -> Fraction:
    """A JSON number as the exact number that its decimal text says."""
    return Fraction(value) if isinstance(value, int) else Fraction(repr(value))


def kind_of(value: Any) -> int:
    """The JSON type of a value. Raises TypeError for what has none."""
    if value is None:
        return NULL
    if isinstance(value, bool):
        return BOOLEAN
    if isinstance(value, int | float):
        return NUMBER
    if isinstance(value, str):
        return STRING
    if isinstance(value, list):
        return ARRAY
    if isinstance(value, dict):
        return OBJECT
    raise TypeError(f"{type(value).__name__} is not a JSON value")


def key_of(value: Any) -> Any:
    """A hashable that is equal exactly where the JSON values are: 1 and 1.0 are, 1 and true are not."""
    kind = kind_of(value)
    if kind == NUMBER:
        return (NUMBER, number(value))
    if kind == ARRAY:
        return (ARRAY, tuple(map(key_of, value)))
    if kind == OBJECT:
        return (OBJECT, frozenset((k, key_of(v)) for k, v in value.items()))
    return (kind, value)
