from ipaddress import IPv4Address
from typing import Optional

from pydantic import AnyHttpUrl, BaseModel, Field, NonNegativeInt, PositiveInt, StrictBool, StrictInt, conlist, constr

from graphbus_core import GraphBusNode, subscribe


class Interface(BaseModel):
    name: constr(min_length=1, max_length=8)
    address: Optional[IPv4Address] = None
    mtu: PositiveInt = 1500
    up: StrictBool


class NetworkDevice(BaseModel):
    asset: StrictInt
    management: AnyHttpUrl
    interfaces: conlist(Interface, min_length=1, max_length=2)
    uptime: NonNegativeInt = Field(default=0, lt=10_000)


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: NetworkDevice) -> None: ...


GOOD = [
    {"asset": 1, "management": "https://sw1.example.org/", "interfaces": [{"name": "eth0", "up": True}]},
    {"asset": 1, "management": "http://10.0.0.1:8080/ui", "uptime": 9999,
     "interfaces": [{"name": "eth0", "up": False, "address": "10.0.0.1", "mtu": 9000}, {"name": "eth1", "up": True}]},
    {"asset": 1, "management": "https://sw1.example.org/", "uptime": 0,
     "interfaces": [{"name": "eth0", "up": True, "address": None}]},
]
BAD = [
    {"asset": "1", "management": "https://sw1.example.org/", "interfaces": [{"name": "eth0", "up": True}]},
    {"asset": True, "management": "https://sw1.example.org/", "interfaces": [{"name": "eth0", "up": True}]},
    {"asset": 1, "management": "ftp://sw1.example.org/", "interfaces": [{"name": "eth0", "up": True}]},
    {"asset": 1, "management": "https://sw1.example.org/", "interfaces": [{"name": "eth0", "up": "true"}]},
    {"asset": 1, "management": "https://sw1.example.org/",
     "interfaces": [{"name": "eth0", "up": True, "address": "10.0.0.256"}]},
    {"asset": 1, "management": "https://sw1.example.org/", "interfaces": [{"name": "e", "up": True, "mtu": 0}]},
]
