"""How the other side computes what it answers, where that is plain: found from its recorded answers, by trying.

Tried for each part of an answer: a constant, a part of the payload as it stands, and a sum over the items of a list, of
products of their numbers. What holds for every recorded answer, of which there are hundreds at the edges of numbers,
foretells the next one. What is more than that stays unknown, and nothing is guessed.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from math import isclose, prod
from typing import Any

from graphbus_core.contracts.example_values import walk_leaves

Formula = Callable[[Any], Any]
_MOST_FACTORS = 3
_LEAST_ENTRIES = 20
_PRECISION = 1e-12  # of a double, and what a long sum loses


class Unsaid(Exception):
    """A payload has not what a formula asks for."""


def find_formulas(entries: Sequence[tuple[Any, Any]]) -> dict[str, Formula] | None:
    """By part of the answer how it comes of the payload; None where a part of it is none of what is tried."""
    if len(entries) < _LEAST_ENTRIES:
        return None
    found: dict[str, Formula] = {}
    for part in sorted({part for _, answer in entries for part in _flatten(answer)}):
        pairs = [(payload, _flatten(answer).get(part)) for payload, answer in entries]
        formula = next((formula for formula in _list_formulas(pairs) if _holds(formula, pairs)), None)
        if formula is None:
            return None
        found[part] = formula
    return found


def foretell(formulas: dict[str, Formula], payload: Any) -> dict[str, Any] | None:
    """What is answered to a payload; None where that is not foretold."""
    try:
        return {part: formula(payload) for part, formula in formulas.items()}
    except Unsaid:
        return None


def is_same_answer(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Whether two answers are the same, as doubles count."""
    return one.keys() == other.keys() and all(_is_same(one[part], other[part]) for part in one)


def _list_formulas(pairs: Sequence[tuple[Any, Any]]) -> Iterator[Formula]:
    payload, first = pairs[0]
    yield lambda _: first
    if not isinstance(payload, dict):
        return
    for place, _ in walk_leaves(payload):
        if all(isinstance(name, str) for name in place):
            yield lambda payload, place=place: _read(payload, place)  # type: ignore[misc]
    for name, items in payload.items():
        if isinstance(items, list) and items and isinstance(items[0], dict):
            numbers = [key for key, value in items[0].items() if _is_number(value)]
            for count in range(_MOST_FACTORS + 1):
                for keys in combinations(numbers, count):
                    yield lambda payload, name=name, keys=keys: _sum_products(payload, name, keys)  # type: ignore[misc]


def _sum_products(payload: Any, name: str, keys: Sequence[str]) -> float:
    items = _read(payload, (name,))
    if not isinstance(items, list):
        raise Unsaid
    values = [[_read(item, (key,)) for key in keys] for item in items]
    if not all(_is_number(value) for row in values for value in row):
        raise Unsaid
    total: float = sum(prod(row) for row in values)
    return total


def _read(payload: Any, place: Sequence[Any]) -> Any:
    for name in place:
        if not isinstance(payload, dict) or name not in payload:
            raise Unsaid
        payload = payload[name]
    return payload


def _holds(formula: Formula, pairs: Sequence[tuple[Any, Any]]) -> bool:
    try:
        return all(_is_same(formula(payload), answer) for payload, answer in pairs)
    except Unsaid:
        return False


def _is_same(one: Any, other: Any) -> bool:
    if _is_number(one) and _is_number(other):
        return isclose(one, other, rel_tol=_PRECISION)
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _flatten(answer: Any) -> dict[str, Any]:
    return {".".join(map(str, place)): leaf for place, leaf in walk_leaves(answer)}
