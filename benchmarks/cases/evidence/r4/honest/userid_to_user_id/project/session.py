from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class SessionResult(TypedDict):
    user_id: int
    realm_id: int


class Session(GraphBusNode):
    @schema_method
    def open(self, email: str) -> SessionResult:
        return {"user_id": len(email), "realm_id": 2}
