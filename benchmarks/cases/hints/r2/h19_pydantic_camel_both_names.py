"""pydantic alias_generator=to_camel with populate_by_name in a shared base model's ConfigDict."""
from __future__ import annotations

from datetime import datetime

from pydantic import BaseModel, ConfigDict
from pydantic.alias_generators import to_camel

from graphbus_core import GraphBusNode, subscribe


class ApiModel(BaseModel):
    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True)


class Passenger(ApiModel):
    first_name: str
    seat_no: str | None = None


class CheckIn(ApiModel):
    flight_code: str
    boarded_at: datetime
    passengers: list[Passenger]


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on(self, payload: CheckIn) -> None:
        self.got = payload


GOOD = [
    {"flightCode": "LH1", "boardedAt": "2024-01-02T03:04:05Z", "passengers": [{"firstName": "Bo", "seatNo": "1A"}]},
    {"flight_code": "LH1", "boarded_at": "2024-01-02T03:04:05Z", "passengers": [{"first_name": "Bo"}]},
    {"flightCode": "LH1", "boarded_at": "2024-01-02T03:04:05Z", "passengers": []},
]
BAD = [
    {"flightcode": "LH1", "boardedAt": "2024-01-02T03:04:05Z", "passengers": []},
    {"flightCode": "LH1", "boardedAt": "this morning", "passengers": []},
    {"flightCode": "LH1", "boardedAt": "2024-01-02T03:04:05Z", "passengers": [{"seatNo": "1A"}]},
    {"FlightCode": "LH1", "boardedAt": "2024-01-02T03:04:05Z", "passengers": []},
]
