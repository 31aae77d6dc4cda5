"""Old attr.s classes whose types are given by attr.ib(type=...), with a subclass."""
import attr
from typing import List, Optional

from graphbus_core import GraphBusNode, subscribe


@attr.s
class Device(object):
    serial = attr.ib(type=str)
    firmware = attr.ib(type=Optional[str], default=None)


@attr.s(slots=True)
class Sensor(Device):
    channels = attr.ib(type=List[int], factory=list)
    offset = attr.ib(default=0.0, type=float)


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on(self, payload: Sensor) -> None:
        self.got = payload


GOOD = [
    {"serial": "S-1"},
    {"serial": "S-1", "firmware": "2.1", "channels": [1, 2], "offset": -1},
    {"serial": "S-1", "firmware": None},
]
BAD = [
    {"firmware": "2.1"},
    {"serial": 1},
    {"serial": "S-1", "channels": [1.5]},
    {"serial": "S-1", "channels": None},
    {"serial": "S-1", "offset": "low"},
]
