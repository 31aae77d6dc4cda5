from typing import TypedDict

from graphbus_core import GraphBusNode, schema_method


class Found(TypedDict):
    guild: str
    members: int


class Resolver(GraphBusNode):
    TABLE = {1: ("Chess", 12), 2: ("Garden", 40)}

    @schema_method
    def resolve(self, channel: int) -> Found:
        name, members = self.TABLE[channel]
        return Found(guild=name, members=members)
