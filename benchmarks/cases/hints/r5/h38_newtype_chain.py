from dataclasses import dataclass
from typing import Annotated, NewType, TypedDict
from graphbus_core import GraphBusNode, subscribe


class RawUser(TypedDict):
    name: str


UserId = NewType("UserId", int)
AdminId = NewType("AdminId", UserId)
Checked = NewType("Checked", RawUser)


@dataclass
class Grant:
    by: AdminId
    to: list[UserId]
    names: dict[str, Annotated[AdminId, "boss"]]
    who: Checked


Event = NewType("Event", Grant)


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Event) -> None: ...


GOOD = [
    {"by": 1, "to": [], "names": {}, "who": {"name": "n"}},
    {"by": 1, "to": [2, 3], "names": {"a": 1}, "who": {"name": "n", "age": 3}},
    {"by": 0, "to": [0], "names": {"": 0}, "who": {"name": ""}},
]
BAD = [
    {"by": "1", "to": [], "names": {}, "who": {"name": "n"}},
    {"by": 1, "to": [2, None], "names": {}, "who": {"name": "n"}},
    {"by": 1, "to": [], "names": {"a": "b"}, "who": {"name": "n"}},
    {"by": 1, "to": [], "names": {}, "who": {}},
    {"by": 1, "to": [], "names": {}, "who": "n"},
]
