from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class CrewResult(TypedDict):
    text: str


class Crew(GraphBusNode):
    @depends_on("Ticket.open")
    @schema_method
    def assign(self, title: str, owner: str) -> CrewResult:
        return {"text": f"{title} -> {owner}"}
