from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class PresenceResult(TypedDict):
    key: str


class Presence(GraphBusNode):
    @depends_on("Session.open")
    @schema_method
    def mark(self, userid: int) -> PresenceResult:
        return {"key": f"presence:{userid}"}
