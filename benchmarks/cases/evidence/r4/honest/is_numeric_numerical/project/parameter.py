from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class ParameterResult(TypedDict):
    is_numerical: bool
    is_discrete: bool


class Parameter(GraphBusNode):
    @schema_method
    def describe(self, name: str) -> ParameterResult:
        return {"is_numerical": name.startswith("n"), "is_discrete": True}
