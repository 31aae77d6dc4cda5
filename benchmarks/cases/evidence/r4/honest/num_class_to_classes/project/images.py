from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class ImagesResult(TypedDict):
    num_classes: int
    samples: int


class Images(GraphBusNode):
    @schema_method
    def scan(self, folder: str) -> ImagesResult:
        return {"num_classes": 10, "samples": 500}
