from typing import TypedDict

from graphbus_core import GraphBusNode, schema_method


class Report(TypedDict):
    user_id: int
    text: str


class Room(GraphBusNode):
    @schema_method
    def last(self) -> Report:
        """The last report: user_id reports somebody."""
        return {"user_id": 11, "text": "@12 is rude"}
