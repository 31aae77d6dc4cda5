from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class VaultResult(TypedDict):
    token: str
    lease: str


class Vault(GraphBusNode):
    @schema_method
    def issue(self, role: str) -> VaultResult:
        return {"token": "t-" + role, "lease": "l-" + role}
