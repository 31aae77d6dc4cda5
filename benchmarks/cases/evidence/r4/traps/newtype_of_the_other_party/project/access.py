from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method

from ids import UserId


class AccessResult(TypedDict):
    text: str


class Access(GraphBusNode):
    @depends_on("Orders.place")
    @schema_method
    def grant(self, sku: str, user: UserId) -> AccessResult:
        return {"text": f"user {user} may see {sku}"}
