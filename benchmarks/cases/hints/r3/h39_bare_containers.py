"""Containers without parameters: shape yes, contents free."""
import typing
from dataclasses import dataclass
from typing import Dict, List, Mapping, Sequence, Tuple

from graphbus_core import GraphBusNode, subscribe


@dataclass
class Bare:
    a: list
    b: dict
    c: tuple
    d: List
    e: Dict
    f: Tuple
    g: Mapping
    h: Sequence
    i: typing.Optional[dict] = None


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Bare) -> None: ...


GOOD = [
    {"a": [], "b": {}, "c": [], "d": [], "e": {}, "f": [], "g": {}, "h": []},
    {"a": [1, "x", None], "b": {"k": [1]}, "c": [{}], "d": [[]], "e": {"k": None}, "f": [1, 2, 3], "g": {"k": 1}, "h": [True], "i": {}},
    {"a": [], "b": {}, "c": [], "d": [], "e": {}, "f": [], "g": {}, "h": [], "i": None},
]
BAD = [
    {"a": {}, "b": {}, "c": [], "d": [], "e": {}, "f": [], "g": {}, "h": []},
    {"a": [], "b": [], "c": [], "d": [], "e": {}, "f": [], "g": {}, "h": []},
    {"a": [], "b": {}, "c": 1, "d": [], "e": {}, "f": [], "g": {}, "h": []},
    {"a": [], "b": {}, "c": [], "d": [], "e": {}, "f": [], "g": None, "h": []},
    {"a": [], "b": {}, "c": [], "d": [], "e": {}, "f": [], "g": {}, "h": 5},
    {"a": [], "b": {}, "c": [], "d": [], "e": {}, "f": [], "g": {}, "h": [], "i": []},
]
