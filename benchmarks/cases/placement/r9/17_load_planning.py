# pure
"""Packs the parcels of one event into vans."""
from dataclasses import dataclass, field

from graphbus_core import GraphBusNode, subscribe

CAPACITY = {"bike": 60, "van": 800, "truck": 7500}


@dataclass
class Load:
    limit: int
    parcels: list[str] = field(default_factory=list)
    weight: int = 0

    def fits(self, weight: int) -> bool:
        return self.weight + weight <= self.limit

    def put(self, parcel: str, weight: int) -> None:
        self.parcels.append(parcel)
        self.weight += weight


def pack(parcels: dict[str, int], limit: int) -> tuple[list[Load], list[str]]:
    loads: list[Load] = []
    refused: list[str] = []
    for parcel, weight in sorted(parcels.items(), key=lambda item: (-item[1], item[0])):
        if weight > limit:
            refused.append(parcel)
            continue
        for load in loads:
            if load.fits(weight):
                break
        else:
            load = Load(limit)
            loads.append(load)
        load.put(parcel, weight)
    return loads, refused


class LoadPlanning(GraphBusNode):
    @subscribe("/Tour/Parcels")
    def on_parcels(self, tour: str, vehicle: str, parcels: dict[str, int]) -> dict[str, object]:
        limit = CAPACITY.get(vehicle)
        if limit is None:
            return {"tour": tour, "error": f"no vehicle {vehicle}"}
        loads, refused = pack(parcels, limit)
        return {
            "tour": tour,
            "loads": [load.parcels for load in loads],
            "fill": [round(load.weight / limit, 2) for load in loads],
            "refused": refused,
        }
