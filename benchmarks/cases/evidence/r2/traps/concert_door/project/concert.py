from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class Sold(TypedDict):
    number: str
    seats: int


class BoxOffice(GraphBusNode):
    @schema_method
    def sell(self, seats: int) -> Sold:
        return {"number": "O-17", "seats": seats}


class Door(GraphBusNode):
    @depends_on("BoxOffice.sell")
    @schema_method
    def admit(self, ticket: str) -> dict[str, str]:
        return {"lamp": "green" if ticket.startswith("T-") else "red"}
