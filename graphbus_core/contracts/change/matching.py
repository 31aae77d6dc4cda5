"""Which branch of the old union became which branch of the new one: by name, by discriminator, by likeness."""

from __future__ import annotations

from typing import Any

from graphbus_core.contracts.change.pair import Pair
from graphbus_core.contracts.reading.walk import same
from graphbus_core.contracts.values.branches import discriminator

# Branches are held against each other in pairs, so the work grows with the square.
MAX_BRANCHES = 200  # of one union that are held against each other


def matched(old: list[Any], new: list[Any], pair: Pair) -> tuple[list[tuple[int, int]], list[int], list[int]]:
    """Pairs of indexes, and those of the old and of the new union that have no partner."""
    before, after = [pair.resolve(o) for o in old], [pair.resolve(n) for n in new]
    left, right = list(range(len(before))), list(range(len(after)))
    pairs: list[tuple[int, int]] = []
    mine, theirs = tags(before, pair), tags(after, pair)

    def alike(a: Any, b: Any, i: int, j: int) -> bool:
        # Two discriminators that differ are two things, whatever else they share.
        return not (i in mine and j in theirs) and _alike(a, b)

    # From sure to likely: the very same, the same name, the same reference, a likeness. A later rule only sees what
    # is left.
    for rule in (_one_thing, lambda a, b, i, j: i in mine and mine[i] == theirs.get(j), _one_name(old, new), alike):
        for i in list(left):
            found = next((j for j in right if rule(before[i], after[j], i, j)), None)
            if found is not None:
                pairs.append((i, found))
                left.remove(i)
                right.remove(found)
        if len(left) * len(right) > MAX_BRANCHES**2:
            break
    # Sorted by the old order, so that the lines come in the order in which people wrote the union.
    return sorted(pairs), left, right


def tags(options: list[Any], pair: Pair) -> dict[int, str]:
    """Index -> the discriminator's text of each object branch."""
    resolved = [pair.resolve(o) for o in options]
    _, table = discriminator(resolved, pair.root)
    return {index: text for text, index in table.items()}


def _one_thing(a: Any, b: Any, i: int, j: int) -> bool:
    return a is b or same(a, b)


def _one_name(old: list[Any], new: list[Any]) -> Any:
    def name(one: Any) -> str | None:
        return str(one["$ref"]).rpartition("/")[2] if isinstance(one, dict) and "$ref" in one else None

    return lambda a, b, i, j: name(old[i]) is not None and name(old[i]) == name(new[j])


def _alike(a: Any, b: Any) -> bool:
    """Of one type; objects share a third of their fields at least."""
    if not isinstance(a, dict) or not isinstance(b, dict):
        return False
    if a.get("type") != b.get("type") or ("const" in a) != ("const" in b):
        return False
    mine, theirs = set(a.get("properties") or ()), set(b.get("properties") or ())
    if not mine and not theirs:
        return "type" in a
    # A third: less, and two events of one system look like one that changed; more, and a rename of two fields is a
    # new type.
    return 3 * len(mine & theirs) >= max(len(mine), len(theirs))
