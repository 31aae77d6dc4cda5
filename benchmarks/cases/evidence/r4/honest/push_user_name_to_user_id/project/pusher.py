from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class PusherResult(TypedDict):
    sent: str


class Pusher(GraphBusNode):
    @depends_on("Rules.evaluate")
    @schema_method
    def push(self, user_name: str) -> PusherResult:
        return {"sent": user_name.split(":")[1] + "/" + user_name}
