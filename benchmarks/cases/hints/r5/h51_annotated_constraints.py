from dataclasses import dataclass
from typing import Annotated, Optional
from annotated_types import Ge, Gt, Interval, Len, Lt, MaxLen, MinLen
from pydantic import Field
from graphbus_core import GraphBusNode, subscribe

Pos = Annotated[int, Gt(0)]


@dataclass
class Limits:
    small: Annotated[Pos, Lt(10)]
    ratio: Annotated[float, Interval(ge=0, le=1)]
    names: Annotated[list[Annotated[str, MinLen(1)]], MaxLen(2)]
    code: Annotated[str, Len(3, 3)] = "abc"
    maybe: Optional[Annotated[int, Ge(5)]] = None
    pat: Annotated[str, Field(pattern="^x+$")] = "x"


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Limits) -> None: ...


GOOD = [
    {"small": 1, "ratio": 0, "names": []},
    {"small": 9, "ratio": 1, "names": ["a", "b"], "code": "xyz", "maybe": 5, "pat": "xx"},
    {"small": 5, "ratio": 0.5, "names": ["a"], "maybe": None},
]
BAD = [
    {"small": 10, "ratio": 0, "names": []},
    {"small": 0, "ratio": 0, "names": []},
    {"small": 1, "ratio": 1.5, "names": []},
    {"small": 1, "ratio": 0, "names": ["a", ""]},
    {"small": 1, "ratio": 0, "names": ["a", "b", "c"]},
    {"small": 1, "ratio": 0, "names": [], "maybe": 4},
]
