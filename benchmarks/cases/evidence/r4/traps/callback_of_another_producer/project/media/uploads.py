from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class UploadsResult(TypedDict):
    name: str
    path: str


class Uploads(GraphBusNode):
    @schema_method
    def finish(self, name: str) -> UploadsResult:
        return {"name": name, "path": "/tmp/partial/" + name}
