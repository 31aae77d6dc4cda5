"""Aliases with free type variables, given their arguments where used."""
from typing import Annotated, Dict, List, Optional, Tuple, TypeVar, Union

from graphbus_core import GraphBusNode, subscribe

T = TypeVar("T")
U = TypeVar("U")

Twice = Tuple[T, T]
Maybe = Optional[T]
Either = Union[List[T], U]
Noted = Annotated[List[T], "noted"]
Table = Dict[str, Either[Twice[T], Maybe[U]]]


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Table[int, Noted[bool]]) -> None: ...


# dict[str, list[tuple[int, int]] | list[bool] | None]
GOOD = [
    {},
    {"a": [], "b": None},
    {"a": [[1, 2], [3, 4]], "b": [True, False]},
    {"a": [[0, 0]]},
]
BAD = [
    {"a": 1},
    {"a": [[1]]},
    {"a": [[1, "2"]]},
    {"a": [1, 2]},
    {"a": [True, [1, 2]]},
    {"a": [None]},
]
