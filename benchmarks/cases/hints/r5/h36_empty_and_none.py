from dataclasses import dataclass
from types import NoneType
from typing import Literal, Optional, Tuple, Union
from graphbus_core import GraphBusNode, subscribe


@dataclass
class Odd:
    nothing: None
    empty: tuple[()]
    also: Tuple[()]
    single: Union[int]
    nulls: list[None]
    lit: Literal[None, "x"]
    typ: Optional[NoneType] = None


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Odd) -> None: ...


GOOD = [
    {"nothing": None, "empty": [], "also": [], "single": 1, "nulls": [], "lit": None},
    {"nothing": None, "empty": [], "also": [], "single": 0, "nulls": [None, None], "lit": "x", "typ": None},
    {"nothing": None, "empty": [], "also": [], "single": -1, "nulls": [None], "lit": "x", "more": {}},
]
BAD = [
    {"empty": [], "also": [], "single": 1, "nulls": [], "lit": None},
    {"nothing": "", "empty": [], "also": [], "single": 1, "nulls": [], "lit": None},
    {"nothing": None, "empty": [None], "also": [], "single": 1, "nulls": [], "lit": None},
    {"nothing": None, "empty": [], "also": ["a"], "single": 1, "nulls": [], "lit": None},
    {"nothing": None, "empty": [], "also": [], "single": 1, "nulls": [None, 0], "lit": None},
    {"nothing": None, "empty": [], "also": [], "single": 1, "nulls": [], "lit": "None"},
]
