from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class Reply(TypedDict):
    head: str


class Server(GraphBusNode):
    @depends_on("View.render")
    @schema_method
    def reply(self, body: str, mimetype: str) -> Reply:
        suffix = "; charset=utf-8" if mimetype.startswith("text/") else ""
        return {"head": f"200 {mimetype}{suffix}"}
