from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class ConfigResult(TypedDict):
    batch_size: int
    n_iter: int


class Config(GraphBusNode):
    @schema_method
    def load(self, name: str) -> ConfigResult:
        return {"batch_size": 3, "n_iter": 100}
