from typing import TypedDict

from graphbus_core import GraphBusNode, schema_method
from ids import UserId


class Opened(TypedDict):
    user: UserId
    token: str


class Session(GraphBusNode):
    @schema_method
    def open(self, password: str) -> Opened:
        return {"user": UserId(41), "token": "t"}
