"""Which nodes read what another node of the build may change: several processes would show them several states of it.

What a node uses (`Uses`) rests on its own files alone; that of all nodes is joined here, in one pass over each.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

EVERYTHING = "*"  # of a module
HELD = ""  # something of a module holds what is read
Actor = tuple[int, str]  # the place of a node in the list, and where it does it


@dataclass(frozen=True)
class Uses:
    """What a node uses, while it handles events, of what lasts longer: `module:what`, the same for every node.

    `changes` tells where (file and line) each may be changed. `fills` are memos, by which code each is filled, and
    where: whoever looks up by that code finds the same, whether or not it was filled before. In `hands` the node puts
    what is its own and what it reads: whoever reads that may change it.
    """

    reads: frozenset[str] = frozenset()
    changes: Mapping[str, str] = field(default_factory=dict)
    fills: Mapping[str, Sequence[str]] = field(default_factory=dict)
    hands: Mapping[str, str] = field(default_factory=dict)

    def to_list(self) -> list[Any]:
        """The form in the scan's cache."""
        return [sorted(self.reads), *map(dict, (self.changes, self.fills, self.hands))] if self != NO_USES else []

    @classmethod
    def from_list(cls, written: Sequence[Any]) -> Uses:
        """The other way round."""
        return cls(frozenset(written[0]), *written[1:]) if written else NO_USES

    def without_reads(self) -> Uses:
        """The same of a node that runs in one place, or is shared, whatever it reads."""
        return Uses(changes=self.changes)


NO_USES = Uses()


def find_shared_objects(nodes: Sequence[tuple[str, Uses]]) -> dict[int, str]:
    """Nodes that read what another one may change, by their places in the list, and which one and where."""
    index = _Index(nodes)
    reasons: dict[int, str] = {}
    for reader, (_, uses) in enumerate(nodes):
        asked = [
            *((name, None) for name in sorted(uses.reads)),
            *((name, how) for name, (how, _) in uses.fills.items()),
        ]
        others = chain(
            (index.find_other(reader, name, how) for name, how in asked),
            (index.find_reader(reader, name, where) for name, where in uses.hands.items()),
        )
        if (other := next(filter(None, others), None)) is not None:
            reasons[reader] = f"it reads what {nodes[other[0]][0]} may change ({other[1]})"
    return reasons


class _Index:
    """Who changes what. Two of each are enough: one of them is not the reader."""

    def __init__(self, nodes: Sequence[tuple[str, Uses]]) -> None:
        self._changed: dict[str, list[Actor]] = {}
        self._in_module: dict[str, list[Actor]] = {}
        self._read: dict[str, list[Actor]] = {}
        self._filled: dict[str, dict[str, list[Actor]]] = {}
        for place, (_, uses) in enumerate(nodes):
            for name, where in uses.changes.items():
                _add(self._changed.setdefault(name, []), (place, where))
                _add(self._in_module.setdefault(name.partition(":")[0], []), (place, where))
            for name, (how, where) in uses.fills.items():
                ways = self._filled.setdefault(name, {})
                if how in ways or len(ways) < 2:
                    _add(ways.setdefault(how, []), (place, where))
            for name in uses.reads:
                _add(self._read.setdefault(name, []), (place, ""))

    def find_other(self, reader: int, name: str, how: str | None) -> Actor | None:
        """Who else changes it, or fills it in another way."""
        module, _, what = name.partition(":")
        actors = [*self._changed.get(f"{module}:{EVERYTHING}", ())]
        if what == EVERYTHING:
            actors += self._in_module.get(module, ())
        elif what != HELD:
            actors += self._changed.get(name, ())
            actors += [actor for way, fillers in self._filled.get(name, {}).items() if way != how for actor in fillers]
        return next((actor for actor in actors if actor[0] != reader), None)

    def find_reader(self, owner: int, name: str, where: str) -> Actor | None:
        """Who else reads it, or anything of its module."""
        everything = f"{name.partition(':')[0]}:{EVERYTHING}"
        readers = [*self._read.get(name, ()), *self._read.get(everything, ())]
        return next(((place, where) for place, _ in readers if place != owner), None)


def _add(actors: list[Actor], actor: Actor) -> None:
    if len(actors) < 2 and actor[0] not in [place for place, _ in actors]:
        actors.append(actor)


def list_modules(names: Iterable[str]) -> set[str]:
    """The modules of these."""
    return {name.partition(":")[0] for name in names}
