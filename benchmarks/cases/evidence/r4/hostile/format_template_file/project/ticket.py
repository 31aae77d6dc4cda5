from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class TicketResult(TypedDict):
    title: str
    reporter: str


class Ticket(GraphBusNode):
    @schema_method
    def open(self, title: str) -> TicketResult:
        return {"title": title, "reporter": "kim"}
