from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Callable


@dataclass(frozen=True)
class Item:
    name: str
    weight: int
    tags: tuple[str, ...] = ()


@dataclass(frozen=True)
class Hero:
    name: str
    power: int = 10
    bag: list[Item] = field(default_factory=list)

    def carrying(self) -> int:
        return sum(i.weight for i in self.bag)


ITEMS = {i.name: i for i in (Item("rope", 3, ("tool",)), Item("sword", 7, ("arms", "iron")), Item("lamp", 2, ("tool", "light")))}
TEMPLATE = Hero("nobody")
LISTENERS: list[Callable[[str], str]] = [str.strip]


def spawn(name: str, **changes: int) -> Hero:
    return replace(TEMPLATE, name=name, **changes)


def hear(text: str) -> str:
    for listener in LISTENERS:
        text = listener(text)
    return text
