# pure
"""Compares the animals of one event with a class hierarchy fixed at loading."""
from itertools import combinations

from graphbus_core import GraphBusNode, subscribe


class Animal:
    kinds: dict[str, type["Animal"]] = {}
    space = 50
    eats: frozenset[str] = frozenset()

    def __init_subclass__(cls) -> None:
        Animal.kinds[cls.__name__.lower()] = cls

    @classmethod
    def threatens(cls, other: type["Animal"]) -> bool:
        return bool(cls.eats & {base.__name__ for base in other.__mro__})


class Heron(Animal):
    eats = frozenset({"Fish"})


class Ibex(Animal):
    space = 400


class Otter(Animal):
    space = 120
    eats = frozenset({"Fish"})


class Predator(Animal):
    space = 600
    eats = frozenset({"Ibex", "Heron"})


class Lynx(Predator):
    pass


class Bear(Predator):
    space = 1000
    eats = Predator.eats | {"Otter"}


class Moves(GraphBusNode):
    @subscribe("/Move")
    def on_move(self, animals: list[str], area: int) -> dict[str, object]:
        kinds = [Animal.kinds[name] for name in animals]
        conflicts = [
            f"{a.__name__} / {b.__name__}"
            for a, b in combinations(kinds, 2)
            if a.threatens(b) or b.threatens(a)
        ]
        needed = sum(kind.space for kind in kinds)
        return {"conflicts": conflicts, "needed": needed, "fits": needed <= area and not conflicts}
