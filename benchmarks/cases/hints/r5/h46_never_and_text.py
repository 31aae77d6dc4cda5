from typing import Annotated, Any, Literal, LiteralString, Never, NotRequired, TypedDict, Union
from graphbus_core import GraphBusNode, subscribe


class Ok(TypedDict):
    ok: Literal[True]
    value: Any
    error: NotRequired[Never]


class Err(TypedDict):
    ok: Literal[False]
    error: Annotated[LiteralString, "shown"]
    nothing: list[Never]


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Union[Ok, Err]) -> None: ...


GOOD = [
    {"ok": True, "value": None},
    {"ok": True, "value": {"x": [1]}},
    {"ok": False, "error": "bad", "nothing": []},
]
BAD = [
    {"ok": True, "value": 1, "error": "x"},
    {"ok": True, "value": 1, "error": None},
    {"ok": True},
    {"ok": False, "error": 5, "nothing": []},
    {"ok": False, "error": "bad", "nothing": [1]},
    {"ok": None, "value": 1},
]
