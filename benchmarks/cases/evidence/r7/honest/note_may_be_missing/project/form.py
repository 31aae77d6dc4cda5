from typing import TypedDict

from graphbus_core import GraphBusNode, schema_method

NOTES = {1: "ring twice"}


class Sent(TypedDict):
    note: str | None


class Form(GraphBusNode):
    @schema_method
    def sent(self, number: int) -> Sent:
        return {"note": NOTES.get(number)}
