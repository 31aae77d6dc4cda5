"""Whether the merged tree does what both sides do, wherever both do the same.

A test that comes to code of both sides is run in variants on each side and on the merged tree. Where one of them sees
the same on both sides, neither side wants anything else: a merged tree in which it is otherwise has a bug mended twice,
or lost two guards of which each side left one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from graphbus_core.commit.landing.replay.compare import Run, Scope, Trees, Witness
from graphbus_core.commit.landing.replay.values import MISUSE
from graphbus_core.commit.landing.replay.variants import MARK
from graphbus_core.commit.landing.replay.varied import (
    build_order,
    find_parting,
    is_same,
    list_differing,
    list_scopes,
    name_test,
    tell_look,
)


@dataclass(frozen=True)
class Agreement:
    """What both sides are held against. `ours` names the merged tree, too."""

    ours: Trees
    theirs: Trees
    run: Run
    scopes: tuple[frozenset[Scope], frozenset[Scope]]  # the functions that each side changed

    def find_partings(self, tests: Mapping[str, Sequence[str]], watched: Sequence[str]) -> list[Witness]:
        """Run variants of tests (by file, as the merged tree has them) on all three trees. Raises OSError."""
        order = {"scopes": sorted(frozenset().union(*self.scopes)), "watched": watched}
        whole = build_order(self.ours, self.ours.of_merged, tests, order)
        first, second = self.run(self.ours.side, {**whole, "rehearse": 2})
        (now,) = self.run(self.ours.merged, {**whole, "rehearse": 1})
        if not any(list_differing(first[name], now[name]) for name in first.keys() & now.keys()):
            return []  # whatever theirs does, the merged tree does as ours
        (other,) = self.run(self.theirs.side, {**whole, "rehearse": 1})
        written: dict[str, set[int]] = {}  # of the test as it is written: the looks at which its author knows better
        partings = []
        for name in first:
            three = [first[name], other.get(name), now.get(name)]
            if None in three or not is_same(first[name], second.get(name)):
                continue
            parting = self._find_parting(*three)
            test, _, number = name.partition(MARK)
            if number.partition("[")[0] == "0":
                written[name_test(name)] = parting
                continue
            looks = parting - written.get(name_test(name), set())
            scopes = frozenset(list_scopes(now[name]))
            if looks and all(scopes & changed for changed in self.scopes):
                what = tell_look(
                    "each side gives {}, and both {}", "on each side it {}, and with both it {}",
                    first[name], now[name], min(looks),
                )  # fmt: skip
                partings.append(Witness(test, what, scopes, find_parting(first[name], now[name])))
        return partings

    def _find_parting(self, ours: Mapping[str, Any], theirs: Mapping[str, Any], now: Mapping[str, Any]) -> set[int]:
        """The looks that show one thing on both sides, and another in the merged tree; -1 for the end."""
        agreed = {i for i, (mine, other) in enumerate(zip(ours["seen"], theirs["seen"], strict=False)) if mine == other}
        if ours["end"] == theirs["end"] and len(ours["seen"]) == len(theirs["seen"]):
            agreed.add(-1)
        looks = agreed & list_differing(ours, now)
        return {i for i in looks if not _name_error(ours, i) or self._lost_guards(ours, theirs, i)}

    def _lost_guards(self, ours: Mapping[str, Any], theirs: Mapping[str, Any], look: int) -> bool:
        """Whether what refused an input on each side is gone in the merged tree. A guard that still stands there, and
        is not come to any more, is none of these: each side may make a part of an input fit."""
        if _name_error(ours, look) in MISUSE:
            return False
        for seen, texts in ((ours, self.ours.of_side), (theirs, self.theirs.of_side)):
            path, number = seen["raised"].get(str(look), ("", 0))
            line = texts.get(path, b"").splitlines()[number - 1 : number]
            kept = [text.strip() for text in self.ours.of_merged.get(path, b"").splitlines()]
            before = [text.strip() for text in texts.get(path, b"").splitlines()]
            if not line or kept.count(line[0].strip()) >= before.count(line[0].strip()):
                return False
        return True


def _name_error(told: Mapping[str, Any], look: int) -> str:
    """The error that a look, or the end, shows; nothing where it shows none."""
    if look < 0:
        return "" if told["end"] == "passed" else str(told["end"])
    value = told["seen"][look]
    return str(value[1]) if isinstance(value, list) and value[:1] == ["error"] else ""
