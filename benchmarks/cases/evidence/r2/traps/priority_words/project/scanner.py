from typing import Literal, TypedDict

from graphbus_core import GraphBusNode, schema_method


class Finding(TypedDict):
    title: str
    severity: Literal["low", "high"]
    exposed: bool


class Scanner(GraphBusNode):
    @schema_method
    def finding(self, host: str) -> Finding:
        return {"title": "old TLS", "severity": "low", "exposed": True}
