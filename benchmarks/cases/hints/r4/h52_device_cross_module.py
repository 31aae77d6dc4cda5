import dataclasses
import typing

from graphbus_core import GraphBusNode, subscribe

import h52_device_types as dev


class Ident:  # another class of the same name as one in the other module
    pass


class Moment:
    pass


class FullStatus(dev.Status, total=False):
    battery: float | None


@dataclasses.dataclass
class DeviceSeen(dev.Base[FullStatus]):
    hops: int = 0


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: "typing.Optional[DeviceSeen]") -> None: ...


GOOD = [
    {"device": {"vendor": "v", "serial": 1}, "state": {"link": "wifi", "seen": "2024-05-01T10:00:00+00:00"}},
    {"device": {"vendor": "v", "serial": 1, "tags": ["a"]}, "hops": 2,
     "state": {"link": "lte", "seen": "2024-05-01T10:00:00+00:00", "battery": 80,
               "errors": [{"code": 1}, {"code": 2, "text": "x"}]}},
    {"device": {"vendor": "v", "serial": 1}, "state": {"link": "lte", "seen": "2024-05-01T10:00:00Z",
                                                       "battery": None},
     "parent": {"device": {"vendor": "v", "serial": 2},
                "state": {"link": "wifi", "seen": "2024-05-01T10:00:00+00:00"}, "parent": None}},
]
BAD = [
    {"device": {"vendor": "v", "serial": 1}, "state": {"link": "wifi", "seen": "today"}},
    {"device": {"vendor": "v"}, "state": {"link": "wifi", "seen": "2024-05-01T10:00:00+00:00"}},
    {"device": {"vendor": "v", "serial": 1},
     "state": {"link": "bluetooth", "seen": "2024-05-01T10:00:00+00:00"}},
    {"device": {"vendor": "v", "serial": 1},
     "state": {"link": "lte", "seen": "2024-05-01T10:00:00+00:00", "errors": [{"text": "x"}]}},
    {"device": {"vendor": "v", "serial": 1},
     "state": {"link": "lte", "seen": "2024-05-01T10:00:00+00:00", "battery": "80"}},
    {"device": {"vendor": "v", "serial": 1}, "state": {"link": "lte", "seen": "2024-05-01T10:00:00+00:00"},
     "parent": {"device": {"vendor": "v", "serial": 2}}},
]
