from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class ClientResult(TypedDict):
    header: str


class Client(GraphBusNode):
    @depends_on("Vault.issue")
    @schema_method
    def connect(self, secret: str) -> ClientResult:
        return {"header": "Bearer " + secret}
