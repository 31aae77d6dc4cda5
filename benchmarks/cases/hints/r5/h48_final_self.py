from dataclasses import dataclass, field
from typing import Final, Optional, Self, TypedDict
from graphbus_core import GraphBusNode, subscribe


@dataclass
class Node_:
    value: Final[int]
    next: Self | None = None
    many: list[Self] = field(default_factory=list)
    named: "dict[str, Optional[Self]]" = field(default_factory=dict)


@dataclass
class Wide(Node_):
    width: float = 1.0


class Holder(TypedDict):
    wide: Wide
    label: str


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Holder) -> None: ...


GOOD = [
    {"wide": {"value": 1}, "label": "l"},
    {"wide": {"value": 1, "width": 2, "next": {"value": 2, "next": {"value": 3, "width": 0.5}}}, "label": "l"},
    {"wide": {"value": 1, "many": [{"value": 2}], "named": {"a": None, "b": {"value": 4}}, "next": None}, "label": ""},
]
BAD = [
    {"wide": {"value": None}, "label": "l"},
    {"wide": {"value": 1, "next": {}}, "label": "l"},
    {"wide": {"value": 1, "next": {"value": 2, "width": "wide"}}, "label": "l"},
    {"wide": {"value": 1, "many": [{"value": "2"}]}, "label": "l"},
    {"wide": {"value": 1, "named": {"a": {"next": None}}}, "label": "l"},
    {"wide": {"value": 1, "many": None}, "label": "l"},
]
