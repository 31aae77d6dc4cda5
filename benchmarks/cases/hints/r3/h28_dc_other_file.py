"""Module alias, generic dataclass of another file given a type of this file."""
from __future__ import annotations

from dataclasses import dataclass

import h28_dc_other_file_types as wire

from graphbus_core import GraphBusNode, subscribe


@dataclass
class Header:
    """Not the Header of the other file."""

    size: int


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: wire.Message[Header]) -> None: ...


GOOD = [
    {"header": {"key": "12345678-1234-5678-1234-567812345678"}, "payload": {"size": 1}},
    {"header": {"key": "12345678-1234-5678-1234-567812345678", "state": "off"}, "payload": {"size": 1}, "previous": None},
    {
        "header": {"key": "12345678-1234-5678-1234-567812345678"},
        "payload": {"size": 1},
        "previous": {"header": {"key": "12345678-1234-5678-1234-567812345678"}, "payload": {"size": 0}},
    },
]
BAD = [
    {"header": {"size": 1}, "payload": {"size": 1}},
    {"header": {"key": "12345678-1234-5678-1234-567812345678"}, "payload": {"key": "12345678-1234-5678-1234-567812345678"}},
    {"header": {"key": "12345678-1234-5678-1234-567812345678", "state": "ON"}, "payload": {"size": 1}},
    {"header": {"key": "nope"}, "payload": {"size": 1}},
    {
        "header": {"key": "12345678-1234-5678-1234-567812345678"},
        "payload": {"size": 1},
        "previous": {"header": {"key": "12345678-1234-5678-1234-567812345678"}, "payload": {"size": "0"}},
    },
]
