from dataclasses import dataclass
from enum import Enum, IntEnum, StrEnum
from graphbus_core import GraphBusNode, subscribe


class Level(IntEnum):
    DEBUG = 10
    INFO = 20


class Target(StrEnum):
    LINUX = "linux"
    MAC = "mac"


class Outcome(str, Enum):
    PASS = "pass"
    FAIL = "fail"


@dataclass
class Log:
    level: Level
    text: str


@dataclass
class Build:
    number: int
    outcome: Outcome
    per_target: dict[Target, Outcome]
    logs: tuple[Log, ...] = ()


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Build) -> None: ...


GOOD = [
    {"number": 1, "outcome": "pass", "per_target": {}},
    {"number": 1, "outcome": "fail", "per_target": {"linux": "pass", "mac": "fail"}, "logs": [{"level": 10, "text": "x"}]},
    {"number": 1, "outcome": "fail", "per_target": {"mac": "fail"}, "logs": []},
]
BAD = [
    {"number": 1, "outcome": "PASS", "per_target": {}},
    {"number": 1, "outcome": "pass", "per_target": {"windows": "pass"}},
    {"number": 1, "outcome": "pass", "per_target": {"linux": "skipped"}},
    {"number": 1, "outcome": "pass", "per_target": {}, "logs": [{"level": 15, "text": "x"}]},
    {"number": 1, "outcome": "pass", "per_target": {}, "logs": [{"level": "INFO", "text": "x"}]},
    {"number": 1, "outcome": None, "per_target": {}},
]
