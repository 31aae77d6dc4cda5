from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class ThumbnailerResult(TypedDict):
    thumb: str


class Thumbnailer(GraphBusNode):
    @depends_on("Uploads.finish")
    @schema_method
    def render(self, name: str, source: str) -> ThumbnailerResult:
        return {"thumb": source + ".png"}
