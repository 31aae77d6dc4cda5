from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class ModelResult(TypedDict):
    shape: list[int]


class Model(GraphBusNode):
    @depends_on("Images.scan")
    @schema_method
    def build(self, num_class: int) -> ModelResult:
        return {"shape": [128, num_class]}
