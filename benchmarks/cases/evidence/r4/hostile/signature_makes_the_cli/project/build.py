from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class BuildResult(TypedDict):
    target_dir: str


class Build(GraphBusNode):
    @schema_method
    def compile(self, app: str) -> BuildResult:
        return {"target_dir": "dist/" + app}
