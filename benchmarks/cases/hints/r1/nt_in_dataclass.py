"""A NamedTuple inside a dataclass, and a union of it with None."""

from dataclasses import dataclass
from typing import NamedTuple, Optional

from graphbus_core import GraphBusNode, subscribe


class Version(NamedTuple):
    major: int
    minor: int
    label: str


@dataclass
class Upgrade:
    package: str
    to: Version
    since: Optional[Version] = None


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on(self, payload: Upgrade) -> None:
        self.upgrade = payload


GOOD = [
    {"package": "core", "to": [1, 2, "rc"]},
    {"package": "core", "to": [0, 0, ""], "since": None},
    {"package": "", "to": [1, 2, ""], "since": [1, 1, ""]},
]
BAD = [
    {"package": "core", "to": "1.2rc"},
    {"package": "core", "to": [1, 2]},
    {"package": "core", "to": [1, 2, "rc"], "since": [1, None, ""]},
    {"package": "core", "to": None},
    {"package": "core", "since": [1, 1, ""]},
]
