"""`type X = ...` as it is written before 3.12: plain, generic, recursive, of the payload."""
from dataclasses import dataclass
from typing import TypeVar, Union

from typing_extensions import TypeAliasType

from graphbus_core import GraphBusNode, subscribe

T = TypeVar("T")

Grid = TypeAliasType("Grid", list[list[T]], type_params=(T,))
Nested = TypeAliasType("Nested", Union[int, list["Nested"]])
Named = TypeAliasType("Named", "dict[str, Later]")


@dataclass
class Board:
    cells: Grid[bool]
    depth: Nested
    named: Named


@dataclass
class Later:
    n: int


Event = TypeAliasType("Event", Board)


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Event) -> None: ...


GOOD = [
    {"cells": [], "depth": 1, "named": {}},
    {"cells": [[True], []], "depth": [1, [2, [3, []]]], "named": {"a": {"n": 1}}},
    {"cells": [[]], "depth": [], "named": {"a": {"n": 1}, "b": {"n": 2}}},
]
BAD = [
    {"cells": [[1]], "depth": 1, "named": {}},
    {"cells": [True], "depth": 1, "named": {}},
    {"cells": [], "depth": "1", "named": {}},
    {"cells": [], "depth": [1, [2, ["3"]]], "named": {}},
    {"cells": [], "depth": 1, "named": {"a": {}}},
    {"cells": [], "depth": 1, "named": {"a": {"n": None}}},
]
