from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class CloudResult(TypedDict):
    text: str


class Cloud(GraphBusNode):
    @depends_on("Tagger.tags")
    @schema_method
    def draw(self, tags: list[str]) -> CloudResult:
        return {"text": " ".join(f"#{t}" for t in tags)}
