"""A list of a constrained TypeVar's generic class, each with another of the constraints."""
from dataclasses import dataclass
from typing import Generic, TypeVar

from graphbus_core import GraphBusNode, subscribe

Value = TypeVar("Value", int, str)


@dataclass
class Setting(Generic[Value]):
    name: str
    value: Value
    choices: list[Value]


@dataclass
class Settings:
    numbers: list[Setting[int]]
    texts: list[Setting[str]]


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on(self, payload: Settings) -> None:
        self.got = payload


GOOD = [
    {"numbers": [], "texts": []},
    {"numbers": [{"name": "n", "value": 1, "choices": [1, 2]}], "texts": [{"name": "t", "value": "a", "choices": []}]},
]
BAD = [
    {"numbers": [{"name": "n", "value": "a", "choices": []}], "texts": []},
    {"numbers": [], "texts": [{"name": "t", "value": "a", "choices": [1]}]},
    {"numbers": [{"name": "n", "value": 1, "choices": ["a"]}], "texts": []},
    {"numbers": [], "texts": [{"name": "t", "value": None, "choices": []}]},
    {"numbers": []},
]
