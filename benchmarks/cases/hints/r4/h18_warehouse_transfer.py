from dataclasses import KW_ONLY, dataclass, field
from datetime import date
from typing import Literal
from uuid import UUID

from graphbus_core import GraphBusNode, subscribe


@dataclass(kw_only=True)
class Timestamped:
    created: date
    updated: date | None = None


@dataclass(kw_only=True)
class Pallet(Timestamped):
    weight_kg: float
    contents: dict[str, int]


@dataclass
class Transfer:
    id: UUID
    _: KW_ONLY
    origin: Literal["BER", "OSL"] = "BER"
    target: Literal["BER", "OSL"]
    pallets: list[Pallet] = field(default_factory=list)


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Transfer) -> None: ...


GOOD = [
    {"id": "5d0cfd0e-4b0f-4f0a-8f5f-0d1c2b3a4e5f", "target": "OSL"},
    {"id": "5d0cfd0e-4b0f-4f0a-8f5f-0d1c2b3a4e5f", "target": "OSL", "origin": "BER",
     "pallets": [{"created": "2024-01-01", "weight_kg": 300, "contents": {"A": 10}}]},
    {"id": "5d0cfd0e-4b0f-4f0a-8f5f-0d1c2b3a4e5f", "target": "BER", "origin": "OSL",
     "pallets": [{"created": "2024-01-01", "updated": "2024-01-02", "weight_kg": 0.5, "contents": {}}]},
]
BAD = [
    {"id": "5d0cfd0e-4b0f-4f0a-8f5f-0d1c2b3a4e5f"},
    {"id": "5d0cfd0e-4b0f-4f0a-8f5f-0d1c2b3a4e5f", "origin": "MUC", "target": "OSL"},
    {"id": "5d0cfd0e-4b0f-4f0a-8f5f-0d1c2b3a4e5f", "target": "OSL",
     "pallets": [{"weight_kg": 300, "contents": {}}]},
    {"id": "5d0cfd0e-4b0f-4f0a-8f5f-0d1c2b3a4e5f", "target": "OSL",
     "pallets": [{"created": "2024-01-01", "weight_kg": 300, "contents": {"A": None}}]},
    {"target": "OSL"},
]
