"""Final fields, LiteralString, Text, paths, addresses, types by types.GenericAlias."""
import types
from dataclasses import dataclass
from ipaddress import IPv4Address
from pathlib import Path
from typing import Final, LiteralString, Text

from graphbus_core import GraphBusNode, subscribe

IntList = types.GenericAlias(list, (int,))
MaybeText = Text | types.NoneType


@dataclass(order=True, eq=True, unsafe_hash=False, match_args=False)
class Host:
    name: Final[LiteralString]
    addr: IPv4Address
    home: Path
    ports: IntList  # type: ignore[valid-type]
    note: MaybeText = None
    ttl: Final[int] = 60


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Host) -> None: ...


GOOD = [
    {"name": "n", "addr": "10.0.0.1", "home": "/home/n", "ports": []},
    {"name": "n", "addr": "255.255.255.255", "home": "rel/dir", "ports": [22, 80], "note": "x", "ttl": 5},
    {"name": "", "addr": "0.0.0.0", "home": "/", "ports": [1], "note": None},
]
BAD = [
    {"name": 5, "addr": "10.0.0.1", "home": "/home/n", "ports": []},
    {"name": "n", "addr": "10.0.0.999", "home": "/home/n", "ports": []},
    {"name": "n", "addr": "10.0.0.1", "home": 7, "ports": []},
    {"name": "n", "addr": "10.0.0.1", "home": "/home/n", "ports": ["22"]},
    {"name": "n", "addr": "10.0.0.1", "home": "/home/n", "ports": [], "note": 1},
    {"name": "n", "addr": "10.0.0.1", "home": "/home/n", "ports": [], "ttl": "60"},
]
