from typing import TypedDict

from graphbus_core import GraphBusNode, schema_method


class Scan(TypedDict):
    parcel: str
    received_at: str


class Depot(GraphBusNode):
    @schema_method
    def scan(self, parcel: str) -> Scan:
        return {"parcel": parcel, "received_at": "2026-05-01T08:00Z"}
