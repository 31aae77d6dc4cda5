"""Constraints by Annotated[..., Field] on a standard dataclass and a TypedDict."""
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Annotated, Optional

from pydantic import Field
from typing_extensions import NotRequired, TypedDict

from graphbus_core import GraphBusNode, subscribe

Percent = Annotated[int, Field(ge=0, le=100)]
Short = Annotated[str, Field(min_length=1, max_length=5)]


class Limits(TypedDict):
    load: Percent
    name: NotRequired[Short]
    cost: NotRequired[Annotated[Decimal, Field(gt=0, max_digits=4, decimal_places=2)]]


@dataclass
class Report:
    limits: Annotated[list[Limits], Field(max_length=2)]
    by_day: dict[Annotated[str, Field(pattern=r"^(mon|tue)$")], Percent] = field(default_factory=dict)
    top: Optional[Percent] = None


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Report) -> None: ...


GOOD = [
    {"limits": []},
    {"limits": [{"load": 0}, {"load": 100, "name": "abcde", "cost": "12.34"}], "by_day": {"mon": 5}},
    {"limits": [{"load": 50, "name": "a"}], "by_day": {}, "top": None},
    {"limits": [], "by_day": {"tue": 100, "mon": 0}, "top": 7},
]
BAD = [
    {"limits": [{"load": 101}]},
    {"limits": [{"load": 1, "name": "abcdef"}]},
    {"limits": [{"load": 1}, {"load": 1}, {"load": 1}]},
    {"limits": [], "by_day": {"sun": 1}},
    {"limits": [], "top": -1},
    {"limits": [{"load": 1, "cost": "0"}]},
]
