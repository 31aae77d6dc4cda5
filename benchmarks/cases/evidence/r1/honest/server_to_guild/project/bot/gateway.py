from typing import TypedDict

from graphbus_core import GraphBusNode, schema_method


class Joined(TypedDict):
    member: str
    guild: str


class Gateway(GraphBusNode):
    @schema_method
    def join(self, member: str) -> Joined:
        return {"member": member, "guild": "Chess Club"}
