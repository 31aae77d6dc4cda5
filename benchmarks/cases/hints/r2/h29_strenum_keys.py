"""StrEnum with auto(): as a value and as the key of a dict."""
from enum import StrEnum, auto
from dataclasses import dataclass

from graphbus_core import GraphBusNode, subscribe


class Stage(StrEnum):
    BUILD = auto()
    UNIT_TEST = auto()
    DEPLOY = "ship"


@dataclass
class Pipeline:
    current: Stage
    seconds: dict[Stage, float]
    skip: frozenset[Stage] = frozenset()


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on(self, payload: Pipeline) -> None:
        self.got = payload


GOOD = [
    {"current": "build", "seconds": {}},
    {"current": "ship", "seconds": {"build": 3, "unit_test": 4.5}, "skip": ["ship"]},
]
BAD = [
    {"current": "BUILD", "seconds": {}},
    {"current": "deploy", "seconds": {}},
    {"current": "build", "seconds": {"lint": 1}},
    {"current": "build", "seconds": {"unit_test": "long"}},
    {"current": "build", "seconds": {}, "skip": ["DEPLOY"]},
]
