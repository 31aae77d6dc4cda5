from typing import TypedDict

from graphbus_core import GraphBusNode, schema_method


class Rules(TypedDict):
    denylist: list[str]
    allowlist: list[str]


class Policy(GraphBusNode):
    @schema_method
    def load(self) -> Rules:
        return {"denylist": ["evil.example"], "allowlist": ["ok.example"]}
