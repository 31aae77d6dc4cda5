from dataclasses import dataclass
from enum import Enum
from typing import Annotated, Literal, Optional, TypeAlias, Union

from graphbus_core import GraphBusNode, subscribe


class Plan(Enum):
    FREE = "free"
    PRO = "pro"
    CUSTOM = "custom"


Bit: TypeAlias = Literal[0, 1]
Switch: TypeAlias = "Literal[True, 'auto']"
Any4 = Literal[Bit, Literal["n/a", "skip"], None]


@dataclass
class Option:
    bit: Bit
    switch: Switch
    any4: Any4 = None


@dataclass
class PlanChanged:
    to: Literal[Plan.PRO, Plan.CUSTOM]
    option: Annotated[Optional[Annotated[Option, "inner"]], "outer"]
    frm: Union[Literal[Plan.FREE], Literal["unknown"], None] = Plan.FREE


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: "Annotated[PlanChanged, 'billing']") -> None: ...


GOOD = [
    {"to": "pro", "option": None},
    {"to": "custom", "option": {"bit": 1, "switch": True}, "frm": "free"},
    {"to": "custom", "option": {"bit": 0, "switch": "auto", "any4": "skip"}, "frm": "unknown"},
    {"to": "pro", "option": {"bit": 0, "switch": "auto", "any4": 1}, "frm": None},
]
BAD = [
    {"to": "free", "option": None},
    {"to": "pro", "option": {"bit": True, "switch": True}},
    {"to": "pro", "option": {"bit": 1, "switch": 1}},
    {"to": "pro", "option": {"bit": 1, "switch": True, "any4": False}},
    {"to": "pro", "option": None, "frm": "pro"},
    {"to": "pro"},
]
