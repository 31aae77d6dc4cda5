from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class BuilderResult(TypedDict):
    image: str
    commit: str


class Builder(GraphBusNode):
    @schema_method
    def build(self, commit: str) -> BuilderResult:
        return {"image": "app:" + commit[:3], "commit": commit}
