from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class AnnotatorResult(TypedDict):
    label: str
    score: float
    margin: float


class Annotator(GraphBusNode):
    @schema_method
    def annotate(self, text: str) -> AnnotatorResult:
        return {"label": text.upper(), "score": len(text) / 10, "margin": 0.1}
