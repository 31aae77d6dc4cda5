from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class PublishResult(TypedDict):
    said: str


class Publish(GraphBusNode):
    @depends_on("Build.compile")
    @schema_method
    def publish(self, folder: str) -> PublishResult:
        return {"said": "published " + folder}
