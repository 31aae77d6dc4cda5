from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class ExportResult(TypedDict):
    name: str


class Export(GraphBusNode):
    @depends_on("Forms.publish")
    @schema_method
    def file_name(self, id: str, title: str) -> ExportResult:
        return {"name": "{}_{}.csv".format(id, title)}
