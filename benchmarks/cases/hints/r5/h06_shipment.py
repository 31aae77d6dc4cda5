from dataclasses import dataclass
from typing import Literal, Union
from graphbus_core import GraphBusNode, subscribe


@dataclass
class Parcel:
    kind: Literal["parcel"]
    weight_kg: float


@dataclass
class Pallet:
    kind: Literal["pallet"]
    boxes: int
    stackable: bool


@dataclass
class Shipment:
    tracking: str
    unit: Union[Parcel, Pallet]
    others: list[Union[Parcel, Pallet]]


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Shipment) -> None: ...


GOOD = [
    {"tracking": "t", "unit": {"kind": "parcel", "weight_kg": 1}, "others": []},
    {"tracking": "t", "unit": {"kind": "pallet", "boxes": 4, "stackable": False}, "others": [{"kind": "parcel", "weight_kg": 0.5}]},
    {"tracking": "t", "unit": {"kind": "parcel", "weight_kg": 1.5, "boxes": "n/a"}, "others": []},
]
BAD = [
    {"tracking": "t", "unit": {"kind": "pallet", "weight_kg": 1}, "others": []},
    {"tracking": "t", "unit": {"kind": "crate", "weight_kg": 1}, "others": []},
    {"tracking": "t", "unit": {"weight_kg": 1}, "others": []},
    {"tracking": "t", "unit": {"kind": "pallet", "boxes": 4, "stackable": 1}, "others": []},
    {"tracking": "t", "unit": {"kind": "parcel", "weight_kg": 1}, "others": [{"kind": "parcel", "weight_kg": 1}, {"kind": "pallet"}]},
]
