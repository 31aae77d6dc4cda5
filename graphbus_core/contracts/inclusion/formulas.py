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

from collections.abc import Iterable, Iterator
from fractions import Fraction
from math import isfinite
from typing import Any

from graphbus_core.contracts.parsing.json_schema import DRAFT4, DRAFT2020
from graphbus_core.contracts.verdict import Inconclusive

Formula = Any
Atom = tuple[Any, ...]

NULL, BOOLEAN, NUMBER, STRING, ARRAY, OBJECT = range(6)
KINDS = range(6)


def conj(parts: Iterable[Formula]) -> Formula:
    """All of them."""
    return _join_parts("and", parts, True)


def disj(parts: Iterable[Formula]) -> Formula:
    """One of them at least."""
    return _join_parts("or", parts, False)


def _join_parts(op: str, parts: Iterable[Formula], idle: bool) -> Formula:
    """The parts under `op`, flat. `idle` says nothing in it, and the other truth value decides all of it."""
    joined: list[Formula] = []
    for part in parts:
        if part is idle:
            continue
        if part is (not idle):
            return part
        if part[0] == op:
            joined.extend(part[1])
        else:
            joined.append(part)
    return idle if not joined else joined[0] if len(joined) == 1 else (op, joined)


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


def negate(f: Formula) -> Formula:
    """The opposite of a formula, for values of the same type."""
    if f is True or f is False:
        return not f
    op = f[0]
    if op == "ref":
        return ("ref", f[1] ^ 1)
    if op == "and":
        return disj(map(negate, f[1]))
    if op == "or":
        return conj(map(negate, f[1]))
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
        return limit_items(f[1], f[2], f[3] - 1)
    if op == "most":
        return ("count", f[1], f[2], f[3] + 1)
    if op == "prop":
        return ("and", [("has", f[1]), ("prop", f[1], f[2] ^ 1)])
    if op == "each":
        return ("some", f[1], f[2] ^ 1)
    if op == "some":
        return ("each", f[1], f[2] ^ 1)
    return ("name" if op == "names" else "names", f[1] ^ 1)


def limit_items(start: int, signed: int, high: int) -> Formula:
    """At most so many items from `start` on."""
    if high < 0:
        return False
    return ("all", start, signed ^ 1) if high == 0 else ("most", start, signed, high)


def parse_number(value: Any) -> Fraction:
    """A JSON number as the exact number that its decimal text says."""
    return Fraction(value) if isinstance(value, int) else Fraction(repr(value))


def find_kind(value: Any) -> int:
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


def make_key(value: Any) -> Any:
    """A hashable that is equal exactly where the JSON values are: 1 and 1.0 are, 1 and true are not."""
    kind = find_kind(value)
    if kind == NUMBER:
        return (NUMBER, parse_number(value))
    if kind == ARRAY:
        return (ARRAY, tuple(map(make_key, value)))
    if kind == OBJECT:
        return (OBJECT, frozenset((k, make_key(v)) for k, v in value.items()))
    return (kind, value)


# Keywords by themselves: what is read of one value of one keyword, before it becomes part of a shape.


Language = tuple[tuple[tuple[str, bool], ...], frozenset[str]]
"""Property names: those that match (True) or do not match (False) each pattern, and are none of the names."""


def is_json(value: Any) -> bool:
    """Whether a constant is a JSON value: Python reads NaN and infinities, JSON has none."""
    if isinstance(value, list):
        return all(map(is_json, value))
    if isinstance(value, dict):
        return all(map(is_json, value.values()))
    return not isinstance(value, float) or isfinite(value)


def split_tuple_items(text: dict[str, Any], draft: int) -> tuple[list[Any], Any]:
    """The schemas of the first items, and the schema of the rest. A list of `items` is read so in every dialect."""
    prefix, rest = text.get("prefixItems", []) if draft >= DRAFT2020 else [], text.get("items", True)
    if isinstance(rest, list):
        return rest, text.get("additionalItems", True)
    if not isinstance(prefix, list):
        raise Inconclusive("unsupported", "prefixItems wants a list of schemas")
    return prefix, rest


def exclude_names(names: frozenset[str], patterns: Any) -> Language:
    return tuple((p, False) for p in sorted(patterns)), names


def build_one_of(options: list[Formula]) -> Formula:
    """Exactly one."""
    cases = []
    for i, option in enumerate(options):
        cases.append(conj([option, *(negate(o) for j, o in enumerate(options) if j != i)]))
    return disj(cases)


def build_number_atoms(text: dict[str, Any], draft: int) -> Iterator[Formula]:
    for key, atom, strict in (("minimum", "ge", "gt"), ("maximum", "le", "lt")):
        exclusive = text.get("exclusive" + key.capitalize())
        if key in text:
            yield (strict if exclusive is True else atom, read_exact_number(text[key], key))
        if exclusive is not None and not isinstance(exclusive, bool) and draft > DRAFT4:
            yield (strict, read_exact_number(exclusive, "exclusive" + key.capitalize()))
    if "multipleOf" in text:
        step = read_exact_number(text["multipleOf"], "multipleOf")
        if step <= 0:
            raise Inconclusive("unsupported", "multipleOf wants a number above 0")
        yield ("mul", step)


def read_exact_number(value: Any, key: str) -> Any:
    if isinstance(value, bool) or not isinstance(value, int | float) or value != value or abs(value) == float("inf"):
        raise Inconclusive("unsupported", f"{key} wants a number")
    return parse_number(value)


def read_whole_number(value: Any, key: str, *, down: bool = False) -> int:
    count = read_exact_number(value, key)
    return int(count // 1) if down else int(-(-count // 1))


def build_minimum(atom: str, value: Any) -> Formula:
    low = read_whole_number(value, atom)
    return (atom, low) if low > 0 else True


def build_maximum(atom: str, value: Any) -> Formula:
    high = read_whole_number(value, atom, down=True)
    return (atom, high) if high >= 0 else False


def read_schema_list(text: dict[str, Any], key: str) -> list[Any]:
    schemas = text[key]
    if not isinstance(schemas, list):
        raise Inconclusive("unsupported", f"{key} wants a list of schemas")
    return schemas


def read_map(text: dict[str, Any], key: str) -> dict[str, Any]:
    mapping = text.get(key, {})
    if not isinstance(mapping, dict):
        raise Inconclusive("unsupported", f"{key} wants an object")
    return mapping
