from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class Booking(TypedDict, total=False):
    name: str
    seats: int


class Reservation(GraphBusNode):
    @schema_method
    def read(self, name: str) -> Booking:
        return {"name": name}


class Kitchen(GraphBusNode):
    @depends_on("Reservation.read")
    @schema_method
    def prepare(self, covers: int) -> dict[str, int]:
        return {"spoons": covers * 2}
