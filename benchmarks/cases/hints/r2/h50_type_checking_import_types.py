from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass
class Shipment:
    carrier: Literal["dhl", "ups"]
    parcels: list[Parcel]


@dataclass
class Parcel:
    kg: float
