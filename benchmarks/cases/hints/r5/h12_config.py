from dataclasses import dataclass, field
from typing import ClassVar, Optional
from graphbus_core import GraphBusNode, subscribe


@dataclass
class Base:
    version: int
    name: str
    LIMIT: ClassVar[int] = 10


@dataclass
class Server(Base):
    host: str
    port: int = 80


@dataclass
class Config(Server):
    port: Optional[int] = None
    upstream: Optional[Server] = None
    flags: dict[str, bool] = field(default_factory=dict)


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Config) -> None: ...


GOOD = [
    {"version": 1, "name": "n", "host": "h"},
    {"version": 1, "name": "n", "host": "h", "port": None, "upstream": {"version": 1, "name": "u", "host": "h2"}},
    {"version": 1, "name": "n", "host": "h", "port": 1, "upstream": None, "flags": {"x": True}},
]
BAD = [
    {"version": 1, "name": "n"},
    {"name": "n", "host": "h"},
    {"version": 1, "name": "n", "host": "h", "port": "80"},
    {"version": 1, "name": "n", "host": "h", "upstream": {"version": 1, "name": "u", "host": "h2", "port": None}},
    {"version": 1, "name": "n", "host": "h", "flags": {"x": 0}},
    {"version": 1, "name": "n", "host": "h", "upstream": {"version": 1, "name": "u"}},
]
