"""Aliases: the payload speaks the names of the wire, not those of the class."""

from pydantic import BaseModel, Field

from graphbus_core import GraphBusNode, subscribe


class Shipment(BaseModel):
    shipment_id: str = Field(alias="shipmentId")
    from_: str = Field(validation_alias="from")
    weight: float = Field(default=0.0, alias="weightKg", serialization_alias="weight_kg")


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on(self, payload: Shipment) -> None:
        self.shipment = payload


GOOD = [
    {"shipmentId": "S1", "from": "Bern"},
    {"shipmentId": "S1", "from": "", "weightKg": 2},
    {"shipmentId": "", "from": "Bern", "weightKg": 0.5},
]
BAD = [
    {"shipment_id": "S1", "from": "Bern"},
    {"shipmentId": "S1", "from_": "Bern"},
    {"shipmentId": "S1", "from": "Bern", "weightKg": None},
    {"shipmentId": 5, "from": "Bern"},
]
