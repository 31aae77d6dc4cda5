from typing import TypedDict

from graphbus_core import GraphBusNode, schema_method
from handles import Handle


class User(TypedDict):
    name: str
    username: Handle


class Api(GraphBusNode):
    @schema_method
    def user(self, id: int) -> User:
        return {"name": "Ada Lovelace", "username": Handle("ada")}
