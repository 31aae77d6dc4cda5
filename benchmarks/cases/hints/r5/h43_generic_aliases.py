from dataclasses import dataclass
from typing import Annotated, Dict, List, Optional, Tuple, TypeVar, Union
from graphbus_core import GraphBusNode, subscribe

T = TypeVar("T")
S = TypeVar("S")
Pair = Tuple[T, T]
Either = Union[T, List[S]]
Maybe = Optional[T]
Doc = Annotated[T, "documented"]
Table = Dict[str, Either[S, T]]


@dataclass
class Use:
    pair: Pair[int]
    either: Either[str, int]
    maybe: Maybe[Pair[str]]
    doc: Doc[List[bool]]
    table: Table[int, str]


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Use) -> None: ...


GOOD = [
    {"pair": [1, 2], "either": "x", "maybe": None, "doc": [], "table": {}},
    {"pair": [1, 2], "either": [1, 2], "maybe": ["a", "b"], "doc": [True], "table": {"a": 1, "b": ["x"]}},
    {"pair": [0, 0], "either": [], "maybe": None, "doc": [False], "table": {"b": []}},
]
BAD = [
    {"pair": [1, "2"], "either": "x", "maybe": None, "doc": [], "table": {}},
    {"pair": [1, 2], "either": 5, "maybe": None, "doc": [], "table": {}},
    {"pair": [1, 2], "either": ["x"], "maybe": None, "doc": [], "table": {}},
    {"pair": [1, 2], "either": "x", "maybe": [1, 2], "doc": [], "table": {}},
    {"pair": [1, 2], "either": "x", "maybe": None, "doc": ["True"], "table": {}},
    {"pair": [1, 2], "either": "x", "maybe": None, "doc": [], "table": {"a": "x"}},
]
