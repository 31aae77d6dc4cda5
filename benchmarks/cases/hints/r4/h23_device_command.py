from dataclasses import dataclass
from typing import Final, Literal, Union

from graphbus_core import GraphBusNode, subscribe


@dataclass
class SetRelay:
    op: Literal["relay"]
    channel: Literal[1, 2, 3, 4]
    on: bool


@dataclass
class SetLevel:
    op: Literal["level"]
    channel: Literal[1, 2]
    level: Union[int, Literal["max", "off"]]


@dataclass
class Batch:
    op: Literal["batch"]
    steps: "list[Union[SetRelay, SetLevel, Batch]]"
    dry_run: Literal[True] | None = None
    version: Final[int] = 1


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Union[SetRelay, SetLevel, Batch]) -> None: ...


GOOD = [
    {"op": "relay", "channel": 4, "on": False},
    {"op": "level", "channel": 1, "level": "max"},
    {"op": "batch", "steps": [{"op": "relay", "channel": 1, "on": True}, {"op": "batch", "steps": []}]},
    {"op": "batch", "steps": [{"op": "level", "channel": 2, "level": 40}], "dry_run": True},
    {"op": "batch", "steps": [], "dry_run": None, "version": 2},
]
BAD = [
    {"op": "level", "channel": 4, "level": 40},
    {"op": "relay", "channel": 1, "on": 1},
    {"op": "relay", "channel": True, "on": True},
    {"op": "batch", "steps": [{"op": "batch", "steps": [{"op": "relay", "channel": 9, "on": True}]}]},
    {"op": "batch", "steps": [], "dry_run": False},
    {"op": "level", "channel": 1, "level": "half"},
]
