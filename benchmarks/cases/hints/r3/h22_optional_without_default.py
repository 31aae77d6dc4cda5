"""Optional is not the same as having a default."""
from dataclasses import dataclass
from typing import Optional, Union

from graphbus_core import GraphBusNode, subscribe


@dataclass
class Reading:
    celsius: Optional[float]
    source: Union[str, None]
    nil: None
    battery: int | None = 100


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Reading | None) -> None: ...


GOOD = [
    {"celsius": None, "source": None, "nil": None},
    {"celsius": 3, "source": "s", "nil": None, "battery": None},
    {"celsius": -3.25, "source": "", "nil": None, "battery": 7},
]
BAD = [
    {"source": None, "nil": None},
    {"celsius": None, "nil": None},
    {"celsius": None, "source": None},
    {"celsius": None, "source": None, "nil": 0},
    {"celsius": "3", "source": None, "nil": None},
    {"celsius": None, "source": None, "nil": None, "battery": False},
]
