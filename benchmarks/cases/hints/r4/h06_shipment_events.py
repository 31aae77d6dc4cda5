from datetime import date
from typing import Literal, TypedDict, Union

from graphbus_core import GraphBusNode, subscribe


class Address(TypedDict):
    street: str
    city: str
    postcode: str


class Dispatched(TypedDict):
    kind: Literal["dispatched"]
    parcel: str
    carrier: Literal["dhl", "ups"]
    destination: Address


class Delivered(TypedDict):
    kind: Literal["delivered"]
    parcel: str
    signed_by: str | None


class Lost(TypedDict):
    kind: Literal["lost", "damaged"]
    parcel: str
    since: date


ShipmentEvent = Union[Dispatched, Delivered, Lost]


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: ShipmentEvent) -> None: ...


GOOD = [
    {"kind": "dispatched", "parcel": "p1", "carrier": "ups",
     "destination": {"street": "Main 1", "city": "Oslo", "postcode": "0150"}},
    {"kind": "delivered", "parcel": "p1", "signed_by": None},
    {"kind": "damaged", "parcel": "p1", "since": "2024-01-09"},
    {"kind": "lost", "parcel": "p1", "since": "2024-01-09", "carrier": "tnt"},
]
BAD = [
    {"kind": "returned", "parcel": "p1"},
    {"kind": "dispatched", "parcel": "p1", "signed_by": "Eve"},
    {"kind": "dispatched", "parcel": "p1", "carrier": "ups",
     "destination": {"street": "Main 1", "city": "Oslo", "postcode": 150}},
    {"kind": "lost", "parcel": "p1", "since": "a while"},
    {"parcel": "p1", "signed_by": None},
    {"kind": ["delivered"], "parcel": "p1", "signed_by": None},
]
