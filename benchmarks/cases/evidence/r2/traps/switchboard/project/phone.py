from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class Card(TypedDict):
    mobile: str
    landline: str


class Contacts(GraphBusNode):
    @schema_method
    def card(self, name: str) -> Card:
        return {"mobile": "", "landline": "030-1"}


class Dialer(GraphBusNode):
    @depends_on("Contacts.card")
    @schema_method
    def ring(self, number: str) -> dict[str, str]:
        return {"log": f"ringing {number}"}
