"""Any/object take everything but must be there; Never may not be there."""
from typing import Any, Never, NoReturn, NotRequired, TypedDict

from graphbus_core import GraphBusNode, subscribe


class Loose(TypedDict):
    anything: Any
    thing: object
    gone: NotRequired[Never]
    past: NotRequired[NoReturn]
    bag: list[Any]
    none_yet: list[Never]


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Loose) -> None: ...


GOOD = [
    {"anything": None, "thing": None, "bag": [], "none_yet": []},
    {"anything": {"a": [1]}, "thing": "x", "bag": [1, "a", None, {}], "none_yet": []},
    {"anything": 1.5, "thing": [[]], "bag": [[True]], "none_yet": [], "more": 1},
]
BAD = [
    {"thing": 1, "bag": [], "none_yet": []},
    {"anything": 1, "bag": [], "none_yet": []},
    {"anything": 1, "thing": 1, "bag": [], "none_yet": [], "gone": 1},
    {"anything": 1, "thing": 1, "bag": [], "none_yet": [], "past": "x"},
    {"anything": 1, "thing": 1, "bag": {}, "none_yet": []},
    {"anything": 1, "thing": 1, "bag": [], "none_yet": [0]},
]
