from typing import NamedTuple

from graphbus_core import GraphBusNode, schema_method


class Ticket(NamedTuple):
    show: str
    seat: str
    gate: str
    price: float


class BoxOffice(GraphBusNode):
    @schema_method(output_schema={"show": str, "seat": str, "gate": str, "price": float})
    def sell(self) -> Ticket:
        return Ticket("Faust", "C14", "North", 55.0)
