"""Dicts whose keys are texts of a kind: date, UUID and an Enum mixed with str."""
import datetime as dt
import enum
import uuid
from dataclasses import dataclass

from graphbus_core import GraphBusNode, subscribe


class Unit(str, enum.Enum):
    KWH = "kWh"
    M3 = "m3"


@dataclass
class Meter:
    daily: dict[dt.date, float]
    owners: dict[uuid.UUID, str]
    totals: dict[Unit, dict[dt.date, int]]


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on(self, payload: Meter) -> None:
        self.got = payload


GOOD = [
    {"daily": {}, "owners": {}, "totals": {}},
    {
        "daily": {"2024-02-29": 1.5, "2024-03-01": 2},
        "owners": {"0b8f7a52-5d5c-4b13-8d6e-8a1d6f0c1c11": "Ola"},
        "totals": {"kWh": {"2024-02-29": 4}},
    },
]
BAD = [
    {"daily": {"leap day": 1.5}, "owners": {}, "totals": {}},
    {"daily": {"2023-02-29": 1.5}, "owners": {}, "totals": {}},
    {"daily": {}, "owners": {"Ola": "Ola"}, "totals": {}},
    {"daily": {}, "owners": {}, "totals": {"KWH": {}}},
    {"daily": {}, "owners": {}, "totals": {"m3": {"2024-02-29": 0.5}}},
]
