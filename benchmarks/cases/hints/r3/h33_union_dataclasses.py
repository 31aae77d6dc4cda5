"""PEP 604 union of dataclasses without a tag, each told by its required fields."""
from dataclasses import dataclass

from graphbus_core import GraphBusNode, subscribe


@dataclass
class Cat:
    meows: int
    lives: int = 9


@dataclass
class Dog:
    barks: int
    friend: "Cat | Dog | None" = None


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Cat | Dog | None) -> None: ...


GOOD = [
    {"meows": 1},
    {"barks": 1},
    {"barks": 1, "friend": {"meows": 2, "lives": 8}},
    {"barks": 1, "friend": {"barks": 1, "friend": None}},
]
BAD = [
    {},
    {"lives": 9},
    {"meows": "1"},
    {"barks": 1, "friend": {"lives": 8}},
    {"barks": 1, "friend": []},
    {"meows": 1, "lives": None},
]
