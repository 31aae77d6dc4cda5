from dataclasses import dataclass
from datetime import date
from enum import Enum
from typing import Literal, Mapping, NewType, TypedDict, Union
from uuid import UUID
from graphbus_core import GraphBusNode, subscribe

Sku = NewType("Sku", str)


class Zone(Enum):
    EU = "eu"
    US = "us"


@dataclass
class Stock:
    per_day: dict[date, int]
    per_zone: Mapping[Zone, float]
    per_sku: dict[Sku, dict[Literal["min", "max"], int]]
    owners: dict[UUID, Union[str, None]]


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Stock) -> None: ...


GOOD = [
    {"per_day": {}, "per_zone": {}, "per_sku": {}, "owners": {}},
    {"per_day": {"2024-01-01": 3}, "per_zone": {"eu": 1, "us": 0.5}, "per_sku": {"a": {"min": 1}}, "owners": {"12345678-1234-5678-1234-567812345678": None}},
    {"per_day": {"2024-01-01": 3, "2024-01-02": 0}, "per_zone": {"us": 2}, "per_sku": {"a": {"min": 1, "max": 2}, "b": {}}, "owners": {"12345678-1234-5678-1234-567812345678": "o"}},
]
BAD = [
    {"per_day": {"someday": 3}, "per_zone": {}, "per_sku": {}, "owners": {}},
    {"per_day": {}, "per_zone": {"EU": 1}, "per_sku": {}, "owners": {}},
    {"per_day": {}, "per_zone": {}, "per_sku": {"a": {"avg": 1}}, "owners": {}},
    {"per_day": {}, "per_zone": {}, "per_sku": {}, "owners": {"me": "o"}},
    {"per_day": {"2024-01-01": None}, "per_zone": {}, "per_sku": {}, "owners": {}},
    {"per_day": {}, "per_zone": {}, "per_sku": {"a": 1}, "owners": {}},
]
