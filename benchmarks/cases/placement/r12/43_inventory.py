# pure
"""Folds the history that comes with the event into an inventory that is a new value after each step."""
from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from types import MappingProxyType
from typing import Literal, TypedDict

from graphbus_core import GraphBusNode, subscribe


class Change(TypedDict):
    kind: Literal["pick", "drop", "craft", "die"]
    item: str
    count: int


RECIPES: Mapping[str, Mapping[str, int]] = {
    "torch": {"stick": 1, "coal": 1},
    "axe": {"stick": 2, "iron": 3},
    "bread": {"wheat": 3},
}


class Bag(Mapping[str, int]):
    def __init__(self, items: Mapping[str, int] = MappingProxyType({})) -> None:
        self._items = {name: n for name, n in items.items() if n > 0}

    def __getitem__(self, name: str) -> int:
        return self._items[name]

    def __iter__(self):
        return iter(sorted(self._items))

    def __len__(self) -> int:
        return len(self._items)

    def __add__(self, more: Mapping[str, int]) -> Bag:
        return Bag({**self._items, **{k: self.get(k, 0) + n for k, n in more.items()}})

    def __sub__(self, less: Mapping[str, int]) -> Bag:
        return self + {k: -n for k, n in less.items()}

    def __ge__(self, other: Mapping[str, int]) -> bool:
        return all(self.get(k, 0) >= n for k, n in other.items())


def step(bag: Bag, change: Change) -> Bag:
    count = max(0, change.get("count", 1))
    match change:
        case {"kind": "pick", "item": item}:
            return bag + {item: count}
        case {"kind": "drop", "item": item}:
            return bag - {item: count}
        case {"kind": "craft", "item": item} if item in RECIPES and bag >= RECIPES[item]:
            return bag - RECIPES[item] + {item: 1}
        case {"kind": "die"}:
            return Bag()
        case _:
            return bag


class InventoryView(GraphBusNode):
    @subscribe("/Player/History")
    def on_history(self, player: str, history: list[Change]) -> dict[str, object]:
        bag = reduce(step, history, Bag())
        return {"player": player, "bag": dict(bag), "stacks": len(bag), "can_craft": [r for r in RECIPES if bag >= RECIPES[r]]}
