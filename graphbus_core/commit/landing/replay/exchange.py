"""What the project makes otherwise in the merged tree, of one and the same act. Pure.

The new code of a side was written for what its own project made. Where a test hands it that by hand, it never sees what
the merged project makes instead. So what both trees made of one act of a test is laid side by side; a variant gives the
new code the one on its side, and the other in the merged tree.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

MAX_PRODUCTS = 24
Product = tuple[str, Any, Any]  # a kind, what the side makes of it, and what the merged tree makes instead


def pair_products(before: Mapping[str, Any], now: Mapping[str, Any]) -> list[Product]:
    """Of what two trees told, what is not the same: of each kind that both made as often in one test."""
    changed: list[Product] = []
    for test, kinds in before["made"].items():
        for kind, old in kinds.items():
            new = now["made"].get(test, {}).get(kind, [])
            if len(old) == len(new):
                changed += [
                    (kind, was, is_now) for was, is_now in zip(old, new, strict=True)
                    if None not in (was, is_now) and not _is_same(was, is_now)
                ]  # fmt: skip
    results: dict[str, set[str]] = {}
    for kind, was, is_now in changed:
        results.setdefault(repr((kind, was)), set()).add(repr(is_now))
    once = {repr(p): p for p in changed if len(results[repr(p[:2])]) == 1}
    common = [
        ("shared", [name, part], [name, part])
        for name, parts in now["shared"].items() for part in parts if part not in before["shared"].get(name, ())
    ]  # fmt: skip
    return [*common, *once.values()][:MAX_PRODUCTS]


def _is_same(before: Any, now: Any) -> bool:
    """Whether two recipes make the same; numbers may differ in their last digits."""
    if isinstance(before, list) and isinstance(now, list):
        return len(before) == len(now) and all(map(_is_same, before, now))
    if isinstance(before, float) and isinstance(now, float):
        return math.isclose(before, now, rel_tol=1e-9)
    return type(before) is type(now) and bool(before == now)


class Passage:
    """What comes through as it was given: `20` where the side was given `20`, and the merged tree `"20"`."""

    def __init__(self, products: list[Product]) -> None:
        self.pairs = [pair for _, before, now in products for pair in _iter_leaves(before, now)]

    def came_through(self, before: Any, now: Any) -> bool:
        """Whether two things that were seen differ in nothing but in what each tree was given."""
        if isinstance(before, list) and isinstance(now, list):
            return len(before) == len(now) and all(map(self.came_through, before, now))
        if isinstance(before, dict) and isinstance(now, dict):
            return before.keys() == now.keys() and all(self.came_through(before[key], now[key]) for key in before)
        if _is_same(before, now) or any(_is_same(before, old) and _is_same(now, new) for old, new in self.pairs):
            return True
        if isinstance(before, str) and isinstance(now, str):
            return any(str(new) and now.replace(str(new), str(old)) == before for old, new in self.pairs)
        return False


def _iter_leaves(before: Any, now: Any) -> Iterator[tuple[Any, Any]]:
    """The plain values that stand at one place of both, where they differ."""
    if isinstance(before, list) and isinstance(now, list):
        if before[:1] == now[:1] == ["v"]:
            if not _is_same(before[1], now[1]):
                yield before[1], now[1]
        else:
            for old, new in zip(before, now, strict=False):
                yield from _iter_leaves(old, new)
