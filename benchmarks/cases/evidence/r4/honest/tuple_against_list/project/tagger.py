from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class TaggerResult(TypedDict):
    tags: tuple[str, ...]


class Tagger(GraphBusNode):
    @schema_method
    def tags(self, text: str) -> TaggerResult:
        return {"tags": tuple(sorted(set(text.split())))}
